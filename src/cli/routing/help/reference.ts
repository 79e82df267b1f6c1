import { ENVIRONMENT_VARIABLES } from '../../../config/environment.ts';
import { MERCHANT_HEADER } from '../../../contract/generated/operations.ts';
import { FORMAT_DESCRIPTIONS } from '../../../output/formats.ts';
import { EXIT } from '../../failure/exit-code.ts';

/** What applies to a flag of the same name in every command: its variable and what is used without either. */
export type Setting = { readonly variable?: string; readonly default?: string };

/** The shared flags that a variable can replace, or that have a default. */
export const SETTINGS: Readonly<Record<string, Setting>> = {
  profile: { variable: 'PAYCTL_PROFILE', default: 'the active profile' },
  'base-url': { variable: 'PAYCTL_BASE_URL' },
  instance: { variable: 'PAYCTL_INSTANCE' },
  proxy: { variable: 'PAYCTL_PROXY' },
  'merchant-account': { variable: 'PAYCTL_MERCHANT_ACCOUNT', default: 'none; the header is not sent' },
  timeout: { variable: 'PAYCTL_TIMEOUT', default: '30s' },
  'max-retries': { variable: 'PAYCTL_MAX_RETRIES', default: '3' },
  output: { variable: 'PAYCTL_OUTPUT', default: 'table' },
  'no-input': { variable: 'PAYCTL_NO_INPUT' },
  utc: { variable: 'PAYCTL_UTC' },
  verbose: { variable: 'PAYCTL_VERBOSE' },
  'no-color': { variable: 'NO_COLOR' },
};

/** What each variable does, in the order in which the topic `environment` lists them. */
const VARIABLES: Readonly<Record<string, string>> = {
  PAYCTL_PROFILE: 'Name of the active profile.',
  PAYCTL_BASE_URL: 'Base URL of the service; {id} is replaced by the instance.',
  PAYCTL_INSTANCE: 'Instance that replaces {id} in the base URL.',
  PAYCTL_MERCHANT_ACCOUNT: 'Merchant account to use.',
  PAYCTL_MERCHANT_HEADER: `Name of the merchant account header. Default: ${MERCHANT_HEADER}.`,
  PAYCTL_WEBHOOK_HEADER_PREFIX: 'Prefix of the names of the headers of webhooks. Default: x-service-.',
  PAYCTL_WEBHOOK_SECRET: 'Secret that webhooks are signed with; two, one a line, while it is rotated.',
  PAYCTL_ENVIRONMENT: 'Set to production to confirm every change as in a profile marked production.',
  PAYCTL_READ_ONLY: 'Set to 1 to refuse every command that changes something.',
  PAYCTL_TOKEN: 'Token to send unchanged, instead of signing one.',
  PAYCTL_TOKEN_FILE: 'File that contains such a token.',
  PAYCTL_PRIVATE_KEY: 'Private key to sign tokens with: PEM, or base64-encoded PEM.',
  PAYCTL_PRIVATE_KEY_FILE: 'File that contains such a key.',
  PAYCTL_API_KEY:
    'API key for a service whose API description takes one, or a JSON object of several by their names.',
  PAYCTL_API_KEY_FILE: 'File that contains such API keys.',
  PAYCTL_BASIC_AUTH: 'USER:PASSWORD for a service whose API description takes HTTP Basic.',
  PAYCTL_BASIC_AUTH_FILE: 'File that contains such a pair.',
  PAYCTL_TIMEOUT: 'Time limit per attempt, such as 500ms, 30s or 2m. Default: 30s.',
  PAYCTL_MAX_RETRIES: 'Maximum number of retries, 0 to 10. Default: 3.',
  PAYCTL_OUTPUT: 'Output format. Default: table.',
  PAYCTL_NO_INPUT:
    'Set to 1 to ask nothing and open no pager; where there would be a question, payctl fails.',
  PAYCTL_UTC: 'Set to 1 to show times in UTC on a terminal, not in local time.',
  PAYCTL_VERBOSE: 'Set to 1 to log requests and responses to stderr.',
  PAYCTL_PROXY: 'HTTP proxy to connect through; may contain credentials: http://USER:PASSWORD@HOST:PORT.',
  HTTPS_PROXY: 'The same for all programs; used if PAYCTL_PROXY is not set.',
  https_proxy: 'Takes precedence over HTTPS_PROXY.',
  ALL_PROXY: 'The same; used if HTTPS_PROXY is not set.',
  all_proxy: 'Takes precedence over ALL_PROXY.',
  NO_PROXY: 'Hosts that are reached without a proxy, separated by commas.',
  no_proxy: 'Takes precedence over NO_PROXY.',
  NODE_TLS_REJECT_UNAUTHORIZED: 'If it is 0, payctl refuses to send anything over https.',
  NODE_EXTRA_CA_CERTS:
    'PEM file of certificate authorities to trust in addition to those of Node and the operating system.',
  PAYCTL_CONFIG_DIR:
    "Directory for profiles, stored secrets and the emulator's data. Default: the configuration directory of the platform.",
  PAYCTL_DESCRIPTION:
    'API description to use instead of an imported one: a file of OpenAPI 3.0 to 3.2 or Swagger 2.0.',
  PAYCTL_EMULATOR_UNTIL:
    'Last day of the records that the emulator generates, such as 2026-03-01. Default: today; before 09:00 UTC, yesterday.',
  NO_COLOR: 'Set to any value to turn colour off.',
  FORCE_COLOR: 'Set to 1 to use colour even if the output is not a terminal, and to 0 to turn colour off.',
  PAYCTL_PAGER:
    'Pager for output longer than the terminal; cat turns paging off. Default: PAGER, or less; on Windows none.',
  PAGER: 'The same for all programs.',
  TERM: 'Type of the terminal. If it is dumb, payctl uses neither colour nor progress lines.',
};

/** The variables that payctl reads, with what they do. */
export function variables(): [name: string, text: string][] {
  const read = new Set<string>(Object.values(ENVIRONMENT_VARIABLES));
  return Object.entries(VARIABLES).filter(([name]) => read.has(name));
}

/** The exit codes with their meaning, in order. */
export const EXIT_CODES: readonly (readonly [code: number, meaning: string])[] = [
  [EXIT.done, 'Done.'],
  [
    EXIT.failure,
    'The result cannot be shown: a --jq expression fails on it, stdout or a file cannot be written, several items match where one is needed, payctl api diff found breaking changes, or payctl webhooks verify found an incorrect signature. If the command changes something, the change was made. Also the code of a bug in payctl.',
  ],
  [
    EXIT.usage,
    'Incorrect usage: an unknown command, flag or column, an invalid value or body, or a change that was not confirmed. Nothing was sent. Also, without an error, payctl buyers find if you choose none of several.',
  ],
  [EXIT.credentials, 'There are no usable credentials, or the service responded with 401.'],
  [EXIT.forbidden, 'The credentials do not allow this: 403.'],
  [EXIT.notFound, 'There is no such resource, or the credentials do not show it: 404.'],
  [
    EXIT.refused,
    'The service refused the request: 400, 405, 409, 422 or another 4xx. A webhook receiver refused an event.',
  ],
  [EXIT.throttled, 'The service is busy: 425 or 429 after all retries.'],
  [
    EXIT.serverError,
    'The service failed: 5xx after all retries, or a payment service that reports a failure.',
  ],
  [
    EXIT.noResponse,
    'There is no response: DNS, connection, TLS, timeout, or one that is broken or cannot be read.',
  ],
  [129, 'The terminal was closed (SIGHUP).'],
  [EXIT.interrupted, 'Stopped with Ctrl-C; payctl emulator start and payctl webhooks listen end with 0.'],
  [143, 'Stopped by SIGTERM; payctl emulator start and payctl webhooks listen end with 0.'],
];

/** The output formats with what they are, in the order of --output. */
export function formats(): [name: string, text: string][] {
  return Object.entries(FORMAT_DESCRIPTIONS);
}
