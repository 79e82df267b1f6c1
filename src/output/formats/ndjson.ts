import { minifyJson } from '../json-text.ts';
import type { ListWriter } from '../list-page.ts';
import type { ListWriterOptions } from '../list-writer.ts';
import { itemTexts } from './json.ts';

/** Writes one JSON document a line, each exactly as the service wrote it; an item over several lines is compacted. */
export function createNdjsonWriter(options: ListWriterOptions): ListWriter {
  return {
    async page(page) {
      let texts = itemTexts(page, options);
      if (texts.length === 0) return;
      if (page.text.includes('\n') || page.text.includes('\r')) texts = texts.map(minifyJson);
      await options.stdout.write(`${texts.join('\n')}\n`);
    },
    end: () => options.stdout.end(),
  };
}
