import type { CheckoutSession } from '../contract/types.ts';
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
  const words = inWords(Math.abs(left));
  display.note(left > 0 ? `The session expires in ${words}.` : `The session expired ${words} ago.`);
}

function inWords(milliseconds: number): string {
  const minutes = Math.round(milliseconds / 60_000);
  if (minutes < 1) return 'less than a minute';
  if (minutes < 120) return `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`;
}
