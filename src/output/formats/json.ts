import { pickText } from '../json-at.ts';
import { createJsonEnvelope, type EnvelopeLayout } from '../json-envelope.ts';
import { prettyJson } from '../json-pretty.ts';
import type { ListPage, ListWriter } from '../list-page.ts';
import type { ListWriterOptions } from '../list-writer.ts';
import { loadColors } from '../palette.ts';
import { escapeJsonText, isCleanJsonText } from '../sanitize.ts';

/**
 * Writes exactly one JSON document. A single page goes out as the service wrote it, on a terminal laid out over lines;
 * with `whole` or with chosen columns it is one envelope that is streamed, complete even when the list is cut short.
 */
export async function createJsonWriter(options: ListWriterOptions): Promise<ListWriter> {
  const layout = options.terminal.isTerminal
    ? { colors: await loadColors(options.terminal.color) }
    : undefined;
  if (!options.whole && !options.explicitColumns) return createPageWriter(options, layout);
  const envelope = createJsonEnvelope(layout);
  let opened = false;
  return {
    async page(page) {
      opened = true;
      await options.stdout.write(envelope.items(itemTexts(page, options), page.rest()));
    },
    async end({ nextCursor }) {
      if (opened) await options.stdout.write(`${envelope.end(nextCursor)}\n`);
      await options.stdout.end();
    },
  };
}

function createPageWriter(options: ListWriterOptions, layout: EnvelopeLayout | undefined): ListWriter {
  return {
    async page(page) {
      const text = escapeJsonText(page.text);
      await options.stdout.write(`${layout ? prettyJson(text, layout) : text.trim()}\n`);
    },
    end: () => options.stdout.end(),
  };
}

/** The texts of the items as they are printed: reduced to the chosen columns, and escaped for a terminal. */
export function itemTexts(
  page: ListPage,
  options: Pick<ListWriterOptions, 'columns' | 'explicitColumns'>,
): readonly string[] {
  let texts = page.texts();
  if (options.explicitColumns) {
    const paths = options.columns.map((column) => column.path);
    texts = texts.map((text) => pickText(text, paths));
    return texts.map(escapeJsonText);
  }
  return isCleanJsonText(page.text) ? texts : texts.map(escapeJsonText);
}
