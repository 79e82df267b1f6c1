import type { Profile, ProfileCredentials } from '../../config/profile.ts';
import { activate, type ProfileFields, setCredentials, setProfile } from '../../config/profile-changes.ts';
import { PROFILE_MEMBERS, type ProfileField } from '../../config/profile-document.ts';
import { type Profiles, readProfiles } from '../../config/profile-store.ts';
import { changeProfiles } from '../../config/profile-writer.ts';
import { forgetSecrets, keepSecret } from '../../config/secret-store.ts';
import type { GivenSecret } from './secret-sources.ts';

/** A login that is ready to be stored. */
export type Login = {
  readonly directory: string;
  /** The profile as it is to be. */
  readonly profile: Profile;
  /** The profile as it was. */
  readonly before: Profile;
  readonly secret: GivenSecret;
  readonly storage: 'keychain' | 'file';
  readonly signal: AbortSignal;
};

/**
 * Keeps the secret, notes in the profile where it is, and takes older copies away. The profile becomes the active one
 * only where there is none: nobody is led elsewhere by logging in.
 * @throws CredentialsError and UsageError of the stores
 */
export async function storeLogin(login: Login): Promise<Profiles> {
  const { directory, profile, before, signal } = login;
  const { name } = profile;
  const credentials = await keep(login);
  await changeProfiles(directory, (document) => {
    const changed = setCredentials(setProfile(document, name, fieldsOf(profile)), name, credentials);
    return document.active === undefined ? activate(changed, name) : changed;
  });
  await forgetSecrets(directory, before, { keep: credentials, signal });
  return readProfiles(directory);
}

/** Every field, so that one that is no longer set goes. */
function fieldsOf(profile: Profile): ProfileFields {
  const fields = Object.keys(PROFILE_MEMBERS) as ProfileField[];
  return Object.fromEntries(fields.map((field) => [field, profile[field] ?? null]));
}

async function keep({ directory, profile, secret, storage, signal }: Login): Promise<ProfileCredentials> {
  if (secret.keep === 'path') return { kind: 'key', storage: 'reference', path: secret.path };
  const { credentials } = secret;
  const text = credentials.kind === 'token' ? credentials.token : credentials.pem;
  return await keepSecret(directory, profile.name, { kind: credentials.kind, secret: text, storage, signal });
}
