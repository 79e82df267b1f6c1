import { plainName } from '../../../contract/operation.ts';
import { UsageError } from '../../../errors.ts';
import { listValues, quote } from '../../../text/format.ts';
import { shellQuote } from '../../../text/shell.ts';
import { suggest } from '../../../text/suggest.ts';
import type { Target, TargetColumn } from '../target.ts';

/** What a column of the input is for. */
export type Column =
  | { readonly use: 'key' }
  /** Names the currency of the row; where the body has such a field, it is also set. */
  | { readonly use: 'currency'; readonly target: TargetColumn | undefined }
  | { readonly use: 'target'; readonly target: TargetColumn }
  | { readonly use: 'ignored' };

/** How columns are named. */
export type ColumnOptions = {
  /** The column with the key of a row; by default `row_key`. */
  readonly key: string | undefined;
  /** The new names of renamed columns, by their names in the input. */
  readonly renamed: ReadonlyMap<string, string>;
  readonly ignored: ReadonlySet<string>;
};

/** The columns of an input, each looked up once. */
export class Columns {
  readonly #target: Target;
  readonly #options: ColumnOptions;
  readonly #known = new Map<string, Column | undefined>();

  constructor(target: Target, options: ColumnOptions) {
    this.#target = target;
    this.#options = options;
  }

  /** The column of this name; undefined for an unknown one. @throws UsageError as `Target.column` */
  find(name: string): Column | undefined {
    if (this.#known.has(name)) return this.#known.get(name);
    const column = this.#lookUp(name);
    this.#known.set(name, column);
    return column;
  }

  /** @throws UsageError `unknown_column`, which names all unknown columns; `duplicate_column` */
  requireKnown(names: readonly string[]): void {
    const unknown = names.filter((name) => this.find(name) === undefined);
    if (unknown.length > 0) throw this.unknownColumn(unknown);
    const duplicate = this.duplicateColumn(names);
    if (duplicate) throw duplicate;
  }

  /** The error for unknown columns. */
  unknownColumn(unknown: readonly string[]): UsageError {
    const [first = ''] = unknown;
    const meant = suggest(first, this.#target.columnNames);
    const rename =
      meant === undefined
        ? 'To use a column under another name: --map NAME=COLUMN.'
        : `Did you mean ${meant}? Use it under this name: --map ${shellQuote(`${meant}=${first}`)}.`;
    const words = unknown.length === 1 ? 'column' : 'columns';
    return new UsageError(
      'unknown_column',
      `payctl ${this.#target.command} has no ${words} ${listValues(unknown.map(quote))}`,
      { hint: `${rename} To ignore a column: --ignore-column NAME` },
    );
  }

  #lookUp(name: string): Column | undefined {
    const { key, renamed, ignored } = this.#options;
    if (ignored.has(name)) return { use: 'ignored' };
    if (key === undefined ? plainName(name) === 'rowkey' : name === key) return { use: 'key' };
    const meant = renamed.get(name) ?? name;
    const target = this.#target.column(meant);
    if (plainName(meant) === 'currency') return { use: 'currency', target };
    return target && { use: 'target', target };
  }

  /** The error for two columns of a row that set the same value, or of which one sets a part of what the other sets; undefined without such. */
  duplicateColumn(names: readonly string[]): UsageError | undefined {
    const places = new Map<string, string>();
    const error = (one: string, other: string) =>
      new UsageError('duplicate_column', `The columns ${quote(one)} and ${quote(other)} set the same value`, {
        hint: `To ignore one of them: --ignore-column ${shellQuote(other)}`,
      });
    for (const name of new Set(names)) {
      const column = this.find(name);
      if (!column || column.use === 'ignored') continue;
      const place = 'target' in column && column.target ? column.target.sets : column.use;
      const before = places.get(place);
      if (before !== undefined) return error(before, name);
      places.set(place, name);
    }
    for (const [place, name] of places) {
      for (let end = place.lastIndexOf('/'); end > 0; end = place.lastIndexOf('/', end - 1)) {
        const whole = places.get(place.slice(0, end));
        if (whole !== undefined) return error(whole, name);
      }
    }
    return undefined;
  }
}
