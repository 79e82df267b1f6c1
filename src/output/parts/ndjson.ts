import { minifyJson } from '../../json/edit.ts';
import type { Compression, PartWriter, PartWriterOptions } from '../format.ts';
import { SUFFIXES, TextFile } from './compressed.ts';
import { EncodedTexts } from './encoded-texts.ts';
import { readLines } from './read-lines.ts';

/** Such as `.ndjson.zst`. */
export const ending = (compression: Compression): string => `.ndjson${SUFFIXES[compression]}`;

/** Writes each record exactly as the service sent it, on a line; of one that has line breaks, the white space is left out. */
export function createPartWriter(options: PartWriterOptions): PartWriter {
  const file = new TextFile(options);
  return {
    async add(records) {
      const lines = records.areLines ? records : new EncodedTexts().encode(records.texts.map(onOneLine));
      await file.add(lines.bytes.subarray(0, lines.length));
    },
    async end() {
      await file.end();
      return { unfit: {} };
    },
  };
}

function onOneLine(text: string): string {
  return /[\n\r]/.test(text) ? minifyJson(text) : text;
}

/** The records of a part. */
export const readPart = readLines;
