import { isAmountMember } from '../text/amount-names.ts';
import { kebab } from './plain-text.ts';
import type { SchemaView, SchemaViews } from './schema-view.ts';

/**
 * What a value is for a person, where its schema says so without doubt: an integer of a currency's smallest unit, with the `currency`
 * next to it; a number of a currency's major unit; a time as RFC 3339 writes it, or as the seconds or milliseconds since 1970.
 */
export type ColumnKind = 'amount' | 'major-amount' | 'time' | 'seconds' | 'milliseconds';

/** The kinds of the members of these names that have one. */
export function columnKinds(
  names: readonly string[],
  { members }: Pick<SchemaView, 'members'>,
  views: SchemaViews,
): Readonly<Record<string, ColumnKind>> {
  const hasCurrency = members.has('currency') && isOnly(views.of(members.get('currency')), 'string');
  const kinds = names.flatMap((name) => {
    const view = views.of(members.get(name));
    const kind = amountKind(name, view, hasCurrency) ?? timeKind(name, view);
    return kind === undefined ? [] : [[name, kind] as const];
  });
  return Object.fromEntries(kinds);
}

function amountKind(name: string, view: SchemaView, hasCurrency: boolean): ColumnKind | undefined {
  if (!hasCurrency || !isAmountMember(name)) return undefined;
  if (isOnly(view, 'integer')) return 'amount';
  return view.types.has('number') ? 'major-amount' : undefined;
}

/** Formats that documents use for the time of Unix. */
const UNIX_FORMAT =
  /^(?:unix|epoch|posix)(?:[-_ ]?(?:time|timestamp|date|epoch|s|sec|seconds|ms|millis|milliseconds))*$/i;
const UNIX_TEXT = /\bepoch\b|\b(?:unix|posix)[- ]?time|\bsince\b.{1,30}\b1970\b/i;
const MILLISECONDS = /\bms\b|\bmillis/i;
/** Names of times, not of spans of time. */
const TIME =
  /(?:^|-)(?:at|timestamp)$|^(?:created|updated|modified|expires|deleted|canceled|cancelled)(?:-(?:on|date|time))?$/;

function timeKind(name: string, view: SchemaView): ColumnKind | undefined {
  const { format = '', description = '' } = view;
  if (isOnly(view, 'string') && format === 'date-time') return 'time';
  if (!isOnly(view, 'integer')) return undefined;
  const isUnix = UNIX_FORMAT.test(format) || UNIX_TEXT.test(description);
  if (!isUnix && !(format === 'int64' && TIME.test(kebab(name)))) return undefined;
  return MILLISECONDS.test(`${format} ${description}`) || /(?:ms|millis)$/i.test(format)
    ? 'milliseconds'
    : 'seconds';
}

function isOnly({ types }: SchemaView, type: string): boolean {
  return types.size === 1 && types.has(type);
}
