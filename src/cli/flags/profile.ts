import { checkInstance, resolveBaseUrl } from '../../config/base-url.ts';
import { ENVIRONMENTS, RSA_ALGORITHMS } from '../../config/profiles.ts';
import { parseMerchantAccount, parseMerchantHeader } from '../../config/values.ts';
import { choiceFlag, textFlag } from './types.ts';

/** The settings that a profile keeps. */
export function profileFlags() {
  return {
    'base-url': textFlag({
      summary: 'Base URL of the service; {id} is replaced by the instance.',
      helpValue: 'URL',
    }),
    instance: textFlag({ summary: 'Instance that replaces {id} in the base URL.', helpValue: 'ID' }),
    environment: choiceFlag({
      options: ENVIRONMENTS,
      summary: 'Environment of the profile; payctl asks before it changes anything in production.',
    })(),
    'merchant-account': textFlag({ char: 'm', summary: 'Merchant account to use.', helpValue: 'ID' }),
    'merchant-header': textFlag({
      summary: 'Name of the merchant account header, if the service uses a different one.',
      helpValue: 'NAME',
    }),
    'rsa-algorithm': choiceFlag({ options: RSA_ALGORITHMS, summary: 'Signing algorithm for RSA keys.' })(),
  };
}

/** What `profileFlags` parse to. */
export type ProfileFlagValues = {
  readonly 'base-url'?: string | undefined;
  readonly instance?: string | undefined;
  readonly environment?: (typeof ENVIRONMENTS)[number] | undefined;
  readonly 'merchant-account'?: string | undefined;
  readonly 'merchant-header'?: string | undefined;
  readonly 'rsa-algorithm'?: (typeof RSA_ALGORITHMS)[number] | undefined;
};

/**
 * The fields of a profile that the flags give, each checked by the rule that it will be used under.
 * @throws UsageError that names the invalid flag
 */
export function readProfileFields(flags: ProfileFlagValues) {
  const { 'base-url': baseUrl, instance, 'merchant-account': merchantAccount } = flags;
  const merchantHeader = flags['merchant-header'];
  if (instance !== undefined) checkInstance(instance);
  return {
    baseUrl: baseUrl === undefined ? undefined : checkBaseUrl(baseUrl, '--base-url'),
    instance,
    environment: flags.environment,
    merchantAccount:
      merchantAccount === undefined ? undefined : parseMerchantAccount(merchantAccount, '--merchant-account'),
    merchantHeader:
      merchantHeader === undefined ? undefined : parseMerchantHeader(merchantHeader, '--merchant-header'),
    rsaAlgorithm: flags['rsa-algorithm'],
  };
}

/** Checks a base URL whose instance need not be known yet. @throws UsageError as `resolveBaseUrl` */
export function checkBaseUrl(template: string, origin: string): string {
  resolveBaseUrl(template, 'instance', origin);
  return template.trim();
}
