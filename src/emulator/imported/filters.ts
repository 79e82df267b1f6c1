import { own } from '../../json/is-object.ts';
import type { Filter } from '../store/keyset.ts';
import type { Prepared, PreparedSchema } from './prepared.ts';

/** A condition on a member of the records. */
export type MemberFilter = Filter & {
  /** The compared expression, in SQL without values, so that an index can contain it. */
  readonly expression: string;
  /** Whether the condition is equality with one value. */
  readonly isExact: boolean;
};

const OPERATORS: Readonly<Record<string, string>> = { gte: '>=', lte: '<=', gt: '>', lt: '<' };

/**
 * The conditions of the parameters whose name is a member, or a member and `_gte`, `_lte`, `_gt` or `_lt`; the last two also in
 * brackets: `created[gte]`, `filter[status]`, `filter[created][gte]`.
 */
export function filtersOf(
  values: Readonly<Record<string, unknown>>,
  {
    schema,
    prepared,
    others,
  }: {
    readonly schema: PreparedSchema;
    readonly prepared: Prepared;
    /** Names of parameters that are not filters. */
    readonly others: ReadonlySet<string>;
  },
): readonly MemberFilter[] {
  return Object.entries(values).flatMap(([name, value]): MemberFilter[] => {
    if (others.has(name) || value === undefined) return [];
    const given = [value].flat().map(String);
    if (schema.members.has(name)) return [equals(name, given, { parameter: name, prepared })];
    const words = /^[^[\]]+(?:\[[^[\]]+\]){1,2}$/.test(name) ? name.replaceAll(']', '').split('[') : [];
    const [outer = '', inner = ''] = words.slice(-2);
    if (schema.members.has(inner)) return [equals(inner, given, { parameter: name, prepared })];
    const [, member = '', suffix = ''] =
      /^(.+)_(gte|lte|gt|lt)$/.exec(inner === '' ? name : `${outer}_${inner}`) ?? [];
    const operator = own(OPERATORS, suffix);
    if (operator === undefined || !schema.members.has(member)) return [];
    const { type } = own(prepared.operation.query, name) ?? {};
    const [left, right] = type === 'integer' || type === 'number' ? asNumbers(member) : asMoments(member);
    const sql = `${left} ${operator} ${right}`;
    return [{ sql, values: [String(given[0])], expression: left, isExact: false }];
  });
}

/** Compares a member as text, as a query writes it. */
function equals(
  name: string,
  given: readonly string[],
  { parameter, prepared }: { readonly parameter: string; readonly prepared: Prepared },
): MemberFilter {
  const isBoolean = own(prepared.operation.query, parameter)?.type === 'boolean';
  // SQLite reads true and false as 1 and 0.
  const values = isBoolean ? given.map((value) => (value === 'true' ? '1' : '0')) : given;
  const expression = `CAST(${read(name)} AS TEXT)`;
  const isExact = values.length === 1;
  const sql = isExact ? `${expression} = ?` : `${expression} IN (${values.map(() => '?').join()})`;
  return { sql, values, expression, isExact };
}

type Sides = readonly [left: string, right: string];

function asNumbers(member: string): Sides {
  return [`CAST(${read(member)} AS REAL)`, 'CAST(? AS REAL)'];
}

/** Compares only texts that look like dates: SQLite also accepts `now`, which an index cannot contain. */
function asMoments(member: string): Sides {
  const text = read(member);
  const moment = `CASE WHEN ${text} GLOB '[0-9][0-9][0-9][0-9]-*' THEN unixepoch(${text}, 'subsec') END`;
  return [moment, "unixepoch(?, 'subsec')"];
}

function read(member: string): string {
  return `document ->> ${literal(`$.${JSON.stringify(member)}`)}`;
}

/** Quotes a text for SQL, without NUL, which would end the statement. */
export function literal(text: string): string {
  return `'${text.replaceAll('\0', '').replaceAll("'", "''")}'`;
}
