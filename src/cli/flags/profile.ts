import { resolve } from 'node:path';
import { checkInstance, resolveBaseUrl } from '../../config/base-url.ts';
import { readAuthorities, readClientCertificate, requirePath } from '../../config/pem-files.ts';
import { ENVIRONMENTS, RSA_ALGORITHMS } from '../../config/profile.ts';
import { parsePlainProxy } from '../../config/proxy.ts';
import { parseMerchantAccount, parseMerchantHeader } from '../../config/values.ts';
import { choiceFlag, type FlagValues, textFlag } from './types.ts';

/** The settings that a login may change. */
export function profileFlags() {
  return {
    'base-url': textFlag({
      summary: 'Base URL of the service; {id} is replaced by the instance.',
      helpValue: 'URL',
    }),
    instance: textFlag({ summary: 'Instance that replaces {id} in the base URL.', helpValue: 'ID' }),
    environment: choiceFlag({
      options: ENVIRONMENTS,
      helpValue: 'NAME',
      summary: 'payctl asks before changes in production.',
    })(),
    'merchant-account': textFlag({ char: 'm', summary: 'Merchant account to use.', helpValue: 'ID' }),
    'merchant-header': textFlag({
      summary: 'Merchant account header, if the service has its own.',
      helpValue: 'NAME',
    }),
    proxy: textFlag({ summary: 'HTTP proxy to use, without credentials.', helpValue: 'URL' }),
    'rsa-algorithm': choiceFlag({
      options: RSA_ALGORITHMS,
      helpValue: 'NAME',
      summary: 'Signing algorithm for RSA keys.',
    })(),
  };
}

/** The certificates that a profile names. */
export function certificateFlags() {
  return {
    'ca-file': textFlag({
      summary: 'Additional certificate authorities to trust (PEM).',
      helpValue: 'PATH',
    }),
    'client-certificate': textFlag({
      summary: 'Client certificate (PEM), if one is required.',
      helpValue: 'PATH',
    }),
    'client-key': textFlag({ summary: 'Private key (PEM) of the client certificate.', helpValue: 'PATH' }),
  };
}

/** What `profileFlags` and `certificateFlags` parse to. */
export type ProfileFlagValues = FlagValues<typeof profileFlags> & FlagValues<typeof certificateFlags>;

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
    ...readNetworkFields(flags),
    rsaAlgorithm: flags['rsa-algorithm'],
  };
}

/** Paths become absolute: the profile is used in every folder. */
function readNetworkFields(flags: ProfileFlagValues) {
  const { proxy, 'ca-file': caFile, 'client-certificate': certificate, 'client-key': key } = flags;
  if (proxy !== undefined) parsePlainProxy(proxy, '--proxy');
  const files = {
    caFile: absolute(caFile, '--ca-file'),
    clientCertificate: absolute(certificate, '--client-certificate'),
    clientKey: absolute(key, '--client-key'),
  };
  if (files.caFile !== undefined) readAuthorities({ path: files.caFile, origin: '--ca-file' });
  if (files.clientCertificate !== undefined && files.clientKey !== undefined) {
    readClientCertificate({
      certificate: { path: files.clientCertificate, origin: '--client-certificate' },
      key: { path: files.clientKey, origin: '--client-key' },
    });
  }
  return { proxy: proxy?.trim(), ...files };
}

function absolute(path: string | undefined, origin: string): string | undefined {
  if (path === undefined) return undefined;
  requirePath({ path, origin });
  return resolve(path);
}

/** Checks a base URL whose instance need not be known yet. @throws UsageError as `resolveBaseUrl` */
export function checkBaseUrl(template: string, origin: string): string {
  resolveBaseUrl(template, 'instance', origin);
  return template.trim();
}
