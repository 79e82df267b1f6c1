import { refuseNewer } from '../files/newer-version.ts';
import { isNestedDeeper, MAX_DEPTH } from '../json/depth.ts';
import { isObject } from '../json/is-object.ts';
import {
  ACCESS_LEVELS,
  type Approver,
  CREDENTIAL_NAMES,
  type CredentialKind,
  type DescriptionBinding,
  ENVIRONMENTS,
  isProfileName,
  type Profile,
  type ProfileCredentials,
  RSA_ALGORITHMS,
  SWITCH_TEXTS,
} from './profile.ts';

/**
 * The profiles file as it is stored. Members that this version does not know are kept, so that two versions of
 * payctl can share one file.
 */
export type ProfilesDocument = {
  readonly version: 1;
  readonly active?: string;
  /** The one that was active before. */
  readonly previous?: string;
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
  webhookHeaderPrefix: 'webhook_header_prefix',
  output: 'output',
  utc: 'utc',
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
  utc: SWITCH_TEXTS,
};

/**
 * Reads the text of a file.
 * @throws UsageError `newer_version`; Error whose message says in a few words where it is damaged; of its content it shows at most the name
 * of a profile.
 */
export function parseDocument(text: string, file: string): ProfilesDocument {
  if (text.trim() === '') return EMPTY_DOCUMENT;
  const document = parseJson(text);
  if (!isObject(document)) throw new Error('it is not a JSON object');
  const { version, active, previous, profiles } = document;
  refuseNewer(file, version, 1, 'move the file away and create the profiles again.');
  if (version !== 1) throw new Error('/version is not 1');
  if (active !== undefined && typeof active !== 'string') throw new Error('/active is not a string');
  if (previous !== undefined && typeof previous !== 'string') throw new Error('/previous is not a string');
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
  const columns = readTexts(`/profiles/${name}/columns`, stored.columns);
  const maxAmounts = readAmounts(`/profiles/${name}/max_amounts`, stored.max_amounts);
  const maxTotals = readAmounts(`/profiles/${name}/max_totals`, stored.max_totals);
  const approvers = readApprovers(`/profiles/${name}/approvers`, stored.approvers);
  const credentials = readCredentials(name, stored.credentials);
  return {
    name,
    ...Object.fromEntries(fields),
    ...(columns && { columns }),
    ...(maxAmounts && { maxAmounts }),
    ...(maxTotals && { maxTotals }),
    ...(approvers && { approvers }),
    ...(credentials && { credentials }),
  };
}

function readTexts(pointer: string, stored: unknown): Readonly<Record<string, string>> | undefined {
  if (stored === undefined) return undefined;
  if (isTexts(stored)) return stored;
  throw new Error(`${pointer} is not an object of strings`);
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return isObject(value) && Object.values(value).every((text) => typeof text === 'string');
}

/** A limit that cannot be understood must not count as none. */
function readAmounts(pointer: string, stored: unknown): Profile['maxAmounts'] {
  const amounts = readTexts(pointer, stored);
  const isAmount = ([currency, amount]: [string, string]) =>
    /^[A-Z]{3}$/.test(currency) && /^\d{1,20}(\.\d{1,4})?$/.test(amount);
  if (!amounts || Object.entries(amounts).every(isAmount)) return amounts;
  throw new Error(`${pointer} does not hold amounts by currency, such as { "EUR": "500.00" }`);
}

/** Approvers that cannot be understood must not count as none, either. */
function readApprovers(pointer: string, stored: unknown): Profile['approvers'] {
  if (stored === undefined) return undefined;
  const isApprover = (value: unknown): value is Approver =>
    isTexts(value) && 'kty' in value && 'kid' in value;
  if (Array.isArray(stored) && stored.length > 0 && stored.every(isApprover)) return stored;
  throw new Error(`${pointer} is not a list of public keys`);
}

/** The name of a folder of the store, which becomes part of a path. */
const FOLDER = /^[0-9a-f]{32}-\d{1,6}$/;

/**
 * The binding that a member of the file holds.
 * @throws Error whose message names the member where it is not valid
 */
export function readBinding(pointer: string, stored: unknown): DescriptionBinding | undefined {
  if (stored === undefined) return undefined;
  const { folder, file, merchant_header: merchantHeader } = isObject(stored) ? stored : {};
  if (typeof folder === 'string' && FOLDER.test(folder) && typeof file === 'string') {
    if (merchantHeader === undefined) return { folder, file };
    if (typeof merchantHeader === 'string') return { folder, file, merchantHeader };
  }
  throw new Error(`${pointer} is not valid`);
}

function isKind(kind: unknown): kind is CredentialKind {
  return typeof kind === 'string' && Object.hasOwn(CREDENTIAL_NAMES, kind);
}

function readCredentials(name: string, stored: unknown): ProfileCredentials | undefined {
  if (stored === undefined) return undefined;
  const { kind, storage, account, path, origin } = isObject(stored) ? stored : {};
  if (isKind(kind)) {
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

/** The description that is bound to a profile. */
export function bindingOf({ descriptions }: ProfilesDocument, name: string): DescriptionBinding | undefined {
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
