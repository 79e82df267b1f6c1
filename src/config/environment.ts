import { join, resolve } from 'node:path';
import envPaths from 'env-paths';

/** The environment variables that payctl reads, apart from those of the platform's directories, by what they set. */
export const ENVIRONMENT_VARIABLES = {
  profile: 'PAYCTL_PROFILE',
  baseUrl: 'PAYCTL_BASE_URL',
  instance: 'PAYCTL_INSTANCE',
  merchantAccount: 'PAYCTL_MERCHANT_ACCOUNT',
  merchantHeader: 'PAYCTL_MERCHANT_HEADER',
  token: 'PAYCTL_TOKEN',
  tokenFile: 'PAYCTL_TOKEN_FILE',
  privateKey: 'PAYCTL_PRIVATE_KEY',
  privateKeyFile: 'PAYCTL_PRIVATE_KEY_FILE',
  timeout: 'PAYCTL_TIMEOUT',
  maxRetries: 'PAYCTL_MAX_RETRIES',
  output: 'PAYCTL_OUTPUT',
  verbose: 'PAYCTL_VERBOSE',
  configDirectory: 'PAYCTL_CONFIG_DIR',
  noColor: 'NO_COLOR',
  forceColor: 'FORCE_COLOR',
  term: 'TERM',
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

type Directories = Pick<Environment, 'configDirectory'>;

/**
 * Absolute path of the directory of the configuration: `PAYCTL_CONFIG_DIR`, else `payctl` where the platform keeps
 * configuration (`XDG_CONFIG_HOME`, `APPDATA`, `~/Library/Preferences`). It need not exist.
 */
export function configDirectory({ configDirectory: given }: Directories): string {
  return resolve(given ?? platformDirectories().config);
}

/**
 * Absolute path of the directory of data that payctl makes itself, such as the emulator's database: `data` below
 * `PAYCTL_CONFIG_DIR`, else `payctl` where the platform keeps data. It need not exist.
 */
export function dataDirectory({ configDirectory: given }: Directories): string {
  return resolve(given === undefined ? platformDirectories().data : join(given, 'data'));
}

/** Absolute path of the directory that the emulator keeps its database and key in. It need not exist. */
export function emulatorDirectory(directories: Directories): string {
  return join(dataDirectory(directories), 'emulator');
}

function platformDirectories() {
  return envPaths('payctl', { suffix: '' });
}
