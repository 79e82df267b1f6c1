import { resolveBaseUrl } from '../../config/base-url.ts';
import { type Settings, usesEmulator } from '../../config/settings.ts';
import { notConfigured } from './target.ts';

/** The `origin` for the built-in emulator profile, because the emulator may have another address in each run. */
export const EMULATOR_ORIGIN = 'emulator';

/** Where the requests of a run go, in the words of a file that a later run continues. */
export type Destination = {
  readonly profile: string | null;
  /** The base URL. */
  readonly origin: string;
  readonly merchant_account: string | null;
  /** The name of the header of the merchant account, in lower case. */
  readonly merchant_header: string | null;
};

/** Where the requests of a run go. @throws CredentialsError `not_configured`; UsageError for a base URL that cannot be used */
export function destinationOf(settings: Settings): Destination {
  const { profile, baseUrl, instance, merchantAccount, merchantHeader } = settings;
  const isEmulator = usesEmulator(settings);
  if (!isEmulator && baseUrl.value === undefined) throw notConfigured();
  return {
    profile: profile.value?.name ?? null,
    origin: isEmulator ? EMULATOR_ORIGIN : resolveBaseUrl(baseUrl.value ?? '', instance.value),
    merchant_account: merchantAccount.value ?? null,
    merchant_header: merchantAccount.value === undefined ? null : merchantHeader.value.toLowerCase(),
  };
}
