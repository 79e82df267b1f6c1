import { replyOf } from '../client/reply.ts';
import { maskSecrets } from '../json/mask-secrets.ts';
import { chooseColumns } from './choose-columns.ts';
import type { OutputFlagValues } from './list-flags.ts';
import { openJq } from './open-jq.ts';
import type { Session } from './session.ts';

/** Prints one document of the service: a detail view on a terminal, else in the format of the run. */
export async function showDocument(
  { display }: Session,
  document: object,
  flags: OutputFlagValues,
): Promise<void> {
  const text = replyOf(document)?.text ?? JSON.stringify(document);
  const { writeDocument } = await import('../output/document-writer.ts');
  await writeDocument(flags['reveal-secrets'] ? text : maskSecrets(text), {
    format: display.format,
    columns: chooseColumns(flags.columns ?? Object.keys(document), []),
    explicitColumns: flags.columns !== undefined,
    header: !flags['no-header'],
    jq: await openJq(flags.jq),
    stdout: display.stdout,
    terminal: display.stdoutTerminal,
    note: display.note,
  });
}
