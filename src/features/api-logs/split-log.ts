import { isJson } from '../../json/is-json.ts';
import type { LogSplitter } from './log-pieces.ts';
import { splitDocuments } from './split-documents.ts';
import { splitLines } from './split-lines.ts';

/** How much of a file is looked at to tell its kind, in characters. */
export const HEAD = 1024 * 1024;

/**
 * Chooses how to take a file apart, from its beginning: as lines where the first or the second one is a JSON object, or
 * where it begins with no bracket; else as documents. Undefined while more of it is needed.
 */
export function chooseSplitter(head: string, isWhole: boolean): LogSplitter | undefined {
  const text = head.trimStart();
  if (text.startsWith('[')) return splitDocuments();
  if (text !== '' && !text.startsWith('{')) return splitLines();
  const [first = '', second = '', ...others] = text.split('\n', 3);
  const isEnough = isWhole || others.length > 0 || text.length >= HEAD;
  if (isJsonObject(first)) return splitLines();
  if (!isEnough) return undefined;
  return isJsonObject(second) ? splitLines() : splitDocuments();
}

function isJsonObject(line: string): boolean {
  return line.trimStart().startsWith('{') && isJson(line);
}
