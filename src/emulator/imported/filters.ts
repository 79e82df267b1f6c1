import { namedTime, timeMember } from '../../descriptions/time-filters.ts';
import { own } from '../../json/is-object.ts';
import { oncePerObject } from '../../schemas/memoize.ts';
import { memberNamed } from '../../schemas/values/names.ts';
import type { Filter } from '../store/keyset.ts';
import type { Prepared, PreparedSchema } from './prepared.ts';

/** A condition on a member of the records. */
export type MemberFilter = Filter & {
  /** The compared expression, in SQL without values, so that an index can contain it; undefined if none can. */
  readonly expression?: string;
  /** Whether the condition is equality with one value. */
  readonly isExact: boolean;
};

const OPERATORS: Readonly<Record<string, string>> = { gte: '>=', lte: '<=', gt: '>', lt: '<' };

/**
 * The conditions of the parameters whose name is a member, or a member and `_gte`, `_lte`, `_gt` or `_lt`; the last two also in
 * brackets: `created[gte]`, `filter[status]`, `filter[created][gte]`; or a member and a key in it: `metadata[order]`. The times of the creation and of the last change are also
 * compared by other names, such as `updated_since` and `modified[after]`. A name may be written in another way than that of the member
 * (`createdAt`), or end with `<` or `>`. The `others` are not filters.
 */
export function filtersOf(
  values: Readonly<Record<string, unknown>>,
  { schema, prepared, others }: { schema: PreparedSchema; prepared: Prepared; others: ReadonlySet<string> },
): readonly MemberFilter[] {
  return Object.entries(values).flatMap(([name, value]): MemberFilter[] => {
    if (others.has(name) || value === undefined) return [];
    const given = [value].flat().map(String);
    const { query } = prepared.operation;
    const { type } = own(query, name) ?? own(query, name.replace(/\[.*/s, '')) ?? {};
    const plain = name.replace(/[<>]$/, (sign) => (sign === '<' ? '_lte' : '_gte'));
    const words = /^[^[\]]+(?:\[[^[\]]+\]){0,2}$/.test(plain) ? plain.replaceAll(']', '').split('[') : [];
    const [first = '', key = ''] = words;
    const holder = words.length === 2 && !own(OPERATORS, key) && memberNamed(schema.members, first);
    if (holder && schema.shapeAt(holder).types?.has('object')) return [holds(holder, key, given)];
    const equal = memberNamed(schema.members, words.at(-1) ?? '');
    if (equal !== undefined) return [equals(equal, given, type)];
    const [, start = '', suffix = ''] = /^(.+)_(gte|lte|gt|lt)$/.exec(words.slice(-2).join('_')) ?? [];
    const member = memberNamed(schema.members, start);
    const compared = { schema, type, value: given[0] };
    if (member !== undefined) return [range(member, suffix, compared)];
    const { event, operator } = namedTime(name) ?? {};
    const time = event && timeMembersOf(schema)[event];
    return time === undefined || operator === undefined ? [] : [range(time, operator, compared)];
  });
}

/** The members with the times of the creation and of the last change; undefined where the records have none. */
export const timeMembersOf = oncePerObject(({ members }: PreparedSchema) => ({
  created: timeMember(members.keys(), 'created'),
  updated: timeMember(members.keys(), 'updated'),
}));

type Compared = { schema: PreparedSchema; type: string | undefined; value: string | undefined };

/** Compares numbers, or times. On either side, a time may be a text or the seconds since 1970. `type` is that of the parameter. */
function range(member: string, suffix: string, { schema, type, value = '' }: Compared): MemberFilter {
  const { types, format } = schema.shapeAt(member);
  const isNumeric = type === 'integer' || type === 'number';
  const isText = types === undefined ? !isNumeric : types.has('string');
  const isTime = format === 'date-time' || namedTime(member)?.event !== undefined;
  const left = isText && (isTime || !isNumeric) ? momentOf(read(member)) : `CAST(${read(member)} AS REAL)`;
  const right = isNumeric || /^-?[\d.]+$/.test(value) ? 'CAST(? AS REAL)' : "unixepoch(?, 'subsec')";
  const sql = `${left} ${OPERATORS[suffix]} ${right}`;
  return { sql, values: [value], expression: left, isExact: false };
}

/** Compares a member as text, as a query writes it. `type` is that of the parameter. */
function equals(name: string, given: readonly string[], type: string | undefined): MemberFilter {
  // SQLite reads true and false as 1 and 0.
  const values = type === 'boolean' ? given.map((value) => (value === 'true' ? '1' : '0')) : given;
  const expression = textIn(name);
  const isExact = values.length === 1;
  const sql = isExact ? `${expression} = ?` : `${expression} IN (${values.map(() => '?').join()})`;
  return { sql, values, expression, isExact };
}

/** Compares what a member has at a key, which the request names, as text. */
function holds(name: string, key: string, given: readonly string[]): MemberFilter {
  const at = `json_each(document, ${literal(`$.${JSON.stringify(name)}`)})`;
  const sql = `EXISTS (SELECT 1 FROM ${at} WHERE key = ? AND CAST(value AS TEXT) IN (${given.map(() => '?').join()}))`;
  return { sql, values: [key, ...given], isExact: false };
}

/** Compares only texts that look like dates: SQLite also accepts `now`, which an index cannot contain. */
function momentOf(text: string): string {
  return `CASE WHEN ${text} GLOB '[0-9][0-9][0-9][0-9]-*' THEN unixepoch(${text}, 'subsec') END`;
}

/** The text of a member, in SQL. */
export function textIn(member: string): string {
  return `CAST(${read(member)} AS TEXT)`;
}

function read(member: string): string {
  return `document ->> ${literal(`$.${JSON.stringify(member)}`)}`;
}

/** Quotes a text for SQL, without NUL, which would end the statement. */
export function literal(text: string): string {
  return `'${text.replaceAll('\0', '').replaceAll("'", "''")}'`;
}
