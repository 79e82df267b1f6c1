import { isAbsolute, join, resolve } from 'node:path';
import { homeDirectory } from '../files/home-directory.ts';
import type { CredentialKind } from './profile.ts';

/** The environment variables that payctl reads, apart from those of the platform's directories, by what they set. */
export const ENVIRONMENT_VARIABLES = {
  profile: 'PAYCTL_PROFILE',
  baseUrl: 'PAYCTL_BASE_URL',
  environment: 'PAYCTL_ENVIRONMENT',
  readOnly: 'PAYCTL_READ_ONLY',
  instance: 'PAYCTL_INSTANCE',
  merchantAccount: 'PAYCTL_MERCHANT_ACCOUNT',
  merchantHeader: 'PAYCTL_MERCHANT_HEADER',
  webhookHeaderPrefix: 'PAYCTL_WEBHOOK_HEADER_PREFIX',
  webhookSecret: 'PAYCTL_WEBHOOK_SECRET',
  token: 'PAYCTL_TOKEN',
  tokenFile: 'PAYCTL_TOKEN_FILE',
  privateKey: 'PAYCTL_PRIVATE_KEY',
  privateKeyFile: 'PAYCTL_PRIVATE_KEY_FILE',
  apiKey: 'PAYCTL_API_KEY',
  apiKeyFile: 'PAYCTL_API_KEY_FILE',
  basicAuth: 'PAYCTL_BASIC_AUTH',
  basicAuthFile: 'PAYCTL_BASIC_AUTH_FILE',
  timeout: 'PAYCTL_TIMEOUT',
  maxRetries: 'PAYCTL_MAX_RETRIES',
  output: 'PAYCTL_OUTPUT',
  noInput: 'PAYCTL_NO_INPUT',
  utc: 'PAYCTL_UTC',
  pager: 'PAYCTL_PAGER',
  verbose: 'PAYCTL_VERBOSE',
  proxy: 'PAYCTL_PROXY',
  lowerHttpsProxy: 'https_proxy',
  httpsProxy: 'HTTPS_PROXY',
  lowerAllProxy: 'all_proxy',
  allProxy: 'ALL_PROXY',
  lowerNoProxy: 'no_proxy',
  noProxy: 'NO_PROXY',
  extraCertificates: 'NODE_EXTRA_CA_CERTS',
  rejectUnauthorized: 'NODE_TLS_REJECT_UNAUTHORIZED',
  configDirectory: 'PAYCTL_CONFIG_DIR',
  description: 'PAYCTL_DESCRIPTION',
  emulatorUntil: 'PAYCTL_EMULATOR_UNTIL',
  noColor: 'NO_COLOR',
  forceColor: 'FORCE_COLOR',
  term: 'TERM',
  otherPager: 'PAGER',
} as const;

/** The values of these variables, unchecked. An empty variable counts as not set. */
export type Environment = { readonly [Name in keyof typeof ENVIRONMENT_VARIABLES]: string | undefined };

/** Reads all variables of the Settings table at once; nothing else in payctl looks at the environment. */
export function readEnvironment(
  variables: Readonly<Record<string, string | undefined>> = process.env,
): Environment {
  const entries = Object.entries(ENVIRONMENT_VARIABLES);
  return Object.fromEntries(
    entries.map(([name, variable]) => [name, variables[variable] || undefined]),
  ) as Environment;
}

/** The kinds of credentials, the one that wins first, with their variables: of the secret itself, and of a file that it is in. */
export const CREDENTIAL_VARIABLES = [
  ['token', 'token', 'tokenFile'],
  ['key', 'privateKey', 'privateKeyFile'],
  ['api-key', 'apiKey', 'apiKeyFile'],
  ['basic', 'basicAuth', 'basicAuthFile'],
] as const satisfies readonly (readonly [CredentialKind, keyof Environment, keyof Environment])[];

/** The names of the variables of a kind. */
export function variablesOfKind(kind: CredentialKind): readonly string[] {
  return CREDENTIAL_VARIABLES.filter(([one]) => one === kind).flatMap(([, ...names]) =>
    names.map((name) => ENVIRONMENT_VARIABLES[name]),
  );
}

/** Which variables of credentials, or of the profile, are set and empty, as a secret is that a CI system does not know. */
export type EmptyVariables = {
  /** Their names, those that precede `origin` in what wins; all of them without an origin. */
  before(origin?: string): readonly string[];
  /** Whether the one that chooses the profile is. */
  readonly profile: boolean;
};

/** Looks for variables of credentials that are set and empty: they count as not set, and their user has to know. */
export function findEmptyVariables(
  variables: Readonly<Record<string, string | undefined>> = process.env,
): EmptyVariables {
  const names = CREDENTIAL_VARIABLES.flatMap(([kind]) => variablesOfKind(kind));
  return {
    before(origin) {
      const end = names.findIndex((name) => origin === name || origin?.startsWith(`${name} (`));
      const preceding = end === -1 ? names : names.slice(0, end);
      return preceding.filter((name) => variables[name] === '');
    },
    profile: variables[ENVIRONMENT_VARIABLES.profile] === '',
  };
}

type Directories = Pick<Environment, 'configDirectory'>;

/**
 * Absolute path of the directory of the configuration: `PAYCTL_CONFIG_DIR`, else `payctl` where the platform keeps
 * configuration (`XDG_CONFIG_HOME`, `APPDATA`, `~/Library/Preferences`). It need not exist. A relative `PAYCTL_CONFIG_DIR` is
 * taken from the working directory, since a person typed it.
 * @throws UsageError `no_home_directory`
 */
export function configDirectory({ configDirectory: given }: Directories): string {
  return resolve(given ?? platformDirectory('config'));
}

/**
 * Absolute path of the directory of data that payctl makes itself, such as the emulator's database: `data` below
 * `PAYCTL_CONFIG_DIR`, else `payctl` where the platform keeps data. It need not exist.
 */
export function dataDirectory({ configDirectory: given }: Directories): string {
  return resolve(given === undefined ? platformDirectory('data') : join(given, 'data'));
}

/** Absolute path of the directory that the emulator keeps its database and key in. It need not exist. */
export function emulatorDirectory(directories: Directories): string {
  return join(dataDirectory(directories), 'emulator');
}

/** Absolute path of the directory that received events are kept in. It need not exist. */
export function webhooksDirectory(directories: Directories): string {
  return join(dataDirectory(directories), 'webhooks');
}

type PlatformFolder = {
  readonly variable?: string;
  readonly below: readonly string[];
  readonly folder: readonly string[];
};

/** Where each platform keeps the files of programs: in the folder of a variable, else below the home directory. */
const PLATFORM_FOLDERS: Readonly<
  Record<'darwin' | 'win32' | 'other', Record<'config' | 'data', PlatformFolder>>
> = {
  darwin: {
    config: { below: ['Library', 'Preferences'], folder: ['payctl'] },
    data: { below: ['Library', 'Application Support'], folder: ['payctl'] },
  },
  win32: {
    config: { variable: 'APPDATA', below: ['AppData', 'Roaming'], folder: ['payctl', 'Config'] },
    data: { variable: 'LOCALAPPDATA', below: ['AppData', 'Local'], folder: ['payctl', 'Data'] },
  },
  other: {
    config: { variable: 'XDG_CONFIG_HOME', below: ['.config'], folder: ['payctl'] },
    data: { variable: 'XDG_DATA_HOME', below: ['.local', 'share'], folder: ['payctl'] },
  },
};

/** Relative values are ignored, as the XDG specification says: the files of another directory are not the user's. */
function platformDirectory(kind: 'config' | 'data'): string {
  const { platform, env } = process;
  const places = PLATFORM_FOLDERS[platform === 'darwin' || platform === 'win32' ? platform : 'other'];
  const { variable, below, folder } = places[kind];
  const given = variable === undefined ? undefined : env[variable];
  return join(given && isAbsolute(given) ? given : join(homeDirectory(), ...below), ...folder);
}
