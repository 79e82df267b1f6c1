import type { Profile } from '../config/profile.ts';

/**
 * A profile as commands print it; `active` is the name of the active one. Every member is always there, so that scripts can
 * rely on the shape. Holds no secret.
 */
export function profileRecord(profile: Profile, active: string | undefined) {
  const { name, credentials } = profile;
  return {
    name,
    active: name === active,
    environment: profile.environment ?? null,
    base_url: profile.baseUrl ?? null,
    instance: profile.instance ?? null,
    merchant_account: profile.merchantAccount ?? null,
    merchant_header: profile.merchantHeader ?? null,
    output: profile.output ?? null,
    rsa_algorithm: profile.rsaAlgorithm ?? null,
    credentials: credentials
      ? {
          kind: credentials.kind,
          storage: credentials.storage,
          path: credentials.storage === 'keychain' ? null : credentials.path,
        }
      : null,
  };
}
