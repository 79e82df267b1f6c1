import type { Operation, QueryParameter } from '../contract/operation.ts';
import { DATE_TIME, unitOf, unixUnit } from './column-kinds.ts';
import { kebab } from './plain-text.ts';

/** A parameter that asks a list for the records that were created, or changed, at or after a time. */
export type TimeFilter = {
  readonly parameter: string;
  /** How the time is written: by RFC 3339, as a day in UTC (`2026-03-01`), or in seconds or milliseconds since 1970. */
  readonly format: 'date-time' | 'date' | 'seconds' | 'milliseconds';
  /** Whether the service may leave out records of exactly this time. */
  readonly isExclusive: boolean;
};

type Event = 'created' | 'updated';

/** The time of a record that a name stands for, and how a parameter of this name compares it. */
type NamedTime = { readonly event: Event | undefined; readonly operator: Operator | undefined };

type Operator = 'gte' | 'gt' | 'lte' | 'lt';

const EVENTS: Readonly<Record<Event, readonly string[]>> = {
  created: ['created', 'create', 'creation'],
  updated: ['updated', 'update', 'modified', 'modification', 'changed', 'change'],
};

const OPERATORS: Readonly<Record<Operator, readonly string[]>> = {
  gte: ['gte', 'ge', 'since', 'from', 'min', 'start', 'begin'],
  gt: ['gt', 'after'],
  lte: ['lte', 'le', 'to', 'until', 'max', 'end'],
  lt: ['lt', 'before'],
};

/** Words that do not change the meaning. With any other word a name stands for another time, such as `status_updated_at`. */
const OTHERS = ['filter', 'last', 'at', 'on', 'date', 'time', 'datetime', 'timestamp', 'utc'];

/** What a name such as `updated_at`, `modifiedAfter`, `filter[created][gte]` or `since` says; undefined where it names another thing. */
export function namedTime(name: string): NamedTime | undefined {
  const words = kebab(name).split('-').filter(Boolean);
  const known = <Key extends string>(table: Readonly<Record<Key, readonly string[]>>) =>
    (Object.keys(table) as Key[]).flatMap((key) =>
      words.filter((word) => table[key].includes(word)).map(() => key),
    );
  const [events, operators] = [known(EVENTS), known(OPERATORS)];
  const others = words.filter((word) => OTHERS.includes(word));
  if (events.length > 1 || operators.length > 1) return undefined;
  if (events.length + operators.length + others.length < words.length) return undefined;
  return { event: events[0], operator: operators[0] };
}

/** The first of some members of a record that holds the time of this event; undefined where none does. */
export function timeMember(names: Iterable<string>, event: Event): string | undefined {
  for (const name of names) {
    const named = namedTime(name);
    if (named?.event === event && named.operator === undefined) return name;
  }
  return undefined;
}

/**
 * The parameter of a list that asks for the records created, or changed, at or after a time; undefined where the description names none.
 * It is never one that asks for the time of the other event, or that does not say which time it asks for.
 */
export function timeFilterOf({ query }: Pick<Operation, 'query'>, event: Event): TimeFilter | undefined {
  const found = Object.entries(query).flatMap(([parameter, declared]): TimeFilter[] => {
    const named = namedTime(parameter);
    const format = formatOf(declared);
    if (!format || (named?.operator !== 'gte' && named?.operator !== 'gt')) return [];
    const inText = eventIn(declared.summary);
    const isMeant =
      named.event === undefined
        ? inText === event && isSurelyTime(parameter, declared)
        : named.event === event;
    if (!isMeant || (inText !== undefined && inText !== event)) return [];
    return [{ parameter, format, isExclusive: named.operator === 'gt' }];
  });
  const rank = ({ format, isExclusive }: TimeFilter) => (format === 'date' ? 2 : 0) + (isExclusive ? 1 : 0);
  return found.toSorted((a, b) => rank(a) - rank(b))[0];
}

/** The only event that a text mentions. */
function eventIn(text = ''): Event | undefined {
  const isUpdated = /\b(?:updat|modifi|chang)\w*/i.test(text);
  const isCreated = /\bcreat\w*/i.test(text);
  if (isUpdated === isCreated) return undefined;
  return isUpdated ? 'updated' : 'created';
}

/** Whether a parameter without an event in its name, such as `since` or `from`, takes a time and not an ID or a cursor. */
function isSurelyTime(name: string, { type, format, summary }: QueryParameter): boolean {
  const hasFormat = format === 'date' || (format !== undefined && DATE_TIME.test(format));
  const isCalledTime = type === 'string' && /date|time/i.test(name);
  return hasFormat || isCalledTime || unixUnit({ format, description: summary }) !== undefined;
}

const DIGITS = /^\^?(?:\[0-9\]|\\d)(?:[+*]|\{[\d,]+\})\$?$/;

function formatOf(parameter: QueryParameter): TimeFilter['format'] | undefined {
  const { type, format, pattern = '', summary: description, multiple, pairs } = parameter;
  if (multiple === true || pairs === true || parameter.enum !== undefined || type === 'boolean')
    return undefined;
  if (type !== 'string') return unitOf({ format, description });
  const unix = unixUnit({ format, description });
  if (unix || DIGITS.test(pattern)) return unix ?? unitOf({ format, description });
  if (format === 'date') return 'date';
  return format === undefined || DATE_TIME.test(format) ? 'date-time' : undefined;
}
