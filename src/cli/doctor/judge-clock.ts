import { fault, ok, type Verdict, warning } from './finding.ts';
import { timeSpan } from './time-span.ts';

/** When a request left and how long its answer took, both by this machine. */
export type Exchange = {
  /** Milliseconds since 1970. */
  readonly sentAt: number;
  readonly milliseconds: number;
  /** Of the answer; lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
};

const GOOD_SECONDS = 5;
const BEARABLE_SECONDS = 60;
/** How long a token that payctl signs is valid. */
const LIFETIME_SECONDS = 300;

const SET_CLOCK: Readonly<Record<string, string>> = {
  darwin: 'Set the clock of this machine: sudo sntp -sS time.apple.com',
  linux: 'Set the clock of this machine: sudo timedatectl set-ntp true',
  win32: 'Set the clock of this machine: w32tm /resync',
};

/**
 * Seconds that this machine's clock is ahead of the service's, negative when it is behind; undefined without a usable
 * `Date` header. The header tells whole seconds, and is taken for the middle of its second and of the round trip.
 */
export function clockSkew({ sentAt, milliseconds, headers }: Exchange): number | undefined {
  const { date = '', age = '' } = headers;
  // Date.parse takes almost anything for a date; this is how all three forms of RFC 9110 begin.
  const told = /^[A-Za-z]{3,9},? /.test(date) ? Date.parse(date) : Number.NaN;
  if (Number.isNaN(told)) return undefined;
  // A cache answers with the date of the original answer and how many seconds ago that was.
  const stored = /^\d{1,9}$/.test(age) ? Number(age) * 1000 : 0;
  return (sentAt + milliseconds / 2 - (told + stored + 500)) / 1000;
}

/** Judges the seconds that this machine's clock is ahead of the service's: good to 5 s, bearable to a minute. */
export function judgeClock(skewSeconds: number, platform: string = process.platform): Verdict {
  const seconds = Math.abs(skewSeconds);
  const isAhead = skewSeconds > 0;
  const facts = { skew_seconds: Math.round(skewSeconds) || 0 };
  if (seconds < 1.5) return ok('agrees with the service', facts);
  const skew = `${timeSpan(seconds)} ${isAhead ? 'ahead of' : 'behind'} the service`;
  if (seconds <= GOOD_SECONDS) return ok(skew, facts);
  const remedy = SET_CLOCK[platform] ?? 'Set the clock of this machine.';
  if (seconds <= BEARABLE_SECONDS) {
    return warning(`${skew}: tokens signed here may be refused`, remedy, facts);
  }
  return fault(`${skew}: ${consequence(isAhead, seconds)}`, remedy, facts);
}

function consequence(isAhead: boolean, seconds: number): string {
  if (isAhead) return 'tokens signed here are not valid yet for it';
  return seconds >= LIFETIME_SECONDS
    ? 'tokens signed here have expired for it before they arrive'
    : 'tokens signed here expire too early for it';
}
