import type { SchemaView } from '../schemas/schema-view.ts';
import { currencyPath, isAmountMember, MINOR_UNIT, snake, VALUES } from '../text/amount-names.ts';
import { instantOf } from '../text/zoned-times.ts';
import { kebab } from './plain-text.ts';

/**
 * What a value is for a person, where its schema says so without doubt: an integer of a currency's smallest unit, with the `currency`
 * next to it; a number of a currency's major unit; a time as RFC 3339 or RFC 2822 writes it, or as the seconds or milliseconds since 1970.
 */
export type ColumnKind = 'amount' | 'major-amount' | 'time' | 'seconds' | 'milliseconds';

/** The kinds of the members at these paths that have one. */
export function columnKinds(paths: readonly string[], top: SchemaView): Readonly<Record<string, ColumnKind>> {
  const kinds = paths.flatMap((path) => {
    const dot = path.indexOf('.');
    const isOwn = dot === -1 || top.members.has(path);
    const owner = isOwn ? top : top.viewOf(top.members.get(path.slice(0, dot)));
    const name = isOwn ? path : path.slice(dot + 1);
    const view = top.viewOf(owner.members.get(name));
    const money = isOwn ? amountKind(name, { view, owner }) : moneyKind(owner)?.kind;
    const kind = money ?? timeKind(name, view);
    return kind === undefined ? [] : [[path, kind] as const];
  });
  return Object.fromEntries(kinds);
}

function hasCurrency(amount: string, { members, viewOf }: SchemaView): boolean {
  const name = currencyPath(amount, members.keys());
  return name !== undefined && isOnly(viewOf(members.get(name)), 'string');
}

/** How many members an object has at most that is nothing but money. */
const MOST_OF_MONEY = 4;

/** The amount of an object of an amount and its currency; undefined for any other. A text is an amount of the major unit. */
export function moneyKind(
  object: SchemaView,
): { readonly name: string; readonly kind: ColumnKind } | undefined {
  const { members, viewOf } = object;
  const name = VALUES.find((value) => members.has(value));
  if (name === undefined || members.size > MOST_OF_MONEY || !hasCurrency(name, object)) return undefined;
  const view = viewOf(members.get(name));
  if (isOnly(view, 'integer')) return { name, kind: 'amount' };
  return isOnly(view, 'number') || isOnly(view, 'string') ? { name, kind: 'major-amount' } : undefined;
}

type Member = { readonly view: SchemaView; readonly owner: SchemaView };

function amountKind(name: string, { view, owner }: Member): ColumnKind | undefined {
  if (!isAmountMember(name) || !hasCurrency(name, owner)) return undefined;
  if (isOnly(view, 'integer')) return 'amount';
  if (!view.types.has('number')) return undefined;
  return MINOR_UNIT.test(snake(name)) ? 'amount' : 'major-amount';
}

/** Formats that documents use for the time of Unix. */
const UNIX_FORMAT =
  /^(?:unix|epoch|posix)(?:[-_ ]?(?:time|timestamp|date|epoch|s|sec|seconds|ms|millis|milliseconds))*$/i;
const UNIX_TEXT = /\bepoch\b|\b(?:unix|posix)[- ]?time|\bsince\b.{1,30}\b1970\b/i;
const MILLISECONDS = /\bms\b|\bmillis/i;
/** `date-time`, and the names that documents have for it. */
export const DATE_TIME = /(?:^|[-_])date[-_]?time(?:[-_]|$)/i;
/** Names of times, not of spans of time. */
const TIME =
  /(?:^|-)(?:at|timestamp)$|^(?:created|updated|modified|expires|deleted|canceled|cancelled)(?:-(?:on|date|time))?$|^(?:create|update)-time$/;

function timeKind(name: string, view: SchemaView): ColumnKind | undefined {
  const { format = '', examples, initial } = view;
  const example = examples[0] ?? initial;
  if (isOnly(view, 'string')) {
    const isTime = TIME.test(kebab(name)) && format === '';
    const isExample = typeof example === 'string' && instantOf(example) !== undefined;
    return DATE_TIME.test(format) || isTime || isExample ? 'time' : undefined;
  }
  if (!isOnly(view, 'integer')) return undefined;
  // Where the unit is another one, the value is no plausible time, and is shown as it is.
  return unixUnit(view) ?? (TIME.test(kebab(name)) ? unitOf(view) : undefined);
}

type TimeFacts = { readonly format?: string | undefined; readonly description?: string | undefined };

/** The unit of a time that counts from 1970, as its format or its description says; undefined where neither does. */
export function unixUnit({
  format = '',
  description = '',
}: TimeFacts): 'seconds' | 'milliseconds' | undefined {
  const isUnix = UNIX_FORMAT.test(format) || UNIX_TEXT.test(description);
  return isUnix ? unitOf({ format, description }) : undefined;
}

/** The unit of an integer that is a time. */
export function unitOf({ format = '', description = '' }: TimeFacts): 'seconds' | 'milliseconds' {
  const isMilliseconds = MILLISECONDS.test(`${format} ${description}`) || /(?:ms|millis)$/i.test(format);
  return isMilliseconds ? 'milliseconds' : 'seconds';
}

function isOnly({ types }: SchemaView, type: string): boolean {
  return types.size === 1 && types.has(type);
}
