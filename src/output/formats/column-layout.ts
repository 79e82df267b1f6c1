import { type Column, formatOf } from '../columns.ts';

/** How wide a column is. Widths are display columns. */
export type ColumnMeasure = {
  readonly column: Column;
  /** Width of its widest cell, header included. */
  readonly contentWidth: number;
  readonly headerWidth: number;
  /** Whether its cells differ. */
  readonly isVaried?: boolean;
  /** Width of its widest cell in the short form that it has where room is scarce. */
  readonly shortWidth?: number;
};

export type LayoutOptions = {
  /** Width of the terminal. */
  readonly width: number;
  readonly gap: number;
  /** The columns were named with `--columns`: none is left out, and ids extend past the edge rather than be cut. */
  readonly keepAll: boolean;
};

/** Widths of the columns that are shown, by index, and the columns that are left out, in their order. */
export type Layout = {
  readonly shown: readonly { readonly index: number; readonly width: number }[];
  readonly leftOut: readonly Column[];
};

/** Text may be cut to this many columns before whole columns are left out. */
const shortestText = 10;
/** Columns of this priority and above stay while their texts can still be cut. */
const essential = 8;

const NONE = () => false;
const IDS = (column: Column) => formatOf(column) === 'id';
const ALL = () => true;

/** Which short forms are tried before a column is left out: those of times only before one that is essential. */
function formsFor({ isLast, canLeaveOut }: { readonly isLast: boolean; readonly canLeaveOut: boolean }) {
  if (isLast) return [NONE];
  return canLeaveOut ? [NONE, IDS] : [NONE, IDS, ALL];
}

/**
 * Fits columns into a width: the longest text columns shrink first; ids, times and numbers stay whole or get their short
 * form, and rather than cut one of them columns of the lowest priority are left out. The last column that remains is cut to
 * the width.
 */
export function layOutColumns(measures: readonly ColumnMeasure[], options: LayoutOptions): Layout {
  const isShown = ({ column, isVaried }: ColumnMeasure) =>
    !column.onlyIfVaried || isVaried === true || options.keepAll;
  let indexes = measures.flatMap((measure, index) => (isShown(measure) ? [index] : []));
  for (;;) {
    const whole = indexes.flatMap((index) => measures[index] ?? []);
    const available = options.width - options.gap * (whole.length - 1);
    const canLeaveOut = !options.keepAll && whole.some(({ column }) => (column.priority ?? 0) < essential);
    const isLast = options.keepAll || indexes.length <= 1;
    for (const isShort of formsFor({ isLast, canLeaveOut })) {
      const widths = shrink(whole.map(inForm(isShort)), available, canLeaveOut);
      if (sum(widths) > available && !isLast) continue;
      const shown = indexes.map((index, at) => ({
        index,
        width: finalWidth(widths[at] ?? 1, available, options),
      }));
      const leftOut = measures.filter((measure, index) => isShown(measure) && !indexes.includes(index));
      return { shown, leftOut: leftOut.map(({ column }) => column) };
    }
    const dropped = leastImportant(measures, indexes);
    indexes = indexes.filter((index) => index !== dropped);
  }
}

function inForm(isShort: (column: Column) => boolean): (measure: ColumnMeasure) => ColumnMeasure {
  return (measure) => {
    const { column, shortWidth } = measure;
    return shortWidth !== undefined && isShort(column) ? { ...measure, contentWidth: shortWidth } : measure;
  };
}

function finalWidth(width: number, available: number, options: LayoutOptions): number {
  return Math.max(1, options.keepAll ? width : Math.min(width, available));
}

/** Lowers the widest text columns to a common width until everything fits or all of them are at their minimum. */
function shrink(measures: readonly ColumnMeasure[], available: number, isGood: boolean): number[] {
  const minima = measures.map((measure) => minimumOf(measure, isGood));
  const widest = Math.max(...measures.map((measure) => measure.contentWidth));
  let low = 0;
  let high = widest;
  const atMost = (cap: number): number[] =>
    measures.map((measure, index) => Math.max(minima[index] ?? 1, Math.min(measure.contentWidth, cap)));
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (sum(atMost(middle)) <= available) low = middle;
    else high = middle - 1;
  }
  return distribute(measures, atMost(low), available);
}

/** Gives the few columns that rounding left over to the first texts that can use them. */
function distribute(measures: readonly ColumnMeasure[], widths: number[], available: number): number[] {
  let spare = available - sum(widths);
  return widths.map((width, index) => {
    const wanted = (measures[index]?.contentWidth ?? width) - width;
    if (spare <= 0 || wanted <= 0) return width;
    spare--;
    return width + 1;
  });
}

function minimumOf({ column, contentWidth, headerWidth }: ColumnMeasure, isGood: boolean): number {
  const format = formatOf(column);
  if (format !== 'text' && format !== 'path') return contentWidth;
  const { minWidth = shortestText, goodWidth = minWidth } = column;
  return Math.min(contentWidth, Math.max(headerWidth, isGood ? goodWidth : minWidth));
}

function leastImportant(measures: readonly ColumnMeasure[], indexes: readonly number[]): number {
  const priority = (index: number): number => measures[index]?.column.priority ?? 0;
  return indexes.reduce((dropped, index) => (priority(index) <= priority(dropped) ? index : dropped));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
