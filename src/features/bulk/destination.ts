import { resolveBaseUrl } from '../../config/base-url.ts';
import { limitedAt, type Production, productionAt } from '../../config/origin.ts';
import type { Profile } from '../../config/profile.ts';
import type { Settings } from '../../config/settings.ts';
import { CredentialsError, UsageError } from '../../errors.ts';
import { quote, shellQuote } from '../../text/format.ts';
import type { Plan, PlanHeader } from './plan-file.ts';

/** The `origin` of plans for the built-in emulator profile, because the emulator may have another address in each run. */
const EMULATOR = 'emulator';

/** Where the changes of a plan go. */
export type Destination = Pick<PlanHeader, 'profile' | 'origin' | 'merchant_account' | 'merchant_header'>;

/** Where the changes of a run go, in the words of a plan. @throws CredentialsError `not_configured`; UsageError for a base URL that cannot be used */
export function destinationOf({
  profile,
  baseUrl,
  instance,
  merchantAccount,
  merchantHeader,
}: Settings): Destination {
  const name = profile.value?.name;
  const isEmulator = name === EMULATOR && baseUrl.value === undefined;
  if (!isEmulator && baseUrl.value === undefined) {
    throw new CredentialsError('not_configured', 'No base URL is configured', {
      hint: 'Add --profile emulator to try payctl without an account, or log in: payctl auth login',
    });
  }
  return {
    profile: name ?? null,
    origin: isEmulator ? EMULATOR : resolveBaseUrl(baseUrl.value ?? '', instance.value),
    merchant_account: merchantAccount.value ?? null,
    merchant_header: merchantAccount.value === undefined ? null : merchantHeader.value.toLowerCase(),
  };
}

/** The profiles for the origin of a plan that have this limit. */
export function profilesWith(
  settings: Settings,
  origin: string,
  kind: 'maxAmounts' | 'maxTotals' | 'approvers',
): readonly Profile[] {
  return origin === EMULATOR ? [] : limitedAt(settings, new URL(origin).origin, [kind]);
}

/** Whether the destination of a plan is production, and why. */
export function productionOf(settings: Settings, origin: string): Production | undefined {
  return origin === EMULATOR ? undefined : productionAt(settings, new URL(origin).origin);
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
