import { randomUUID } from 'node:crypto';
import type { Moved } from '../../../cli/money/limits.ts';
import type { Change } from '../../../cli/money/moved.ts';
import { stringifyRow, stringifyText } from '../../../json/exact.ts';
import { isObject } from '../../../json/is-object.ts';
import type { InputRow } from '../table/input-row.ts';
import { spreadsheetProblem } from '../table/spreadsheet-problem.ts';
import type { PlainTexts, RowCall } from '../target.ts';
import type { Column, Columns } from './columns.ts';
import { isPlainId, isScalable, type MoneyByShape, mayBeJson } from './money-by-shape.ts';

/** What a row sends, as JSON. */
export type RowTexts = {
  /** The cell that identifies it in messages, as it is written. */
  readonly key: string | undefined;
  readonly path: string;
  readonly query: string | undefined;
  readonly body: string | undefined;
  /** What identifies the record that it changes; undefined for a row that creates one of its own. */
  readonly record: string | undefined;
};

/** A row that was checked in full. */
export type CheckedInput = {
  readonly input: InputRow;
  readonly call: RowCall;
  readonly change: Change;
  readonly texts: RowTexts;
};

type Parts = {
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
  readonly #parts: Parts;
  /** Takes the place of a cell; no table can contain it. */
  readonly #mark = randomUUID();
  #columns: readonly string[] | undefined;
  #uses: readonly Use[] = [];
  /** By the cells that have a value. */
  readonly #groups = new Map<number, Group>();
  #size = 0;
  /** The cells of the present row as JSON; used again and again. */
  readonly #sent: string[] = [];

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The texts of a row and what it moves; undefined for a row that has to be checked in full. */
  fill({ columns, values }: InputRow): { readonly texts: RowTexts; readonly moved: Moved } | undefined {
    if (columns !== this.#columns || columns.length !== this.#parts.names.length) return undefined;
    const group = this.#groups.get(this.#cellsIn(values));
    const template = group?.templates.get(keyOf(group, values));
    if (!group || !template) return undefined;
    const number = group.scaled === undefined ? template.number : Number(values[group.scaled]);
    if (group.scaled !== undefined && !isScalable(number)) return undefined;
    const money = this.#parts.money.ofShape({ text: template.shape, number });
    // What an earlier row moves was accepted, and this one only moves more or less of it.
    return money && { texts: this.#fill(template, values), moved: money.moved };
  }

  /** Keeps what later rows have in common with a row that was checked in full. */
  learn(row: CheckedInput): void {
    const { input, call, change, texts } = row;
    const { columns, names, money } = this.#parts;
    if (!call.isPlain || this.#size === MOST_TEMPLATES || input.columns.length !== names.length) return;
    if (!this.#columns) {
      this.#columns = input.columns;
      this.#uses = input.columns.map((name) => useOf(columns.find(name)));
    }
    const cells = input.columns === this.#columns ? this.#cellsIn(input.values) : NOT_PLAIN;
    const shape = cells === NOT_PLAIN ? undefined : money.shapeOf(change);
    if (!shape) return;
    const group = this.#groups.get(cells) ?? this.#groupOf(row, shape.text);
    const key = keyOf(group, input.values);
    if (
      group.templates.has(key) ||
      (group.scaled !== undefined && !isScalable(Number(input.values[group.scaled])))
    )
      return;
    const marked = { path: call.path as unknown, body: call.body };
    for (const [{ part, names: place }, index] of this.#plainIn(input.values))
      marked[part] = withValue(marked[part], place, `${this.#mark}${index}`);
    const { pathParameters } = change.call.operation;
    const path = isObject(marked.path) ? marked.path : {};
    const template = {
      shape: shape.text,
      number: shape.number,
      path: this.#textOf(path),
      query: texts.query,
      body: call.body === undefined ? undefined : this.#textOf(marked.body),
      record: texts.record === undefined ? undefined : this.#textOf(pathParameters.map((name) => path[name])),
    };
    const again = this.#fill(template, input.values);
    const isSame = (['key', 'path', 'body', 'record'] as const).every((name) => again[name] === texts[name]);
    if (!isSame) return;
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
    const { money } = this.#parts;
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

  #textOf(marked: unknown): Text {
    const pieces = stringifyRow(marked).split(`"${this.#mark}`);
    const [first = '', ...others] = pieces;
    const ends = others.map((piece) => piece.indexOf('"'));
    return {
      first,
      cells: others.map((piece, index) => Number(piece.slice(0, ends[index]))),
      others: others.map((piece, index) => piece.slice((ends[index] ?? 0) + 1)),
    };
  }

  #fill({ path, query, body, record }: Template, values: readonly unknown[]): RowTexts {
    const uses = this.#uses;
    const sent = this.#sent;
    let key: string | undefined;
    for (let index = 0; index < uses.length; index += 1) {
      const [value, use] = [values[index], uses[index]];
      if (typeof value !== 'string' || !use) continue;
      if (use.isKey) key = value;
      if (use.plain) sent[index] = use.plain.isNumber ? value : stringifyText(value);
    }
    return {
      key,
      path: filled(path, sent),
      query,
      body: body && filled(body, sent),
      record: record && filled(record, sent),
    };
  }
}

/** What a column is for. */
type Use = {
  readonly isKey: boolean;
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
  /** As `MoneyByShape` knows it. */
  readonly shape: string;
  readonly number: number | undefined;
  readonly path: Text;
  readonly query: string | undefined;
  readonly body: Text | undefined;
  readonly record: Text | undefined;
};

/** A text with cells in it: each of `cells` is followed by one of `others`. */
type Text = { readonly first: string; readonly cells: readonly number[]; readonly others: readonly string[] };

/** A few are enough for a table whose columns have few different currencies, or quantities. */
const MOST_TEMPLATES = 1000;
/** The most cells that are the bits of a number. */
const MOST_CELLS = 50;
const NOT_PLAIN = -1;

function useOf(column: Column | undefined): Use {
  const isKey = column?.use === 'key';
  const target = column && 'target' in column ? column.target : undefined;
  if (!target) return { isKey, plain: undefined, accepts: () => column !== undefined };
  const { plain, kind } = target;
  if (!plain || kind === 'other') return { isKey, plain: undefined, accepts: () => false };
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
  return { isKey, plain, accepts };
}

function keyOf({ speaking }: Group, values: readonly unknown[]): string {
  let key = '';
  // A cell has no NUL.
  for (const index of speaking) key += `${values[index]}\0`;
  return key;
}

/** A copy with this value in the place of another one. */
function withValue(holder: unknown, [name, ...below]: readonly string[], value: unknown): unknown {
  if (name === undefined || !isObject(holder)) return value;
  return { ...holder, [name]: withValue(holder[name], below, value) };
}

function filled({ first, cells, others }: Text, sent: readonly string[]): string {
  let text = first;
  for (let index = 0; index < cells.length; index += 1)
    text += sent[cells[index] ?? 0] + (others[index] ?? '');
  return text;
}
