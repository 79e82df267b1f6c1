import { fields } from '../../contract/generated/fields.ts';
import { UsageError } from '../../errors.ts';
import { amountAt, currencyAt } from '../../output/amount.ts';
import { type Column, cellText, chooseColumns } from '../../output/columns.ts';
import { isAmountPath } from '../../text/amount-names.ts';
import { quote } from '../../text/format.ts';
import { shellQuote } from '../../text/shell.ts';
import { suggest } from '../../text/suggest.ts';
import { textOf, words } from './cells.ts';

/** What --columns of a command can name. */
export type KnownColumns = {
  /** The columns of its table; what --columns names instead of them where it is not given. */
  readonly columns: readonly Column[];
  /**
   * The operation whose fields its data have; without one, they are those of the columns and what is below them. With
   * neither, anything can be named.
   */
  readonly operation?: string | undefined;
  /** The fields of the data, where an imported description says what they are; with none, anything can be named. */
  readonly fields?: readonly string[] | undefined;
  /** Those of `fields` that are amounts in the major unit. */
  readonly majorFields?: readonly string[] | undefined;
  /** The operations whose fields are below these paths, for a document that is made of several. */
  readonly members?: Readonly<Record<string, string>> | undefined;
};

/** The command whose columns a profile chooses. */
export type ChosenFor = {
  readonly command: string;
  /** The profile that holds the choice; undefined while it is being made. */
  readonly profile?: string;
};

const MOST_SUGGESTIONS = 3;

/**
 * The columns that --columns or a profile asks for, each once: by dotted path, by `?path` for a field that the contract does not know, both
 * of which show values as they were sent except for amounts in tables, or by the header of a column of the table, which is then shown as
 * the table shows it. A name that is a header and a path is the header if the field is an object, in every format; `?path` is the object.
 * @throws UsageError `unknown_column`
 */
export function resolveColumns(
  asked: readonly string[],
  known: KnownColumns,
  chosenFor?: ChosenFor,
): readonly Column[] {
  const paths = knownPaths(known);
  const isOpen = known.fields ? known.fields.length === 0 : isUndescribed(known);
  const isKnown = (path: string) => isOpen || paths.some((pattern) => matches(pattern, anyElement(path)));
  const resolved = asked.flatMap((name): readonly Column[] => {
    if (name.startsWith('?') && name.length > 1) return [columnAt(name.slice(1), known)];
    const column = known.columns.find(({ header }) => plainHeader(header) === plainHeader(name));
    const isObject = paths.some((path) => path.startsWith(`${name}.`));
    if (isKnown(name) && !(column && isObject)) return [columnAt(name, known)];
    if (column) return [column];
    throw unknownColumn(name, nearest(name, paths, known.columns), chosenFor);
  });
  const isSame = (one: Column, other: Column) => one.path === other.path && one.header === other.header;
  return resolved.filter((column, at) => resolved.findIndex((other) => isSame(column, other)) === at);
}

/** The column of one field. An amount is in its currency, as in the table, where people read it. */
function columnAt(path: string, { columns, majorFields = [] }: KnownColumns): Column {
  const [column = { path, header: path }] = chooseColumns([path], columns);
  if (!isAmountPath(path)) return column;
  const plain: Column = { path, header: column.header };
  const isMajor = majorFields.includes(anyElement(path));
  const inMajorUnit = (item: unknown) => {
    const text = textOf(item, path);
    return text === '' ? '' : words(text, currencyAt(item, path) ?? '');
  };
  return {
    ...plain,
    format: 'number',
    parts: [path],
    isMajor,
    cell: isMajor ? inMajorUnit : (item) => amountAt(item, path) ?? cellText(item, plain),
  };
}

function isUndescribed({ operation, columns, members }: KnownColumns): boolean {
  return operation === undefined && columns.length === 0 && !members;
}

/** What --columns can name, one record each: the columns of the table first, with their headers, or the one that a field is a part of. */
export function columnRecords(known: KnownColumns): { readonly column: string; readonly header: string }[] {
  const whole = new Set(known.columns.filter(({ parts }) => !parts?.[1]).map(({ path }) => path));
  const ofTable = known.columns.flatMap(({ path, parts, header }) => {
    if (!parts?.[1]) return [{ column: path, header }];
    return parts
      .filter((column) => !whole.has(column))
      .map((column) => ({ column, header: `part of ${header}` }));
  });
  const listed = new Set(ofTable.map(({ column }) => column));
  const others = knownPaths(known).filter((path) => !listed.has(path) && !path.endsWith('.*'));
  return [...ofTable, ...others.map((column) => ({ column, header: '' }))];
}

function knownPaths({ columns, operation, fields: own, members }: KnownColumns): readonly string[] {
  if (own) return own;
  if (members) return Object.entries(members).flatMap(([path, id]) => pathsBelow(path, id));
  const described = operation === undefined ? undefined : fields[operation];
  return described ?? columns.flatMap(({ path }) => [path, `${path}.*`]);
}

/** `payment_methods`, `payment_methods.0` and what is below it. */
function pathsBelow(path: string, operation: string): readonly string[] {
  const below = (fields[operation] ?? []).map((field) => `${path}.${field}`);
  return [...new Set([path.replace(/\.0$/, ''), path, ...below])];
}

function matches(pattern: string, path: string): boolean {
  return pattern === path || (pattern.endsWith('.*') && path.startsWith(pattern.slice(0, -1)));
}

function anyElement(path: string): string {
  return path.replace(/\.\d+(?=\.|$)/g, '.0');
}

function plainHeader(text: string): string {
  return text.toUpperCase().replaceAll(/[-_]/g, ' ');
}

function unknownColumn(name: string, near: readonly string[], chosenFor: ChosenFor | undefined): UsageError {
  const meant = near.length === 0 ? '' : `Did you mean ${near.join(' or ')}? `;
  const { command, profile } = chosenFor ?? {};
  if (command === undefined) {
    return new UsageError('unknown_column', `Unknown column ${quote(name)}`, {
      hint: `${meant}Use --columns without a value to list the columns, and ${quote(`?${name}`)} for a field that is not in the contract.`,
    });
  }
  if (profile === undefined) {
    return new UsageError('unknown_column', `Unknown column ${quote(name)} of ${command}`, {
      hint: `${meant}List the columns: payctl ${command} --columns`,
    });
  }
  return new UsageError(
    'unknown_column',
    `Unknown column ${quote(name)} of ${command} in the profile ${profile}`,
    {
      hint: `${meant}List the columns, then choose others with --columns or in the profile.`,
      tryNext: [
        `payctl ${command} --columns`,
        `payctl profiles set ${profile} --columns ${shellQuote(`${command}=COLUMNS`)}`,
      ],
    },
  );
}

/** The paths that are like the name: as a whole, in their last word or header, or because they contain it. */
function nearest(name: string, paths: readonly string[], columns: readonly Column[]): readonly string[] {
  const plain = paths.filter((path) => !path.endsWith('.*'));
  const lastWord = (path: string) => path.slice(path.lastIndexOf('.') + 1);
  const word = suggest(lastWord(name), new Set(plain.map(lastWord)));
  const header = suggest(
    plainHeader(name),
    columns.map((column) => column.header),
  );
  const found = [
    suggest(name, plain),
    ...columns.filter((column) => column.header === header).map(({ path }) => path),
    ...plain.filter((path) => lastWord(path) === word),
    ...plain.filter((path) => lastWord(path).includes(lastWord(name.toLowerCase()))),
  ];
  return [...new Set(found.filter((path) => path !== undefined))].slice(0, MOST_SUGGESTIONS);
}
