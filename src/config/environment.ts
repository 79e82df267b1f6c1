/** The environment variables that payctl heeds beside those of the platform's directories, by what they set. */
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

/** The values of these variables as they stand, unchecked. A variable that is set to nothing counts as not set. */
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
