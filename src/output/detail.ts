import { isObject } from '../json/is-object.ts';
import { formatCell } from './columns.ts';
import { sanitizeText } from './sanitize.ts';
import { type Colors, plainColors } from './terminal.ts';
import { displayWidth, wrapWords } from './width.ts';

export type DetailOptions = {
  /** Display columns of the terminal. */
  readonly width: number;
  readonly colors?: Colors;
};

type DetailLine = { readonly indent: number; readonly key: string; readonly value: string | undefined };

const indentStep = 2;
const gap = 2;
/** What is nested deeper is shown as JSON on one line. */
const deepest = 8;
const widestKey = 40;
const narrowestValue = 20;

/**
 * Renders one object in two columns, keys and values, one field a line; parts of nested objects are indented and
 * elements of arrays numbered from 1. Every name and value is sanitised. Long texts are wrapped between words; a word,
 * and so an id, is never broken.
 */
export function renderDetail(value: unknown, options: DetailOptions): string {
  const colors = options.colors ?? plainColors;
  const lines = linesOf(value, 0);
  const keyColumn = Math.max(0, ...lines.filter((line) => line.value !== undefined).map(keyWidth));
  const valueAt = Math.min(keyColumn, widestKey) + gap;
  return lines.map((line) => drawLine(line, { valueAt, width: options.width, colors })).join('');
}

function keyWidth(line: DetailLine): number {
  return line.indent + displayWidth(line.key);
}

function linesOf(value: unknown, level: number): DetailLine[] {
  return entriesOf(value).flatMap(([name, part]) => {
    const indent = level * indentStep;
    const key = sanitizeText(name);
    if (level < deepest && entriesOf(part).length > 0) {
      return [{ indent, key, value: undefined }, ...linesOf(part, level + 1)];
    }
    return [{ indent, key, value: sanitizeText(scalarText(part)) }];
  });
}

function entriesOf(value: unknown): [string, unknown][] {
  if (Array.isArray(value)) return value.map((element, index) => [String(index + 1), element]);
  return isObject(value) ? Object.entries(value) : [];
}

/** Null and the empty string look different. */
function scalarText(value: unknown): string {
  if (value === null || value === undefined) return '-';
  return value === '' ? '""' : formatCell(value);
}

type DrawOptions = { readonly valueAt: number; readonly width: number; readonly colors: Colors };

function drawLine(line: DetailLine, options: DrawOptions): string {
  const key = ' '.repeat(line.indent) + options.colors.bold(line.key);
  if (line.value === undefined) return `${key}\n`;
  const padding = ' '.repeat(Math.max(options.valueAt - keyWidth(line), gap));
  const available = Math.max(options.width - options.valueAt, narrowestValue);
  const [first = '', ...others] = wrapWords(line.value, available);
  const hanging = others.map((part) => `${' '.repeat(options.valueAt)}${part}\n`);
  const value = line.value === '-' ? options.colors.dim(first) : first;
  return `${key}${padding}${value}\n${hanging.join('')}`;
}
