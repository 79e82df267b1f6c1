import { findJsonError, JsonInputError, parseJsonInput, placeAt } from '../../../json/input.ts';
import { isObject } from '../../../json/is-object.ts';
import { DocumentSplitter } from '../../../json/split-documents.ts';
import { LineSplitter, type Piece, type PieceSplitter } from '../../../json/split-lines.ts';
import { notUtf8 } from './csv-rows.ts';
import {
  LONGEST_CELL,
  LONGEST_ROW,
  MOST_COLUMNS,
  type RowItem,
  type RowProblemCode,
  shown,
} from './input-row.ts';

/** Reads JSON objects as rows: one on each line, or the elements of an array. */
export class JsonRows {
  readonly splitter: PieceSplitter;
  /** Each object has columns of its own. */
  readonly columns = undefined;
  /** Whether no further rows can be read. */
  isOver = false;
  /** The columns of the last object: most have the same, and share them. */
  #columns: readonly string[] = [];

  constructor(isArray: boolean) {
    this.splitter = isArray ? new DocumentSplitter(LONGEST_ROW) : new LineSplitter(LONGEST_ROW);
  }

  /** Adds the row or the problems of a line or an element. */
  take({ text, place: line }: Piece, items: RowItem[]): void {
    const { kind } = this.splitter;
    const add = (code: RowProblemCode, message: string) => {
      // An array with something in it that is not JSON is no array: where the next element begins is a guess.
      const isEnd = code === 'not_utf8' || (code === 'not_json' && kind === 'element');
      items.push({ line, column: undefined, code, message, ...(isEnd && { isEnd }) });
    };
    if (text === undefined) {
      add('row_too_long', `The ${kind} is larger than 8 MiB.`);
    } else if (!this.splitter.isUtf8) {
      this.isOver = true;
      add('not_utf8', notUtf8());
    } else if (text === '') {
      add('not_json', 'The array has no closing bracket: the file may have been cut off.');
    } else {
      const value = parse(text);
      if (value instanceof JsonInputError) add('not_json', this.#parseMessage(text, value));
      else if (isObject(value)) this.#takeObject(value, text, line, items);
      else add('not_an_object', `The ${kind} is not a JSON object.`);
    }
  }

  #parseMessage(text: string, error: JsonInputError): string {
    const { kind } = this.splitter;
    const found = findJsonError(text);
    if (!found) return `The ${kind} ${error.message}.`;
    const { line, column } = placeAt(text, found.index);
    const at = line === 1 ? `at column ${column}` : `at line ${line} of the element, column ${column}`;
    const hint = kind === 'line' ? ' Each line must be one object, as jq -c writes it.' : '';
    return `The ${kind} is not JSON: expected ${found.expected} ${at}.${hint}`;
  }

  #takeObject(object: Record<string, unknown>, text: string, line: number, items: RowItem[]): void {
    const columns: string[] = [];
    const values: unknown[] = [];
    this.#addMembers(object, '', columns, values);
    if (columns.length > MOST_COLUMNS) {
      const message = `The ${this.splitter.kind} has more than ${MOST_COLUMNS} fields.`;
      items.push({ line, column: undefined, code: 'too_many_columns', message });
      return;
    }
    const before = items.length;
    for (const path of text.includes('.') ? repeated(columns) : []) {
      const message = `Two fields have the path ${shown(path)}: one of the names contains a full stop.`;
      items.push({ line, column: path, code: 'duplicate_column', message });
    }
    if (text.length > LONGEST_CELL / 3) {
      for (const [index, value] of values.entries()) {
        if (typeof value !== 'string' || Buffer.byteLength(value) <= LONGEST_CELL) continue;
        const message = 'The text is larger than 1 MiB.';
        items.push({ line, column: columns[index], code: 'cell_too_long', message });
      }
    }
    if (items.length > before) return;
    if (!isSame(columns, this.#columns)) this.#columns = columns;
    items.push({ line, columns: this.#columns, values });
  }

  /** Adds the members of an object and of the objects in it, each by its path, in which a full stop of a name follows a backslash. An object without members is a value. */
  #addMembers(object: Record<string, unknown>, before: string, columns: string[], values: unknown[]): void {
    for (const name of Object.keys(object)) {
      const value = object[name];
      const path = before === '' ? name : before + name.replace(/[\\.[\]]/g, '\\$&');
      if (isObject(value) && Object.keys(value).length > 0) {
        this.#addMembers(value, `${path}.`, columns, values);
      } else {
        columns.push(path);
        values.push(value);
      }
    }
  }
}

function parse(text: string): unknown {
  try {
    return parseJsonInput(text);
  } catch (error) {
    if (error instanceof JsonInputError) return error;
    throw error;
  }
}

function repeated(names: readonly string[]): Set<string> {
  const seen = new Set<string>();
  return new Set(names.filter((name) => seen.size === seen.add(name).size));
}

function isSame(names: readonly string[], others: readonly string[]): boolean {
  return names.length === others.length && names.every((name, index) => name === others[index]);
}
