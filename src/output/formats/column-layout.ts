import { type Column, formatOf } from '../columns.ts';

/** How wide a column is. Widths are display columns. */
export type ColumnMeasure = {
  readonly column: Column;
  /** Width of its widest cell, header included. */
  readonly contentWidth: number;
  readonly headerWidth: number;
  /** Whether its cells differ. */
  readonly isVaried?: boolean;
  /** Whether the column can be left out first, because all of several rows have the same cell; false if more rows follow. */
  readonly isAlike?: boolean;
  /** Whether its cells are all empty. */
  readonly isIdle?: boolean;
  /** Width of its widest cell in the short form that it has where room is scarce. */
  readonly shortWidth?: number;
};

export type LayoutOptions = {
  /** Width of the terminal. */
  readonly width: number;
  readonly gap: number;
  /** The columns were named with `--columns`: none is left out, and ids extend past the edge rather than be cut. */
  readonly keepAll: boolean;
  /** Cells and rows that are too wide go on in further lines; only columns without a value are left out. */
  readonly wraps?: boolean;
};

/** A column that is shown, by its index. */
export type ShownColumn = {
  readonly index: number;
  readonly width: number;
  /** On which further line of its row it is, from 1 on; unset for the first line. */
  readonly line?: number;
};

/** The columns that are shown, and those that are left out, in their order. */
export type Layout = {
  readonly shown: readonly ShownColumn[];
  readonly leftOut: readonly Column[];
};

/** The columns before a further line of a row. */
export const lineIndent = 2;

/** Text may be cut to this many columns before whole columns are left out. */
const shortestText = 10;
/** Columns of this priority and above stay while their texts can still be cut. */
const essential = 8;

/** Whether a column answers what the list is asked for; one with the same cell in each row does not. */
function isEssential({ column: { priority = 0 }, isAlike }: ColumnMeasure): boolean {
  return priority >= essential && !isAlike;
}

/** How far texts shrink: to good widths, those that yield to their least, or all to their least. */
type Level = 'good' | 'yielding' | 'least';

/** One way to fit columns: which of them have their short form, and how far the others shrink. */
type Attempt = { readonly isShort: (column: Column) => boolean; readonly level: Level };

const NONE = () => false;
const IDS = (column: Column) => formatOf(column) === 'id';
const ALL = () => true;

const FIRST: Attempt = { isShort: NONE, level: 'good' };
/** What is tried before a column is left out that is not essential. */
const BEFORE_OTHERS: readonly Attempt[] = [FIRST, { isShort: IDS, level: 'good' }];
/** What is tried before one is left out that is essential. */
const BEFORE_ESSENTIAL: readonly Attempt[] = [
  { isShort: NONE, level: 'yielding' },
  { isShort: IDS, level: 'yielding' },
  { isShort: ALL, level: 'yielding' },
  { isShort: ALL, level: 'least' },
];
const LAST: readonly Attempt[] = [{ isShort: NONE, level: 'least' }];

/**
 * Fits columns into a width. Columns without a value are left out first. Then the longest text columns shrink; ids, times and
 * numbers stay whole or get their short form, and rather than cut one of them columns are left out: first
 * those with one cell for all rows (`isAlike`), then those of the lowest priority. The last column that remains is cut to the width.
 */
export function layOutColumns(measures: readonly ColumnMeasure[], options: LayoutOptions): Layout {
  const { keepAll, wraps = false } = options;
  const isShown = ({ column, isVaried }: ColumnMeasure) =>
    keepAll || wraps || (!column.onlyWide && (!column.onlyIfVaried || isVaried === true));
  const candidates = measures.flatMap((measure, index) => (isShown(measure) ? [index] : []));
  const indexes = keepAll ? candidates : withoutIdle(measures, candidates, options);
  const shown = wraps ? inLines(measures, indexes, options) : inOneLine(measures, indexes, options);
  const leftOut = measures.filter(
    ({ column }, index) =>
      (candidates.includes(index) || column.onlyWide) && !shown.some((one) => one.index === index),
  );
  return { shown, leftOut: leftOut.map(({ column }) => column) };
}

function inOneLine(
  measures: readonly ColumnMeasure[],
  candidates: readonly number[],
  options: LayoutOptions,
): readonly ShownColumn[] {
  let indexes = candidates;
  for (;;) {
    const whole = indexes.flatMap((index) => measures[index] ?? []);
    const available = options.width - options.gap * (whole.length - 1);
    const isLast = options.keepAll || indexes.length <= 1;
    for (const { isShort, level } of attemptsFor(whole, isLast)) {
      const widths = shrink(whole.map(inForm(isShort)), available, level);
      if (sum(widths) > available && !isLast) continue;
      return indexes.map((index, at) => ({
        index,
        width: finalWidth(widths[at] ?? 1, available, options),
      }));
    }
    const dropped = leastImportant(measures, indexes);
    indexes = indexes.filter((index) => index !== dropped);
  }
}

function attemptsFor(measures: readonly ColumnMeasure[], isLast: boolean): readonly Attempt[] {
  if (isLast) return LAST;
  if (measures.every(isEssential)) return BEFORE_ESSENTIAL;
  return measures.some(({ column: { priority = 0 } }) => priority < 0) ? [FIRST] : BEFORE_OTHERS;
}

/** Places all columns, in as many lines as they need; a text may have several lines, too. */
function inLines(
  measures: readonly ColumnMeasure[],
  indexes: readonly number[],
  { width, gap }: LayoutOptions,
): readonly ShownColumn[] {
  const whole = indexes.flatMap((index) => {
    const measure = measures[index];
    return measure ? [{ ...measure, index }] : [];
  });
  const total = sum(whole.map(({ contentWidth }) => contentWidth + gap)) - gap;
  const forms = total <= width ? whole : whole.map(inForm((column) => formatOf(column) === 'seconds'));
  const lines: (typeof forms)[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (const measure of forms) {
    const minimum = minimumOf(measure, 'least');
    least += gap + minimum;
    if (least > width) {
      lines.push([]);
      least = minimum + (lines.length > 1 ? lineIndent : 0);
    }
    lines.at(-1)?.push(measure);
  }
  return lines.flatMap((line, at) => {
    const available = width - gap * (line.length - 1) - (at === 0 ? 0 : lineIndent);
    const texts = line.map((measure) => ({ ...measure, column: { ...measure.column, yields: false } }));
    const widths = shrink(texts, available, 'least');
    return line.map(({ index }, place) => ({
      index,
      width: Math.max(1, Math.min(widths[place] ?? 1, available)),
      ...(at > 0 && { line: at }),
    }));
  });
}

/** Leaves out columns without a value, later ones first, until the others fit. */
function withoutIdle(
  measures: readonly ColumnMeasure[],
  indexes: readonly number[],
  { width, gap }: LayoutOptions,
): readonly number[] {
  const widthOf = (some: readonly number[]) =>
    sum(some.map((index) => (measures[index]?.contentWidth ?? 0) + gap)) - gap;
  return indexes.reduceRight(
    (left, index) =>
      measures[index]?.isIdle && left.length > 1 && widthOf(left) > width
        ? left.filter((other) => other !== index)
        : left,
    indexes,
  );
}

function inForm(isShort: (column: Column) => boolean) {
  return <Measure extends ColumnMeasure>(measure: Measure): Measure => {
    const { column, shortWidth } = measure;
    return shortWidth !== undefined && isShort(column) ? { ...measure, contentWidth: shortWidth } : measure;
  };
}

function finalWidth(width: number, available: number, options: LayoutOptions): number {
  return Math.max(1, options.keepAll ? width : Math.min(width, available));
}

/**
 * Lowers columns until everything fits or all are at their minimum: all to their good widths, then those that yield, then the others;
 * each time the widest ones to a common width.
 */
function shrink(measures: readonly ColumnMeasure[], available: number, level: Level): number[] {
  const minima = measures.map((measure) => minimumOf(measure, level));
  const goods = measures.map((measure, index) => Math.max(minima[index] ?? 1, minimumOf(measure, 'good')));
  const good = lower(measures, goods, { available, isLowered: () => true });
  if (sum(good) <= available) return good;
  const atGood = measures.map((measure, index) => ({ ...measure, contentWidth: goods[index] ?? 1 }));
  const yielding = lower(atGood, minima, { available, isLowered: ({ column }) => column.yields === true });
  if (sum(yielding) <= available) return yielding;
  const others = atGood.map((measure, index) =>
    measure.column.yields ? { ...measure, contentWidth: minima[index] ?? 1 } : measure,
  );
  return lower(others, minima, { available, isLowered: () => true });
}

type Lowering = {
  readonly available: number;
  readonly isLowered: (measure: ColumnMeasure) => boolean;
};

function lower(
  measures: readonly ColumnMeasure[],
  minima: readonly number[],
  { available, isLowered }: Lowering,
): number[] {
  let low = 0;
  let high = Math.max(...measures.map((measure) => measure.contentWidth));
  const atMost = (cap: number): number[] =>
    measures.map((measure, index) =>
      isLowered(measure)
        ? Math.max(minima[index] ?? 1, Math.min(measure.contentWidth, cap))
        : measure.contentWidth,
    );
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

function minimumOf({ column, contentWidth, headerWidth }: ColumnMeasure, level: Level): number {
  const format = formatOf(column);
  if (format !== 'text' && format !== 'path') return contentWidth;
  const { minWidth = shortestText, goodWidth = minWidth, yields = false } = column;
  const isGood = level === 'good' || (level === 'yielding' && !yields);
  return Math.min(contentWidth, Math.max(headerWidth, isGood ? goodWidth : minWidth));
}

function leastImportant(measures: readonly ColumnMeasure[], indexes: readonly number[]): number {
  const priority = (index: number): number => {
    const { column, isAlike } = measures[index] ?? {};
    const own = column?.priority ?? 0;
    // Below all others, and in their order among themselves.
    return isAlike ? own / 100 - 1 : own;
  };
  return indexes.reduce((dropped, index) => (priority(index) <= priority(dropped) ? index : dropped));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
