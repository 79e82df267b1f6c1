import type { CheckoutSession } from '../contract/generated/types.ts';
import { formatDuration } from '../text/format.ts';
import type { Display } from './display.ts';

/** Says on stderr how long a checkout session still lives, or since when it does not. */
export function sayLifetime(
  display: Display,
  { expires_at: expiresAt }: CheckoutSession,
  now = new Date(),
): void {
  const end = Date.parse(expiresAt ?? '');
  if (Number.isNaN(end)) return;
  const left = end - now.getTime();
  const words = formatDuration(left);
  if (left > 0) display.info(`The session expires in ${words}.`);
  else display.warn('session_expired', `The session expired ${words} ago.`);
}
