import type { ConcernedRecord, ReadRecord } from '../../cli/money/record.ts';
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

/** How many records that were read are kept, for the next rows about the same. */
const MOST_KEPT = 1000;

/** Reads each record once, unless many others came between. */
export function readOnce(read: ReadRecord): ReadRecord {
  const kept = new Map<string, Promise<ConcernedRecord>>();
  return async (target) => {
    const path = target.replace(/\?.*/s, '');
    const found = kept.get(path) ?? read(path);
    kept.set(path, found);
    if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value ?? '');
    return await found;
  };
}
