import type { ReadRecord } from '../../cli/money/record.ts';
import type { Runtime } from '../../cli/runtime.ts';
import type { Session } from '../../cli/session/session.ts';

/** Reads the records that rows change, with the client of a session. */
export async function openRecordReader(session: Session, runtime: Runtime): Promise<ReadRecord> {
  const { recordReader } = await import('../../cli/money/record.ts');
  return recordReader({
    description: { environment: runtime.environment, profile: session.settings.profile.value?.name },
    signal: session.signal,
    client: () => session.client(),
    isRefused: () => false,
  });
}
