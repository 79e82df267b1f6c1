import { UsageError } from '../errors.ts';
import { quote } from '../text/format.ts';
import { suggest } from '../text/suggest.ts';

/** What a profile may be marked as; a command that changes something in production asks first. */
export const ENVIRONMENTS = ['sandbox', 'production'] as const;

/** What commands may do with a profile: `read` refuses every change. */
export const ACCESS_LEVELS = ['read', 'write'] as const;

/** How an RSA key may sign. */
export const RSA_ALGORITHMS = ['RS256', 'PS256'] as const;

/**
 * The kinds of credentials, and what messages call them: a token, a private key that signs tokens, one or more API keys, and a user
 * name with its password.
 */
export const CREDENTIAL_NAMES = {
  token: 'token',
  key: 'key',
  'api-key': 'API key',
  basic: 'password',
} as const;

/** A kind of credentials. */
export type CredentialKind = keyof typeof CREDENTIAL_NAMES;

/** Whether credentials of this kind are a token or sign one, as payctl's own commands need. */
export function givesTokens(kind: CredentialKind): boolean {
  return kind === 'token' || kind === 'key';
}

/** How the profiles file holds a yes or no. */
export const SWITCH_TEXTS = ['true', 'false'] as const;

/** The values of `environment`. */
export type ProfileEnvironment = (typeof ENVIRONMENTS)[number];

/**
 * Where the secret of a profile is: an entry of the operating system's keychain, a file that payctl wrote because of
 * `--insecure-storage`, or a file of the user's own that payctl only refers to. The profile itself holds none.
 */
export type ProfileCredentials =
  | { readonly kind: CredentialKind; readonly storage: 'keychain'; readonly account: string }
  | { readonly kind: CredentialKind; readonly storage: 'file'; readonly path: string }
  | {
      readonly kind: CredentialKind;
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
  /** What the names of the headers of webhooks begin with. */
  readonly webhookHeaderPrefix?: string | undefined;
  readonly output?: string | undefined;
  /** Whether a terminal shows times in UTC. Default: `false`. */
  readonly utc?: (typeof SWITCH_TEXTS)[number] | undefined;
  /** The columns of the tables of commands: texts as --columns takes them, by the words of the command. */
  readonly columns?: Readonly<Record<string, string>> | undefined;
  /**
   * The most that one change may move at the origin of the profile, in major units by currency: `{ EUR: '500.00' }`. A currency that is
   * not named must not be moved at all.
   */
  readonly maxAmounts?: Readonly<Record<string, string>> | undefined;
  /** The same for the total of one plan of `bulk`: `{ EUR: '5000.00' }`. */
  readonly maxTotals?: Readonly<Record<string, string>> | undefined;
  /** A plan of `bulk` needs the approval of one of these keys. */
  readonly approvers?: readonly Approver[] | undefined;
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

/** The public key of somebody who may approve plans, as a JWK: `kid` is its thumbprint. */
export type Approver = Readonly<Record<string, string>> & {
  readonly kty: string;
  readonly kid: string;
  /** What people call the key. */
  readonly name?: string;
};

/** What limits changes at the origin of a profile. */
export const LIMIT_FIELDS = ['maxAmounts', 'maxTotals', 'approvers'] as const;

/** Whether a profile limits changes at its origin. */
export function isLimited(profile: Profile): boolean {
  return LIMIT_FIELDS.some((field) => profile[field] !== undefined);
}

/** Which imported API description belongs to a profile, and what every command has to know about it. */
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
 * systems do not distinguish by case.
 */
export function isProfileName(name: string): boolean {
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
