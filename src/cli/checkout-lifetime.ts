import type { CheckoutSession } from '../contract/types.ts';
import type { Display } from './display.ts';
import { inWords } from './duration-words.ts';

/** Says on stderr how long a checkout session still lives, or since when it does not. */
export function sayLifetime(
  display: Display,
  { expires_at: expiresAt }: CheckoutSession,
  now = new Date(),
): void {
  const end = Date.parse(expiresAt ?? '');
  if (Number.isNaN(end)) return;
  const left = end - now.getTime();
  const words = inWords(left);
  display.note(left > 0 ? `The session expires in ${words}.` : `The session expired ${words} ago.`);
}
