import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Moved } from '../../../cli/money/limits.ts';
import type { Money } from '../../../cli/money/minor-units.ts';
import type { Change } from '../../../cli/money/moved.ts';
import { stringifyRow, stringifyText } from '../../../json/exact.ts';
import { isObject } from '../../../json/is-object.ts';
import { tokensOf, unquote } from '../../../json/scan.ts';
import { comparableId } from '../../../text/format.ts';
import { Fingerprint } from '../../../text/seen-hashes.ts';
import type { InputRow } from '../table/input-row.ts';
import { spreadsheetProblem } from '../table/spreadsheet-problem.ts';
import type { PlainTexts, RowCall } from '../target.ts';
import type { Column, Columns } from './columns.ts';
import { isPlainId, isScalable, type MoneyByShape, mayBeJson, times } from './money-by-shape.ts';

/** What a row sends, as JSON. */
export type RowTexts = {
  readonly path: string;
  readonly query: string | undefined;
  readonly body: string | undefined;
};

/** A valid row: what it sends and, as far as that shows, what it moves. */
export type RowRequest = {
  /** The cell that identifies it in messages, as it is written. */
  readonly key: string | undefined;
  /** What identifies its request among all rows, and the record that it changes; undefined for a row that creates one of its own. */
  readonly request: Fingerprint;
  readonly record: Fingerprint | undefined;
  /** Makes the texts: the checks of most rows do not need them. */
  readonly texts: () => RowTexts;
};

/** What a row moves. */
export type RowMoney = {
  readonly amounts: readonly Money[];
  readonly isOpen: boolean;
  readonly isUnknown: boolean;
};

/** The same of a row as of its change. */
export function moneyOf(moved: Moved): RowMoney {
  if ('unknown' in moved) return { amounts: [], isOpen: false, isUnknown: true };
  return { amounts: moved.amounts, isOpen: moved.isOpen, isUnknown: false };
}

/** A row that was checked in full. */
export type CheckedInput = {
  readonly input: InputRow;
  readonly call: RowCall;
  readonly change: Change;
  readonly row: RowRequest;
};

/** What is the same for two rows that send the same request. */
export function requestText({ path, query = 'null', body = 'null' }: RowTexts): string {
  return `[${path},${query},${body}]`;
}

/** What identifies JSON among all rows, as `RowRequest` has it. */
export function printOfJson(text: string): Fingerprint {
  return identityOf(tokensOf(text), () => undefined).fixed;
}

type RowTemplatesOptions = {
  readonly columns: Columns;
  /** As in `RowRules`. */
  readonly names: readonly string[];
  readonly money: MoneyByShape;
};

/**
 * Makes the texts of a row from those of an earlier one that was checked in full and differs from it only in values that are valid whatever the
 * rest of the row is. Any other row is checked in full, too: nothing here refuses a row.
 */
export class RowTemplates {
  readonly #options: RowTemplatesOptions;
  /** Takes the place of a cell; no table can contain it. */
  readonly #mark = randomUUID();
  #columns: readonly string[] | undefined;
  #uses: readonly Use[] = [];
  /** The column with the key of a row. */
  #key: number | undefined;
  /** By the cells that have a value. */
  readonly #groups = new Map<number, Group>();
  #size = 0;

  constructor(options: RowTemplatesOptions) {
    this.#options = options;
  }

  /** The request of a row and what it moves; undefined for a row that has to be checked in full. */
  fill({ columns, values }: InputRow): (RowRequest & RowMoney) | undefined {
    if (columns !== this.#columns || columns.length !== this.#options.names.length) return undefined;
    const group = this.#groups.get(this.#cellsIn(values));
    const template = group?.templates.get(keyOf(group, values));
    if (!group || !template) return undefined;
    if (group.scaled === undefined) return this.#fill(template, values, template.money);
    const number = Number(values[group.scaled]);
    if (!isScalable(number)) return undefined;
    // What an earlier row moves was accepted, and this one only moves more or less of it.
    return this.#fill(template, values, moneyOf(times(template.unit, number)));
  }

  /** Keeps what later rows have in common with a row that was checked in full. */
  learn(given: CheckedInput): void {
    const { input, call, change, row: checked } = given;
    const { columns, names, money } = this.#options;
    const { pathParameters, payments } = change.call.operation;
    // The same payment may be written in two ways.
    if (payments || !call.isPlain || this.#size === MOST_TEMPLATES || input.columns.length !== names.length)
      return;
    if (!this.#columns) {
      this.#columns = input.columns;
      this.#uses = input.columns.map((name) => useOf(columns.find(name)));
      const key = input.columns.findIndex((name) => columns.find(name)?.use === 'key');
      this.#key = key === -1 ? undefined : key;
    }
    const cells = input.columns === this.#columns ? this.#cellsIn(input.values) : NOT_PLAIN;
    const shape = cells === NOT_PLAIN ? undefined : money.shapeOf(change);
    if (!shape) return;
    const unit = money.unitOf(shape);
    if (!unit) return;
    const group = this.#groups.get(cells) ?? this.#groupOf(given, shape.text);
    const key = keyOf(group, input.values);
    if (
      group.templates.has(key) ||
      (group.scaled !== undefined && !isScalable(Number(input.values[group.scaled])))
    )
      return;
    const marked = { path: call.path as unknown, body: call.body };
    for (const [{ part, names: place }, index] of this.#plainIn(input.values))
      marked[part] = withValue(marked[part], place, `${this.#mark}${index}`);
    const path = isObject(marked.path) ? marked.path : {};
    const texts = {
      path: stringifyRow(path),
      query: checked.texts().query,
      body: call.body === undefined ? undefined : stringifyRow(marked.body),
    };
    const template = {
      unit,
      money: moneyOf(times(unit, shape.number)),
      path: this.#textOf(texts.path),
      query: texts.query,
      body: texts.body === undefined ? undefined : this.#textOf(texts.body),
      request: this.#identityOf(requestText(texts)),
      record: checked.record && this.#identityOf(stringifyRow(pathParameters.map((name) => path[name]))),
    };
    const seen = ({ key, request, record, texts }: RowRequest) => [key, request, record, texts()];
    const again = this.#fill(template, input.values, template.money);
    if (!isDeepStrictEqual(seen(again), seen(checked))) return;
    this.#groups.set(cells, group);
    group.templates.set(key, template);
    this.#size += 1;
  }

  /** The cells that have a value, as the bits of a number, if each of them is plain. */
  #cellsIn(values: readonly unknown[]): number {
    let cells = values.length > MOST_CELLS ? NOT_PLAIN : 0;
    for (let index = 0; index < values.length && cells !== NOT_PLAIN; index += 1) {
      const value = values[index];
      if (value === undefined) cells *= 2;
      else if (typeof value === 'string' && this.#uses[index]?.accepts(value)) cells = cells * 2 + 1;
      else cells = NOT_PLAIN;
    }
    return cells;
  }

  /** The columns that set something, of those that have a value. */
  #plainIn(values: readonly unknown[]): readonly (readonly [PlainTexts, index: number])[] {
    return this.#uses.flatMap(({ plain }, index) =>
      plain && values[index] !== undefined ? [[plain, index] as const] : [],
    );
  }

  /** Finds out which cells money depends on. */
  #groupOf({ input, change }: CheckedInput, shape: string): Group {
    const { money } = this.#options;
    const speaking: number[] = [];
    let scaled: number | undefined;
    for (const [{ part, names, isNumber }, index] of this.#plainIn(input.values)) {
      const shapeWith = (value: unknown) =>
        money.shapeOf({
          ...change,
          call: { ...change.call, [part]: withValue(change.call[part], names, value) },
        });
      const one = shapeWith(isNumber ? 2 : `${input.values[index]}1`);
      const isScaled = isNumber && one?.number === 2 && one.text === shapeWith(3)?.text;
      if (isScaled) scaled = index;
      else if (isNumber || one?.text !== shape) speaking.push(index);
    }
    return { speaking, scaled, templates: new Map() };
  }

  /** The cell whose mark a token is. */
  #cellOf(token: string): number | undefined {
    return token.startsWith(this.#mark, 1) ? Number(token.slice(1 + this.#mark.length, -1)) : undefined;
  }

  #identityOf(marked: string): Identity {
    return identityOf(tokensOf(marked), (token) => this.#cellOf(token));
  }

  #textOf(marked: string): Text {
    const parts = [''];
    const cells: number[] = [];
    for (const token of tokensOf(marked)) {
      const cell = this.#cellOf(token);
      if (cell === undefined) parts.push(`${parts.pop()}${token}`);
      else {
        cells.push(cell);
        parts.push('');
      }
    }
    return { cells, parts };
  }

  #fill(
    { path, query, body, request, record }: Template,
    values: readonly unknown[],
    { amounts, isOpen, isUnknown }: RowMoney,
  ): RowRequest & RowMoney {
    const uses = this.#uses;
    const key = this.#key === undefined ? undefined : values[this.#key];
    return {
      key: key === undefined ? undefined : String(key),
      request: printOf(request, uses, values),
      record: record && printOf(record, uses, values),
      ...{ amounts, isOpen, isUnknown },
      texts: () => {
        const sent = values.map((value, index) => {
          if (typeof value !== 'string') return '';
          return uses[index]?.plain?.isNumber ? value : stringifyText(value);
        });
        return { path: filled(path, sent), query, body: body && filled(body, sent) };
      },
    };
  }
}

/** What a column is for. */
type Use = {
  readonly plain: PlainTexts | undefined;
  /** Whether a text is plain: valid, and without an amount where none is looked for. */
  accepts(text: string): boolean;
};

/** Rows with values in the same cells. */
type Group = {
  /** The cells that say how amounts count, such as their currency. */
  readonly speaking: readonly number[];
  /** The cell of the amount. */
  readonly scaled: number | undefined;
  /** By the texts of these cells. */
  readonly templates: Map<string, Template>;
};

/** What rows have in common. */
type Template = {
  /** What its first row moves, and what a row with the amount 1 would move. */
  readonly money: RowMoney;
  readonly unit: Moved;
  readonly path: Text;
  readonly query: string | undefined;
  readonly body: Text | undefined;
  readonly request: Identity;
  readonly record: Identity | undefined;
};

/** A text with cells in it: each is between two of `parts`. */
type Text = { readonly cells: readonly number[]; readonly parts: readonly string[] };

/** What identifies a text with cells in it: the print of all other tokens, and the places of the cells among these. */
type Identity = {
  readonly fixed: Fingerprint;
  readonly cells: readonly { readonly cell: number; readonly place: number }[];
};

function identityOf(tokens: readonly string[], cellOf: (token: string) => number | undefined): Identity {
  const fixed = new Fingerprint();
  const cells: { readonly cell: number; readonly place: number }[] = [];
  for (const [place, token] of tokens.entries()) {
    const cell = cellOf(token);
    if (cell !== undefined) cells.push({ cell, place });
    else if (token.startsWith('"')) fixed.add(unquote(token), placeOfText(place));
    else fixed.add(token, place);
  }
  return { fixed, cells };
}

/** A text and a number are never the same token. */
const placeOfText = (place: number) => -place - 1;

function printOf({ fixed, cells }: Identity, uses: readonly Use[], values: readonly unknown[]): Fingerprint {
  const print = new Fingerprint(fixed);
  for (const { cell, place } of cells) {
    const value = String(values[cell]);
    const plain = uses[cell]?.plain;
    if (plain?.isNumber) print.add(value, place);
    else print.add(plain?.part === 'path' ? comparableId(value) : value, placeOfText(place));
  }
  return print;
}

/** A few are enough for a table whose columns have few different currencies, or quantities. */
const MOST_TEMPLATES = 1000;
/** The most cells that are the bits of a number. */
const MOST_CELLS = 50;
const NOT_PLAIN = -1;

function useOf(column: Column | undefined): Use {
  const target = column && 'target' in column ? column.target : undefined;
  if (!target) return { plain: undefined, accepts: () => column !== undefined };
  const { plain, kind } = target;
  if (!plain || kind === 'other') return { plain: undefined, accepts: () => false };
  const isSilent = (text: string) =>
    plain.isNumber || (plain.part === 'path' ? isPlainId(text) : !mayBeJson(text));
  // Many columns repeat their values.
  let last: string | undefined;
  const accepts = (text: string) => {
    if (text === last) return true;
    const isPlain = spreadsheetProblem(text, kind) === undefined && isSilent(text) && plain.accepts(text);
    if (isPlain) last = text;
    return isPlain;
  };
  return { plain, accepts };
}

function keyOf({ speaking }: Group, values: readonly unknown[]): string {
  let key = '';
  // A cell has no NUL.
  for (const index of speaking) key = key === '' ? String(values[index]) : `${key}\0${values[index]}`;
  return key;
}

/** A copy with this value in the place of another one. */
function withValue(holder: unknown, [name, ...below]: readonly string[], value: unknown): unknown {
  if (name === undefined || !isObject(holder)) return value;
  return { ...holder, [name]: withValue(holder[name], below, value) };
}

function filled({ cells, parts }: Text, sent: readonly string[]): string {
  let [text = ''] = parts;
  for (let index = 0; index < cells.length; index += 1)
    text += sent[cells[index] ?? 0] + (parts[index + 1] ?? '');
  return text;
}
