import { resolveBaseUrl } from '../../../config/base-url.ts';
import type { Profile, ProfileCredentials } from '../../../config/profile.ts';
import {
  activate,
  changeProfiles,
  type ProfileFields,
  setCredentials,
  setProfile,
} from '../../../config/profile-writer.ts';
import { type Profiles, readProfiles } from '../../../config/profiles.ts';
import {
  PROFILE_MEMBERS,
  type ProfileField,
  type ProfilesDocument,
  toProfile,
} from '../../../config/profiles-document.ts';
import { deleteSecret, saveSecret } from '../../../credentials/store.ts';
import { UsageError } from '../../../errors.ts';
import { own } from '../../../json/is-object.ts';
import { secretOf } from '../../../tokens/provider.ts';
import type { GivenSecret } from './secret-questions.ts';

/** A login that is ready to be stored. */
export type Login = {
  readonly directory: string;
  /** The new state of the profile. */
  readonly profile: Profile;
  /** The profile as it was when the login began. */
  readonly before: Profile;
  readonly secret: GivenSecret;
  readonly storage: 'keychain' | 'file';
  readonly signal: AbortSignal;
};

/**
 * Stores the secret, and in one step records in the profile where it is and which service it is for; then deletes the older
 * one. Any failure leaves the profile as it was. The profile becomes the active one only where there is none: logging in
 * does not change where other commands go.
 * @throws UsageError `profile_changed`, `instance_missing`; CredentialsError and UsageError of the stores
 */
export async function storeLogin(login: Login): Promise<Profiles> {
  const { directory, profile, signal } = login;
  const { name } = profile;
  const credentials = await keep(login);
  let replaced: ProfileCredentials | undefined;
  try {
    await changeProfiles(directory, (document) => {
      const present = presentProfile(document, name);
      refuseOtherService(login, present);
      replaced = present?.credentials;
      const changed = setCredentials(setProfile(document, name, changesOf(login)), name, credentials);
      return document.active === undefined ? activate(changed, name) : changed;
    });
  } catch (error) {
    await deleteSecret(credentials, signal);
    throw error;
  }
  if (replaced) await deleteSecret(replaced, signal);
  return readProfiles(directory);
}

function presentProfile({ profiles }: ProfilesDocument, name: string): Profile | undefined {
  const stored = own(profiles, name);
  return stored && toProfile(name, stored);
}

/** A profile whose base URL has changed must not get a secret that was verified with a different service. */
function refuseOtherService({ before }: Login, present: Profile | undefined): void {
  if (present?.baseUrl === before.baseUrl && present?.instance === before.instance) return;
  throw new UsageError(
    'profile_changed',
    `The profile ${before.name} was changed while you were logging in`,
    {
      hint: `Nothing was stored. Before you log in again, check the profile: payctl profiles show ${before.name}`,
    },
  );
}

/** Where the secret belongs, and what this login changed. What it left alone may have been changed by another process. */
function changesOf({ profile, before }: Login): ProfileFields {
  const fields = Object.keys(PROFILE_MEMBERS) as ProfileField[];
  const changed = fields.filter((field) => profile[field] !== before[field]);
  return Object.fromEntries(changed.map((field) => [field, profile[field] ?? null]));
}

async function keep({ directory, profile, secret, storage, signal }: Login): Promise<ProfileCredentials> {
  const origin = requireOrigin(profile);
  if (secret.keep === 'path') return { kind: 'key', storage: 'reference', path: secret.path, origin };
  const { kind } = secret.credentials;
  const text = secretOf(secret.credentials);
  return await saveSecret(directory, profile.name, { kind, secret: text, origin, storage, signal });
}

/** The origin that the credentials will be for. @throws UsageError where the base URL needs an instance that is not given */
function requireOrigin({ baseUrl = '', instance }: Profile): string {
  return new URL(resolveBaseUrl(baseUrl, instance)).origin;
}
