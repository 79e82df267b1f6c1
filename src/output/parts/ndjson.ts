import { minifyJson } from '../../json/edit.ts';
import type { Compression, PartWriter, PartWriterOptions } from '../format.ts';
import { createTextFile, SUFFIXES } from './compressed.ts';

/** Such as `.ndjson.zst`. */
export const ending = (compression: Compression): string => `.ndjson${SUFFIXES[compression]}`;

/** Writes each record exactly as the service sent it, on a line; white space between its tokens goes if it has line breaks. */
export function createPartWriter(options: PartWriterOptions): PartWriter {
  const file = createTextFile(options);
  return {
    async add(texts) {
      if (texts.length === 0) return;
      const text = texts.join('\n');
      const hasLines = text.includes('\r') || text.split('\n', texts.length + 1).length > texts.length;
      await file.add(`${hasLines ? texts.map(minifyJson).join('\n') : text}\n`);
    },
    async end() {
      await file.end();
      return { unfit: {} };
    },
  };
}
