import { destinationOf, EMULATOR_ORIGIN } from '../../cli/session/destination.ts';
import { limitedAt, type Production, productionAt } from '../../config/origin.ts';
import type { Profile } from '../../config/profile.ts';
import type { Settings } from '../../config/settings.ts';
import { UsageError } from '../../errors.ts';
import { quote } from '../../text/format.ts';
import { shellQuote } from '../../text/shell.ts';
import type { Plan } from './plan-file.ts';

/** The profiles for the origin of a plan that have this limit. */
export function profilesWith(
  settings: Settings,
  origin: string,
  kind: 'maxAmounts' | 'maxTotals' | 'approvers',
): readonly Profile[] {
  return origin === EMULATOR_ORIGIN ? [] : limitedAt(settings, new URL(origin).origin, [kind]);
}

/** Whether the destination of a plan is production, and why. */
export function productionOf(settings: Settings, origin: string): Production | undefined {
  return origin === EMULATOR_ORIGIN ? undefined : productionAt(settings, new URL(origin).origin);
}

/** @throws UsageError `other_destination` if the plan was made for another service, account or description */
export function requireDestination(
  { path, header }: Plan,
  settings: Settings,
  description: string | undefined,
): void {
  const { origin, merchant_account: account, merchant_header: name } = destinationOf(settings);
  const refuse = (what: string, planned: string | null, now: string | null) => {
    const problem = `${quote(path)} was made for ${what} ${planned ?? 'none'}, but this run uses ${now ?? 'none'}`;
    throw new UsageError('other_destination', problem, {
      hint:
        header.profile === null
          ? 'Nothing was sent. Use the settings that the plan was made with.'
          : `Nothing was sent. Use the profile that the plan was made with: --profile ${header.profile}`,
    });
  };
  if (origin !== header.origin) refuse('the base URL', header.origin, origin);
  if (account !== header.merchant_account) refuse('the merchant account', header.merchant_account, account);
  // A service that does not know the header takes another account.
  if (name !== header.merchant_header) refuse('the merchant account header', header.merchant_header, name);
  if ((description ?? null) !== header.description) {
    throw new UsageError('other_description', `${quote(path)} was made with another API description`, {
      hint: 'Nothing was sent. Make a new plan, or import the original description again.',
    });
  }
}

/** A `payctl bulk` command for a plan, with the profile that the plan was made with. */
export function commandFor(verb: string, { path, header: { profile } }: Plan): string {
  return `payctl bulk ${verb} ${shellQuote(path)}${profile === null ? '' : ` --profile ${shellQuote(profile)}`}`;
}
