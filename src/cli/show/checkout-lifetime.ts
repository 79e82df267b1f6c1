import type { CheckoutSession } from '../../contract/generated/types.ts';
import { formatDuration } from '../../text/format.ts';
import { momentIn } from '../../text/zoned-times.ts';
import type { Display } from './display.ts';

/** Beyond this a date says more than a number of days. */
const LONG_MS = 60 * 86_400_000;

/** Says on stderr how long a checkout session still lives, or since when it does not. */
export function printLifetime(
  display: Display,
  { expires_at: expiresAt }: CheckoutSession,
  now = new Date(),
): void {
  const end = Date.parse(expiresAt ?? '');
  if (Number.isNaN(end)) return;
  const left = end - now.getTime();
  const isLong = Math.abs(left) > LONG_MS;
  const words = formatDuration(left);
  const day = `on ${momentIn(display.stderrTerminal.times, end).slice(0, 10)}`;
  if (left > 0) display.info(`The session expires ${isLong ? day : `in ${words}`}.`);
  else display.warn('session_expired', `The session expired ${isLong ? day : `${words} ago`}.`);
}
