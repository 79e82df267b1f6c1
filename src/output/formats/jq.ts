import type { Jq, JqOutcome, JqResult } from '../jq.ts';
import { createJsonEnvelope } from '../json-envelope.ts';
import type { ListPage, ListWriter } from '../list-page.ts';
import type { ListWriterOptions } from '../list-writer.ts';
import { escapeJsonText, sanitizeText } from '../sanitize.ts';
import { itemTexts } from './json.ts';

type JqOutputOptions = Pick<ListWriterOptions, 'stdout' | 'terminal' | 'note'>;

/**
 * Writes what a jq expression makes of a list. With `ndjson` the expression sees item after item, a page at a time; with
 * every other format it sees the whole document once, which is held in memory until the list ends.
 */
export function createJqWriter(options: ListWriterOptions, jq: Jq): ListWriter {
  return options.format === 'ndjson' ? createItemFilter(options, jq) : createDocumentFilter(options, jq);
}

function createItemFilter(options: ListWriterOptions, jq: Jq): ListWriter {
  return {
    async page(page) {
      const texts = itemTexts(page, options);
      if (texts.length > 0) await writeOutcome(await jq.run(texts.join('\n')), options);
    },
    end: () => options.stdout.end(),
  };
}

function createDocumentFilter(options: ListWriterOptions, jq: Jq): ListWriter {
  const asItCame = !options.whole && !options.explicitColumns;
  const envelope = createJsonEnvelope();
  let document = '';
  const gather = (page: ListPage): string =>
    asItCame ? page.text : envelope.items(itemTexts(page, options), page.rest());
  return {
    async page(page) {
      document += gather(page);
    },
    async end({ nextCursor }) {
      if (document !== '') {
        if (!asItCame) document += envelope.end(nextCursor);
        await writeOutcome(await jq.run(document), options);
      }
      await options.stdout.end();
    },
  };
}

/**
 * Prints the results of an expression, one a line, then what it said, and then fails if the expression did.
 * @throws OutputError `jq_failed`
 */
export async function writeOutcome(outcome: JqOutcome, options: JqOutputOptions): Promise<void> {
  const lines = outcome.results.map((result) => `${printable(result, options.terminal.isTerminal)}\n`);
  await options.stdout.write(lines.join(''));
  for (const message of outcome.messages) await options.note(sanitizeText(message));
  if (outcome.failure !== undefined) throw outcome.failure;
}

/** JSON is escaped and stays exact; a string is raw in a pipe, and shown line by line on a terminal. */
function printable({ text, isJson }: JqResult, onTerminal: boolean): string {
  if (isJson) return escapeJsonText(text);
  return onTerminal ? text.split('\n').map(sanitizeText).join('\n') : text;
}
