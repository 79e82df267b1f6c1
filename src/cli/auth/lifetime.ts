import { UsageError } from '../../client/errors.ts';
import { LIFETIMES, parseDuration } from '../../config/duration.ts';
import { quoted } from '../../config/quoted.ts';

const DAY = 86_400_000;
const USUAL = '5m';

/**
 * The lifetime of a token in whole seconds: what `--expires-in` says, five minutes without it. More than 24 hours has to be
 * confirmed, more than 365 days cannot be had.
 * @throws UsageError `invalid_duration`, `long_lifetime`
 */
export function readLifetime(given: string | undefined, confirmed: boolean): number {
  const milliseconds = parseDuration(given ?? USUAL, '--expires-in', LIFETIMES);
  if (milliseconds <= DAY || confirmed) return milliseconds / 1000;
  throw new UsageError('long_lifetime', `--expires-in is ${quoted(given ?? USUAL)}, more than 24 hours`, {
    hint: 'A token cannot be called back. Add --yes to mint this one all the same, or write 24h or less.',
  });
}
