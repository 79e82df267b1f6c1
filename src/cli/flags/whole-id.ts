import { UsageError } from '../../errors.ts';
import { isShortId, quote } from '../../text/format.ts';

/** What to do where a short ID is not taken. */
export const WHOLE_ID_HINT =
  'payctl does not look this ID up by its beginning. Lists show whole IDs with -o wide.';

/**
 * Refuses a short ID where only a whole one will do, by default in a change.
 * @throws UsageError `bad_argument`
 */
export function requireWholeId(argument: string, typed: string, why = WHOLE_ID_HINT): void {
  if (!isShortId(typed)) return;
  throw new UsageError('bad_argument', `${argument} must be a whole ID, not ${quote(typed)}`, { hint: why });
}
