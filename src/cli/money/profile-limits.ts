import type { Profile } from '../../config/profile.ts';
import { quote } from '../../text/format.ts';
import { FlagError } from '../flags/types.ts';
import { requireYes } from '../prompt/prompter.ts';
import type { Runtime } from '../runtime.ts';
import { allowsChanges } from '../session/read-only.ts';
import { minorUnits } from './minor-units.ts';

/** The limits of a profile: amounts in major units, by currency. */
export type Limits = NonNullable<Profile['maxAmounts']>;

/** The flags whose values are limits. */
type LimitFlag = '--max-amount' | '--max-total';

/**
 * Reads the values of a flag, each such as `EUR=500.00`.
 * @throws FlagError for one that is not a currency with an amount, or a currency that is given twice
 */
export function readLimits(texts: readonly string[], flag: LimitFlag): Limits {
  const limits = new Map<string, string>();
  for (const text of texts) {
    const [, currency = '', amount = ''] = /^([^=]*)=(.*)$/s.exec(text.trim()) ?? [];
    const minor = minorUnits(amount, currency);
    if (typeof minor !== 'bigint') throw notALimit(flag, { text, currency, why: minor.problem });
    if (minor < 0n) throw notALimit(flag, { text, currency, why: 'is negative' });
    if (limits.has(currency)) throw new FlagError(`${flag} gives the limit of ${currency} twice`);
    limits.set(currency, amount);
  }
  return Object.fromEntries(limits);
}

type Refused = { readonly text: string; readonly currency: string; readonly why: string };

function notALimit(flag: LimitFlag, { text, currency, why }: Refused): FlagError {
  const problem = currency === '' ? '' : `, which ${why}`;
  return new FlagError(
    `${flag} must be a currency and an amount in its major unit, not ${quote(text)}${problem}`,
    `For example: ${flag} EUR=500.00. To remove all limits: --unset ${flag.slice(2)}`,
  );
}

/**
 * Asks before a token is printed that these limits would not hold for, unless its scopes only read: they hold for requests of payctl alone. The
 * scopes are undefined where nobody knows them.
 * @throws UsageError `not_confirmed`
 */
export async function confirmUnlimitedToken(
  [profile]: readonly Profile[],
  scopes: readonly string[] | undefined,
  runtime: Pick<Runtime, 'prompter'>,
): Promise<void> {
  if (!profile || scopes?.every((scope) => !allowsChanges(scope))) return;
  const question = `The limits of the profile ${profile.name} do not hold for other programs. Print the token?`;
  await requireYes(await runtime.prompter(), question, {
    message: `No token was printed: the limits of the profile ${profile.name} would not hold for it`,
    hint: 'Run the command at a terminal to confirm it. Scopes that end in .read need no confirmation.',
  });
}
