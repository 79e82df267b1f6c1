import { isObject } from '../json/is-object.ts';
import { isAmountPath } from '../text/amount-names.ts';
import { currencyCode } from '../text/currency.ts';
import { amountText, currencyAt, UNIT_UNKNOWN } from './amount.ts';
import { type Column, columnOf, pathsOf, valueAt } from './columns.ts';
import { type ListWriter, pageOfValues } from './list-page.ts';

/** Columns with amounts in the major unit, and what makes the values of the items theirs. */
export type MajorUnits = {
  /** Each amount has the column of its currency after it, whose path ends with `_currency`. */
  readonly columns: readonly Column[];
  /** Wraps the writer of a list with these columns. */
  readonly writer: (writer: ListWriter) => ListWriter;
};

/**
 * Shows the amounts of columns in the major unit of their currency, without it: `331.44`, and `EUR` in the next column. An amount whose
 * currency is not known stays as it was sent, and says so.
 */
export function inMajorUnits(columns: readonly Column[]): MajorUnits {
  const plain = pathsOf(columns).map((path) => columns.find((one) => one.path === path) ?? columnOf(path));
  const amounts = plain.filter(({ path, isMajor }) => !isMajor && isAmountPath(path)).map(({ path }) => path);
  return {
    columns: plain.flatMap((column) => {
      if (!amounts.includes(column.path)) return [column];
      const { cell: _cell, parts: _parts, ...amount } = column;
      const currency = {
        path: currencyPath(column.path),
        header: 'CURRENCY',
        priority: column.priority ?? 0,
      };
      return [{ ...amount, format: 'number' }, currency];
    }),
    writer: (writer) => ({
      page: (page) => writer.page(pageOfValues(page.items.map((item) => withMajorUnits(item, amounts)))),
      end: (tail) => writer.end(tail),
      leftOut: () => writer.leftOut?.() ?? [],
    }),
  };
}

function currencyPath(path: string): string {
  return `${path}_currency`;
}

/** An item that also has the values of the columns, by their whole paths. */
function withMajorUnits(item: unknown, amounts: readonly string[]): unknown {
  if (!isObject(item)) return item;
  const values = amounts.flatMap((path) => {
    const value = valueAt(item, path);
    if (value === undefined || value === null) return [];
    const currency = currencyAt(item, path);
    return [
      [path, majorText(value, currency)],
      [currencyPath(path), currency === undefined ? null : (currencyCode(currency) ?? currency)],
    ] as const;
  });
  return { ...item, ...Object.fromEntries(values) };
}

/** An integer of the smallest unit in the major one, without its currency; any other value as it is. */
function majorText(value: unknown, currency: string | undefined): unknown {
  const text = amountText(value, currency ?? 'unknown');
  if (text === undefined) return value;
  return text.endsWith(UNIT_UNKNOWN) ? `${value} ${UNIT_UNKNOWN}` : text.slice(0, text.lastIndexOf(' '));
}
