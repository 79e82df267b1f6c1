import { parseShownJson } from '../json/exact.ts';
import { isObject } from '../json/is-object.ts';
import { ZonedTimes } from '../text/zoned-times.ts';
import { amountInBothUnits, currencyAt, currencyOf, isAmountIn } from './amount.ts';
import { formatCell, pathsOf, readableCell, valueAt } from './columns.ts';
import type { ListWriterOptions, ShownDocument } from './format.ts';
import type { ListWriter } from './list-page.ts';
import { sanitizeText } from './sanitize.ts';
import { type Colors, loadColors, plainColors } from './terminal.ts';
import { displayWidth, hang, wrapWords } from './width.ts';

export type DetailOptions = {
  /** Display columns of the terminal. */
  readonly width: number;
  readonly colors?: Colors;
  /** Shows the times; as they were sent by default. */
  readonly times?: ZonedTimes;
  /** As in `ListWriterOptions`. */
  readonly majorFields?: readonly string[] | undefined;
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
  const nesting = { majorFields: options.majorFields ?? [], times: options.times ?? new ZonedTimes('sent') };
  const lines = linesOf(value, { holders: [], path: [], ...nesting });
  const keyColumn = Math.max(0, ...lines.filter((line) => line.value !== undefined).map(keyWidth));
  const valueAt = Math.min(keyColumn, widestKey) + gap;
  return lines.map((line) => drawLine(line, { valueAt, width: options.width, colors })).join('');
}

function keyWidth(line: DetailLine): number {
  return line.indent + displayWidth(line.key);
}

/** Where a value is: the objects around it, the outermost first, and the names that lead to it, `0` for any element. */
type Nesting = {
  readonly holders: readonly unknown[];
  readonly path: readonly string[];
  readonly majorFields: readonly string[];
  readonly times: ZonedTimes;
};

function linesOf(value: unknown, { holders: outer, path, ...shown }: Nesting): DetailLine[] {
  const level = outer.length;
  const holders = [...outer, value];
  return entriesOf(value).flatMap(([name, part]) => {
    const indent = level * indentStep;
    const key = sanitizeText(name);
    const inner = [...path, Array.isArray(value) ? '0' : name];
    if (level < deepest && entriesOf(part).length > 0) {
      return [{ indent, key, value: undefined }, ...linesOf(part, { holders, path: inner, ...shown })];
    }
    const isAmount = isAmountIn(value, name, path.at(-1)) && !shown.majorFields.includes(inner.join('.'));
    const amount = isAmount ? amountInBothUnits(part, currencyOf(holders, name)) : undefined;
    return [{ indent, key, value: sanitizeText(amount ?? shown.times.named(scalarText(part))) }];
  });
}

/** The amount at a path of an item, whose currency need not be shown. */
function shownAt(item: unknown, path: string, majorFields: readonly string[] = []): string | undefined {
  if (majorFields.includes(path.replace(/\.\d+(?=\.|$)/g, '.0'))) return undefined;
  return amountInBothUnits(valueAt(item, path), currencyAt(item, path));
}

function entriesOf(value: unknown): [string, unknown][] {
  if (Array.isArray(value)) return value.map((element, index) => [String(index + 1), element]);
  return isObject(value) ? Object.entries(value) : [];
}

/** Null and the empty string look different. */
function scalarText(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (value === '') return '""';
  // What is nested too deep for lines stays whole.
  return entriesOf(value).length > 0 ? formatCell(value) : readableCell(value);
}

/** Writes a list as one record per block, with an empty line between blocks. Nothing is wrapped in a pipe. */
export async function createWriter(options: ListWriterOptions): Promise<ListWriter> {
  const { columns, explicitColumns, majorFields, stdout, terminal } = options;
  const colors = await loadColors(terminal.color);
  const paths = pathsOf(columns);
  const times = new ZonedTimes(terminal.times);
  let isFirst = true;
  return {
    async page(page) {
      let text = '';
      for (const item of page.items) {
        const chosen = paths.map((path) => [path, shownAt(item, path, majorFields) ?? valueAt(item, path)]);
        const shown = explicitColumns ? Object.fromEntries(chosen) : item;
        const width = terminal.isTerminal ? stdout.columns : Number.POSITIVE_INFINITY;
        text += (isFirst ? '' : '\n') + renderDetail(shown, { width, colors, majorFields, times });
        isFirst = false;
      }
      await stdout.write(text);
    },
    end: () => stdout.end(),
  };
}

/** Gives a document in two columns. A chosen amount is in its currency, which need not be chosen. */
export async function documentText(document: ShownDocument): Promise<string> {
  const { text, columns, explicitColumns, majorFields, terminal, stdout } = document;
  const chosen = parseShownJson(document.chosen);
  const colors = await loadColors(terminal.color);
  const width = terminal.isTerminal ? stdout.columns : Number.POSITIVE_INFINITY;
  const options = { width, colors, majorFields, times: new ZonedTimes(terminal.times) };
  if (!explicitColumns || !isObject(chosen)) return renderDetail(chosen, options);
  const whole = parseShownJson(text);
  const amounts = columns.map(({ path }) => [path, shownAt(whole, path, majorFields) ?? chosen[path]]);
  return renderDetail(Object.fromEntries(amounts), options);
}

type DrawOptions = { readonly valueAt: number; readonly width: number; readonly colors: Colors };

function drawLine(line: DetailLine, options: DrawOptions): string {
  const key = ' '.repeat(line.indent) + options.colors.bold(line.key);
  if (line.value === undefined) return `${key}\n`;
  const padding = ' '.repeat(Math.max(options.valueAt - keyWidth(line), gap));
  const available = Math.max(options.width - options.valueAt, narrowestValue);
  const value =
    line.value === '-'
      ? options.colors.dim(line.value)
      : hang(wrapWords(line.value, available), { at: options.valueAt, width: options.width });
  return value.startsWith('\n') ? `${key}${value}\n` : `${key}${padding}${value}\n`;
}
