import { parseHttpDate } from '../../../client/http-date.ts';

/** How far the clock of the service is ahead of this machine's, in milliseconds: a value between the two. */
export type Offset = { readonly least: number; readonly most: number };

/**
 * The offset that the `Date` header of a response shows. The header has whole seconds, and was written between the two times, which are by
 * the clock of this machine. Undefined without the header.
 */
export function offsetBy(
  date: string | undefined,
  { sentMs, receivedMs }: { readonly sentMs: number; readonly receivedMs: number },
): Offset | undefined {
  const time = date === undefined ? undefined : parseHttpDate(date, receivedMs);
  return time === undefined ? undefined : { least: time - receivedMs, most: time + 1000 - sentMs };
}

/** Combines two offsets. The result is narrower, unless one of the clocks was changed between them. */
export function joined(known: Offset | undefined, next: Offset | undefined): Offset | undefined {
  if (!known || !next) return known ?? next;
  const least = Math.max(known.least, next.least);
  const most = Math.min(known.most, next.most);
  return least <= most
    ? { least, most }
    : { least: Math.min(known.least, next.least), most: Math.max(known.most, next.most) };
}

/** A time that lies between two values, in milliseconds since 1970. */
export type Moment = { readonly least: number; readonly most: number };

const WITH_ZONE =
  /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?<seconds>:\d\d(?:[.,](?<fraction>\d+))?)?(?:Z|[+-]\d\d:?\d\d)$/i;

/**
 * Parses a time in a record, with its precision: a service may truncate times to whole seconds. Undefined for a text without an offset from
 * UTC, and for other values.
 */
export function momentIn(value: unknown): Moment | undefined {
  if (typeof value === 'number') return momentOfNumber(value);
  const groups = typeof value === 'string' ? WITH_ZONE.exec(value)?.groups : undefined;
  if (!groups) return undefined;
  const time = Date.parse(String(value).replace(' ', 'T').replace(',', '.'));
  if (Number.isNaN(time)) return undefined;
  if (groups.seconds === undefined) return { least: time, most: time + 60_000 };
  // Zeros at the end of the fraction mean that the time was truncated.
  const digits = groups.fraction?.replace(/0+$/, '').length ?? 0;
  return { least: time, most: time + Math.max(1, 1000 / 10 ** digits) };
}

/** Seconds or milliseconds since 1970, in this century. */
function momentOfNumber(value: number): Moment | undefined {
  const milliseconds = value < 1e11 ? value * 1000 : value;
  if (!(milliseconds > 946_684_800_000 && milliseconds < 4e12)) return undefined;
  return { least: milliseconds, most: milliseconds + (milliseconds % 1000 === 0 ? 1000 : 1) };
}

const CREATED =
  /^(?:createdat|created|createtime|creationtime|createdtime|datecreated|createddate|creationdate|createdon|insertedat)$/;

/** When a record was created; undefined if it does not say. */
export function createdOf(record: Readonly<Record<string, unknown>>): Moment | undefined {
  for (const [name, value] of Object.entries(record)) {
    const moment = CREATED.test(name.toLowerCase().replace(/[^a-z]/g, '')) ? momentIn(value) : undefined;
    if (moment) return moment;
  }
  return undefined;
}
