import { UsageError } from '../../errors.ts';
import { isShortId, quote } from '../../text/format.ts';

/** Why a change takes no short ID. */
export const CHANGES_TAKE_WHOLE_IDS =
  'payctl takes the first characters of an ID only where it reads. get and -o wide show the whole ID.';

/**
 * Refuses a short ID where only a whole one will do, by default in a change.
 * @throws UsageError `bad_argument`
 */
export function requireWholeId(argument: string, typed: string, why = CHANGES_TAKE_WHOLE_IDS): void {
  if (!isShortId(typed)) return;
  throw new UsageError('bad_argument', `${argument} must be a whole ID, not ${quote(typed)}`, { hint: why });
}
