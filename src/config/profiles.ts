import { join } from 'node:path';
import { UsageError } from '../errors.ts';
import { readPrivately } from '../files/private-files.ts';
import { LIMITS } from '../files/read-file.ts';
import { isNestedDeeper, MAX_DEPTH } from '../json/depth.ts';
import { isObject } from '../json/is-object.ts';
import { quote } from '../text/format.ts';
import { suggest } from '../text/suggest.ts';

/** What a profile may be marked as; a command that changes something in production asks first. */
export const ENVIRONMENTS = ['sandbox', 'production'] as const;

/** What commands may do with a profile: `read` refuses every change. */
export const ACCESS_LEVELS = ['read', 'write'] as const;

/** How an RSA key may sign. */
export const RSA_ALGORITHMS = ['RS256', 'PS256'] as const;

/** The values of `environment`. */
export type ProfileEnvironment = (typeof ENVIRONMENTS)[number];

/**
 * Where the secret of a profile is: an entry of the operating system's keychain, a file that payctl wrote because of
 * `--insecure-storage`, or a file of the user's own that payctl only refers to. The profile itself holds none.
 */
export type ProfileCredentials =
  | { readonly kind: 'token' | 'key'; readonly storage: 'keychain'; readonly account: string }
  | { readonly kind: 'token' | 'key'; readonly storage: 'file'; readonly path: string }
  | {
      readonly kind: 'token' | 'key';
      readonly storage: 'reference';
      readonly path: string;
      /** The origin that the file was named for; other secrets hold theirs themselves. */
      readonly origin?: string | undefined;
    };

/** A named set of settings. Values are as a person wrote them: they are checked where they are resolved. */
export type Profile = {
  readonly name: string;
  /** May contain `{id}`, which `instance` fills. */
  readonly baseUrl?: string | undefined;
  readonly instance?: string | undefined;
  readonly environment?: ProfileEnvironment | undefined;
  /** Default: `write`. */
  readonly access?: (typeof ACCESS_LEVELS)[number] | undefined;
  readonly timeout?: string | undefined;
  readonly maxRetries?: string | undefined;
  readonly merchantAccount?: string | undefined;
  readonly merchantHeader?: string | undefined;
  readonly output?: string | undefined;
  /** The columns of the tables of commands: texts as --columns takes them, by the words of the command. */
  readonly columns?: Readonly<Record<string, string>> | undefined;
  /** Address of a proxy, without credentials. */
  readonly proxy?: string | undefined;
  /** Absolute paths of PEM files: authorities to trust, and the certificate and key of mutual TLS. */
  readonly caFile?: string | undefined;
  readonly clientCertificate?: string | undefined;
  readonly clientKey?: string | undefined;
  readonly credentials?: ProfileCredentials | undefined;
  /** How an RSA key signs, wherever the key comes from. Default RS256. */
  readonly rsaAlgorithm?: (typeof RSA_ALGORITHMS)[number] | undefined;
  /** The API description that was imported for it. */
  readonly description?: DescriptionBinding | undefined;
};

/** Which imported API description belongs to a profile, and what every command has to know of it. */
export type DescriptionBinding = {
  /** The folder that the store keeps it in, without its path. */
  readonly folder: string;
  /** Name of the file or the address that it came from. */
  readonly file: string;
  /** Lower-case name of the header that names the merchant account, where the description has one. */
  readonly merchantHeader?: string | undefined;
};

/**
 * The profiles that need no set-up. `emulator` has no base URL and no credentials: the code that runs the
 * emulator knows its address and its key.
 */
export const BUILT_IN_PROFILES: ReadonlyMap<string, Profile> = new Map([['emulator', { name: 'emulator' }]]);

/**
 * The profile of a name. `why` says in the message what names it, where that is not on the command line: `PAYCTL_PROFILE names it`.
 * @throws UsageError `unknown_profile`, which lists the known ones and suggests the nearest.
 */
export function findProfile(profiles: ReadonlyMap<string, Profile>, name: string, why?: string): Profile {
  const profile = profiles.get(name);
  if (!profile) {
    const suggestion = suggest(name, profiles.keys());
    const known = [...profiles.keys()].sort().join(', ');
    const reason = why === undefined ? '' : `, but ${why}`;
    throw new UsageError('unknown_profile', `There is no profile ${quote(name)}${reason}`, {
      hint: `${suggestion ? `Did you mean ${suggestion}? ` : ''}Known profiles: ${known}.`,
    });
  }
  return profile;
}

/**
 * Whether a text can be the name of a profile. Small letters only, because it becomes part of file names, which some file
 * systems do not tell apart by case.
 */
function isProfileName(name: string): boolean {
  return /^[a-z0-9][a-z0-9._-]{0,62}$/.test(name);
}

/**
 * Checks a name for a profile of the user's own.
 * @throws UsageError `invalid_profile_name` or `built_in_profile`.
 */
export function checkProfileName(name: string): string {
  if (BUILT_IN_PROFILES.has(name)) {
    throw new UsageError('built_in_profile', `The profile ${name} is built in and cannot be changed`, {
      hint: 'Choose another name.',
    });
  }
  if (!isProfileName(name)) {
    throw new UsageError('invalid_profile_name', `${quote(name)} is not a valid profile name`, {
      hint: 'Use at most 63 lower-case letters, digits, dots, hyphens and underscores, starting with a letter or digit.',
    });
  }
  return name;
}

/**
 * The profiles file as it is stored. Members that this version does not know are kept, so that two versions of
 * payctl can share one file.
 */
export type ProfilesDocument = {
  readonly version: 1;
  readonly active?: string;
  readonly profiles: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** The description of runs without a profile. */
  readonly description?: Readonly<Record<string, unknown>>;
  /** The descriptions of profiles, the built-in ones among them, by their names. */
  readonly descriptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};

/** What an empty file means. */
export const EMPTY_DOCUMENT: ProfilesDocument = { version: 1, profiles: {} };

/** Members of a stored profile and the fields of `Profile` that they are; all of them texts. */
export const PROFILE_MEMBERS = {
  baseUrl: 'base_url',
  instance: 'instance',
  environment: 'environment',
  access: 'access',
  timeout: 'timeout',
  maxRetries: 'max_retries',
  merchantAccount: 'merchant_account',
  merchantHeader: 'merchant_header',
  output: 'output',
  proxy: 'proxy',
  caFile: 'ca_file',
  clientCertificate: 'client_certificate',
  clientKey: 'client_key',
  rsaAlgorithm: 'rsa_algorithm',
} as const;

/** The fields of a profile that `profiles set` changes. */
export type ProfileField = keyof typeof PROFILE_MEMBERS;

const ALLOWED: Partial<Record<ProfileField, readonly string[]>> = {
  environment: ENVIRONMENTS,
  access: ACCESS_LEVELS,
  rsaAlgorithm: RSA_ALGORITHMS,
};

/**
 * Reads the text of a file.
 * @throws Error whose message says in a few words where it is damaged; of its content it shows at most the name of a
 * profile.
 */
export function parseDocument(text: string): ProfilesDocument {
  if (text.trim() === '') return EMPTY_DOCUMENT;
  const document = parseJson(text);
  if (!isObject(document)) throw new Error('it is not a JSON object');
  const { version, active, profiles } = document;
  if (version !== 1) {
    throw new Error(
      typeof version === 'number' && version > 1
        ? 'it was written by a newer version of payctl'
        : '/version is not 1',
    );
  }
  if (active !== undefined && typeof active !== 'string') throw new Error('/active is not a string');
  if (!isObject(profiles)) throw new Error('/profiles is not an object');
  readBinding('/description', document.description);
  if (document.descriptions !== undefined && !isObject(document.descriptions)) {
    throw new Error('/descriptions is not an object');
  }
  for (const [name, binding] of Object.entries(document.descriptions ?? {})) {
    if (!isProfileName(name)) throw new Error('/descriptions contains an invalid profile name');
    readBinding(`/descriptions/${name}`, binding);
  }
  for (const [name, profile] of Object.entries(profiles)) {
    if (!isProfileName(name)) throw new Error('/profiles contains an invalid profile name');
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
      throw new Error(`/profiles/${name}/${member} is not ${allowed ? allowed.join(' or ') : 'a string'}`);
    }
    return [[field, value]];
  });
  const columns = readColumns(name, stored.columns);
  const credentials = readCredentials(name, stored.credentials);
  return {
    name,
    ...Object.fromEntries(fields),
    ...(columns && { columns }),
    ...(credentials && { credentials }),
  };
}

function readColumns(name: string, stored: unknown): Readonly<Record<string, string>> | undefined {
  if (stored === undefined) return undefined;
  const isValid = (value: unknown): value is Readonly<Record<string, string>> =>
    isObject(value) && Object.values(value).every((columns) => typeof columns === 'string');
  if (isValid(stored)) return stored;
  throw new Error(`/profiles/${name}/columns is not an object of strings`);
}

/** The name of a folder of the store, which becomes part of a path. */
const FOLDER = /^[0-9a-f]{32}-\d{1,6}$/;

function readBinding(pointer: string, stored: unknown): DescriptionBinding | undefined {
  if (stored === undefined) return undefined;
  const { folder, file, merchant_header: merchantHeader } = isObject(stored) ? stored : {};
  if (typeof folder === 'string' && FOLDER.test(folder) && typeof file === 'string') {
    if (merchantHeader === undefined) return { folder, file };
    if (typeof merchantHeader === 'string') return { folder, file, merchantHeader };
  }
  throw new Error(`${pointer} is not valid`);
}

function readCredentials(name: string, stored: unknown): ProfileCredentials | undefined {
  if (stored === undefined) return undefined;
  const { kind, storage, account, path, origin } = isObject(stored) ? stored : {};
  if (kind === 'token' || kind === 'key') {
    if (storage === 'keychain' && typeof account === 'string') return { kind, storage, account };
    if (storage === 'file' && typeof path === 'string') return { kind, storage, path };
    if (storage === 'reference' && typeof path === 'string') {
      if (origin === undefined) return { kind, storage, path };
      if (typeof origin === 'string') return { kind, storage, path, origin };
    }
  }
  throw new Error(`/profiles/${name}/credentials is not valid`);
}

function parseJson(text: string): unknown {
  if (isNestedDeeper(text, MAX_DEPTH)) throw new Error(`it is nested more than ${MAX_DEPTH} levels deep`);
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('it is not JSON');
  }
}

/** The profiles that there are, the built-in ones among them, and which one is used where none is named. */
export type Profiles = {
  readonly profiles: ReadonlyMap<string, Profile>;
  /** Undefined: none. */
  readonly active: string | undefined;
  /** The description of runs without a profile. */
  readonly description?: DescriptionBinding | undefined;
};

/** Absolute path of the file that holds the profiles of a configuration directory. */
export function profilesFile(directory: string): string {
  return join(directory, 'profiles.json');
}

/**
 * Reads the profiles of a configuration directory, which need not exist. Needs nothing but the file system: conf, which
 * writes the file, takes longer to load than a whole command runs.
 * @throws UsageError `profiles_damaged`, `profiles_unreadable` or `profiles_exposed`, which name the file and leave it.
 */
export function readProfiles(directory: string): Profiles {
  const document = readDocument(directory);
  const stored = Object.entries(document.profiles).map(
    ([name, profile]) => [name, toProfile(name, profile)] as const,
  );
  const all = [...stored, ...BUILT_IN_PROFILES].map(([name, profile]) => {
    const description = bindingOf(document, name);
    return [name, description ? { ...profile, description } : profile] as const;
  });
  const description = readBinding('/description', document.description);
  return { profiles: new Map(all), active: document.active, ...(description && { description }) };
}

function bindingOf({ descriptions }: ProfilesDocument, name: string): DescriptionBinding | undefined {
  if (!descriptions || !Object.hasOwn(descriptions, name)) return undefined;
  return readBinding(`/descriptions/${name}`, descriptions[name]);
}

/** The folders of all descriptions that a profile or runs without one refer to. */
export function foldersInUse({ description, descriptions = {} }: ProfilesDocument): ReadonlySet<string> {
  const bindings = [description, ...Object.values(descriptions)];
  return new Set(
    bindings.flatMap((binding) => (typeof binding?.folder === 'string' ? [binding.folder] : [])),
  );
}

/** Reads the file itself. @throws as `readProfiles`. */
export function readDocument(directory: string): ProfilesDocument {
  const file = profilesFile(directory);
  try {
    const text = readPrivately(file, LIMITS.profiles);
    return text === undefined ? EMPTY_DOCUMENT : parseDocument(text);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const reason = error instanceof Error ? error.message : 'the reason is unknown';
    throw new UsageError('profiles_damaged', `${file} is damaged: ${reason}`, {
      hint: 'Repair the file, or move it away and create the profiles again. payctl does not change it.',
      cause: error,
    });
  }
}
