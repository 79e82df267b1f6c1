import { minifyJson } from '../../json/edit.ts';
import type { Compression, PartWriter, PartWriterOptions } from '../format.ts';
import { SUFFIXES, TextFile } from './compressed.ts';
import { readLines } from './read-lines.ts';

/** Such as `.ndjson.zst`. */
export const ending = (compression: Compression): string => `.ndjson${SUFFIXES[compression]}`;

/** Writes each record exactly as the service sent it, on a line; of one that has line breaks, the white space is left out. */
export function createPartWriter(options: PartWriterOptions): PartWriter {
  const file = new TextFile({ ...options, lineEnd: '\n' });
  return {
    add: (texts) => file.add(texts.map(onOneLine)),
    async end() {
      await file.end();
      return { unfit: {} };
    },
  };
}

function onOneLine(text: string): string {
  return text.includes('\n') || text.includes('\r') ? minifyJson(text) : text;
}

/** The records of a part. */
export const readPart = readLines;
