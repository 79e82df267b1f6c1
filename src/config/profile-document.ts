import {
  ENVIRONMENTS,
  isProfileName,
  type Profile,
  type ProfileCredentials,
  RSA_ALGORITHMS,
} from './profile.ts';

/**
 * The file of the profiles as it is written. Members that this version does not know are kept, so that two versions of
 * payctl can share one file.
 */
export type ProfilesDocument = {
  readonly version: 1;
  readonly active?: string;
  readonly profiles: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};

/** What a file without content stands for. */
export const EMPTY_DOCUMENT: ProfilesDocument = { version: 1, profiles: {} };

/** Members of a stored profile and the fields of `Profile` that they are; all of them texts. */
export const PROFILE_MEMBERS = {
  baseUrl: 'base_url',
  instance: 'instance',
  environment: 'environment',
  merchantAccount: 'merchant_account',
  merchantHeader: 'merchant_header',
  output: 'output',
  rsaAlgorithm: 'rsa_algorithm',
} as const;

/** The fields of a profile that `profiles set` changes. */
export type ProfileField = keyof typeof PROFILE_MEMBERS;

const ALLOWED: Partial<Record<ProfileField, readonly string[]>> = {
  environment: ENVIRONMENTS,
  rsaAlgorithm: RSA_ALGORITHMS,
};

/**
 * Reads the text of a file.
 * @throws Error whose message says in a few words where it is damaged; of what stands there it shows at most the name of a
 * profile.
 */
export function parseDocument(text: string): ProfilesDocument {
  if (text.trim() === '') return EMPTY_DOCUMENT;
  const document = parseJson(text);
  if (!isObject(document)) throw new Error('it is not a JSON object');
  const { version, active, profiles } = document;
  if (version !== 1) {
    throw new Error(
      typeof version === 'number' && version > 1 ? 'a newer payctl wrote it' : '/version is not 1',
    );
  }
  if (active !== undefined && typeof active !== 'string') throw new Error('/active is not a text');
  if (!isObject(profiles)) throw new Error('/profiles is not an object');
  for (const [name, profile] of Object.entries(profiles)) {
    if (!isProfileName(name)) throw new Error('/profiles has a name that no profile can have');
    if (!isObject(profile)) throw new Error(`/profiles/${name} is not an object`);
    toProfile(name, profile);
  }
  return document as ProfilesDocument;
}

/**
 * One stored profile as the settings take it.
 * @throws Error whose message names the member that cannot be right.
 */
export function toProfile(name: string, stored: Readonly<Record<string, unknown>>): Profile {
  const fields = Object.entries(PROFILE_MEMBERS).flatMap(([field, member]) => {
    const value = stored[member];
    if (value === undefined) return [];
    const allowed = ALLOWED[field as ProfileField];
    if (typeof value !== 'string' || (allowed && !allowed.includes(value))) {
      throw new Error(`/profiles/${name}/${member} is not ${allowed ? allowed.join(' or ') : 'a text'}`);
    }
    return [[field, value]];
  });
  const credentials = readCredentials(name, stored.credentials);
  return { name, ...Object.fromEntries(fields), ...(credentials && { credentials }) };
}

function readCredentials(name: string, stored: unknown): ProfileCredentials | undefined {
  if (stored === undefined) return undefined;
  const { kind, storage, account, path } = isObject(stored) ? stored : {};
  if (kind === 'token' || kind === 'key') {
    if (storage === 'keychain' && typeof account === 'string') return { kind, storage, account };
    if ((storage === 'file' || storage === 'reference') && typeof path === 'string') {
      return { kind, storage, path };
    }
  }
  throw new Error(`/profiles/${name}/credentials is not what payctl writes`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('it is not JSON');
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
