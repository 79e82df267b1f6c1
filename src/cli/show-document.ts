import { replyOf } from '../client/reply.ts';
import { maskSecrets } from '../json/mask-secrets.ts';
import { chooseColumns } from './choose-columns.ts';
import type { OutputFlagValues } from './flags/list-flags.ts';
import type { Session } from './session.ts';
import { writerOptions } from './writer-options.ts';

/** Prints one document of the service: a detail view on a terminal, else in the format of the run. */
export async function showDocument(
  { display }: Session,
  document: object,
  flags: OutputFlagValues,
): Promise<void> {
  const text = replyOf(document)?.text ?? JSON.stringify(document);
  const shown = flags['reveal-secrets'] ? text : maskSecrets(text);
  const { writeDocument } = await import('../output/document-writer.ts');
  await writeDocument(shown, await writerOptions(display, flags, chooseColumns(Object.keys(document), [])));
}
