import { compare as compareDecimals, type Decimal } from '../../json/decimal.ts';
import { plainNumber } from '../../json/exact.ts';
import { type Column, formatCell, readableCell, valueAt } from '../../output/columns.ts';
import { createListPage, type ListPage, type ListTail, type ListWriter } from '../../output/list-page.ts';
import { instantOf } from '../../text/zoned-times.ts';
import { type KnownColumns, resolveColumns } from './known-columns.ts';

/** What `--sort` asks for. */
export type SortOrder = { readonly column: Column; readonly isDescending: boolean };

/** Items that are sorted: as many are kept in memory, and no more text of theirs, in characters. */
const MOST_ITEMS = 100_000;
const MOST_TEXT = 2 ** 28;

/** Reads `--sort`: a column as --columns takes it, after a hyphen for the reverse. @throws UsageError `unknown_column` */
export function readSortOrder(text: string, known: KnownColumns): SortOrder | undefined {
  const isDescending = text.startsWith('-');
  const [column] = resolveColumns([isDescending ? text.slice(1) : text], known);
  return column && { column, isDescending };
}

/** Sorts a complete list of records by `--sort`. @throws UsageError `unknown_column` */
export function sortRecords<T extends object>(
  records: readonly T[],
  text: string,
  known: KnownColumns,
): readonly T[] {
  const order = readSortOrder(text, known);
  if (!order) return records;
  const rows = records.map((record) => ({ record, key: keyOf(record, order.column) }));
  return sortRows(rows, order.isDescending).map(({ record }) => record);
}

type SortingOptions = SortOrder & {
  /** Called once, with the number of items that are sorted, where there are too many for more. */
  readonly onFull: (count: number) => void;
  readonly mostItems?: number;
};

/** A writer that holds the pages back until the list ends, and gives them to another one as a single page of sorted items. */
export class SortingWriter implements ListWriter {
  readonly #writer: ListWriter;
  readonly #options: SortingOptions;
  #rows: Row[] = [];
  #length = 0;
  #first: ListPage | undefined;
  #last: ListPage | undefined;
  #isFull = false;

  constructor(writer: ListWriter, options: SortingOptions) {
    this.#writer = writer;
    this.#options = options;
  }

  async page(page: ListPage): Promise<void> {
    if (this.#isFull) return await this.#writer.page(page);
    const texts = page.texts();
    for (const [index, item] of page.items.entries()) {
      const text = texts[index] ?? '';
      this.#rows.push({ text, key: keyOf(item, this.#options.column) });
      this.#length += text.length;
    }
    this.#first ??= page;
    this.#last = page;
    const { mostItems = MOST_ITEMS, onFull } = this.#options;
    this.#isFull = this.#rows.length >= mostItems || this.#length >= MOST_TEXT;
    if (!this.#isFull) return;
    const { length } = this.#rows;
    await this.#writeSorted();
    onFull(length);
  }

  async end(tail: ListTail): Promise<void> {
    if (!this.#isFull && this.#last) await this.#writeSorted();
    await this.#writer.end(tail);
  }

  leftOut(): readonly Column[] {
    return this.#writer.leftOut?.() ?? [];
  }

  /** One page of all items, between the first and the last page. */
  async #writeSorted(): Promise<void> {
    const sorted = sortRows(this.#rows, this.#options.isDescending);
    const previous = this.#first?.rest().find(({ key }) => key === 'previous_cursor');
    const rest = (this.#last?.rest() ?? []).map((member) =>
      member.key === 'previous_cursor' ? (previous ?? member) : member,
    );
    const members = rest.map(({ keyText, valueText }) => `,${keyText}:${valueText}`);
    const text = `{"items":[${sorted.map((row) => row.text).join(',')}]${members.join('')}}`;
    this.#rows = [];
    this.#first = undefined;
    await this.#writer.page(createListPage(text, sorted));
  }
}

type Row = { readonly text: string; readonly key: Key };

/** What a value is compared by; values of different kinds are in the order of these, and what is missing is last. */
type Key =
  | ({ readonly kind: 0 } & Decimal)
  | { readonly kind: 1; readonly at: number; readonly text: string }
  | { readonly kind: 2; readonly text: string }
  | { readonly kind: 3 };

/** Not by the language of the machine; digits as numbers. */
const order = new Intl.Collator('en', { numeric: true });

function sortRows<T extends { readonly key: Key }>(rows: readonly T[], isDescending: boolean): readonly T[] {
  const direction = isDescending ? -1 : 1;
  return rows.toSorted(({ key: one }, { key: other }) => {
    if (one.kind === 3 || other.kind === 3) return one.kind - other.kind;
    return direction * compare(one, other);
  });
}

function compare(one: Key, other: Key): number {
  if (one.kind === 0 && other.kind === 0) return compareDecimals(one, other);
  if (one.kind === 1 && other.kind === 1) return one.at - other.at || order.compare(one.text, other.text);
  if (one.kind === 2 && other.kind === 2) return order.compare(one.text, other.text);
  return one.kind - other.kind;
}

/** What a table makes of several values is compared as it is shown: an amount by its major unit, a path without its host. */
function keyOf(item: unknown, column: Column): Key {
  const value = column.cell ? column.cell(item) : valueAt(item, column.path);
  if (value === null || value === undefined || value === '') return { kind: 3 };
  if (typeof value === 'string') return keyOfText(value);
  if (typeof value === 'boolean') return { kind: 0, units: value ? 1n : 0n, places: 0 };
  const isNumber = plainNumber(value) !== undefined;
  return isNumber ? keyOfText(formatCell(value)) : { kind: 2, text: readableCell(value) };
}

/** A number, perhaps with a currency; so long that computing with it takes no time worth mentioning. */
const NUMBER = /^(-?\d{1,100})(?:\.(\d{1,100}))?(?:e([+-]?\d{1,3}))?(?: [A-Z]{3}(?: \(unit unknown\))?)?$/i;
const SHOWN_TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/i;
/** The end of a month, as cards have it. */
const MONTH = /^(0[1-9]|1[0-2])\/(\d\d|\d{4})$/;

function keyOfText(text: string): Key {
  const [, whole, fraction = '', exponent = '0'] = NUMBER.exec(text) ?? [];
  if (whole !== undefined) {
    return { kind: 0, units: BigInt(whole + fraction), places: fraction.length - Number(exponent) };
  }
  const [, month = '', year] = MONTH.exec(text) ?? [];
  if (year !== undefined) return { kind: 2, text: `${year.padStart(4, '20')}-${month}` };
  const at = SHOWN_TIME.test(text) ? Date.parse(text) : (instantOf(text) ?? Number.NaN);
  return Number.isNaN(at) ? { kind: 2, text } : { kind: 1, at, text };
}
