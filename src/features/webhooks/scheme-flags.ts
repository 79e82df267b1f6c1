import { FlagError, type FlagValues, textFlag } from '../../cli/flags/types.ts';
import type { Runtime } from '../../cli/runtime.ts';
import type { Session } from '../../cli/session/session.ts';
import { LIFETIMES, parseDuration } from '../../config/values.ts';
import { UsageError } from '../../errors.ts';
import { valueAt } from '../../output/columns.ts';
import { inShell } from '../../text/shell.ts';
import { HEADER_PREFIX, headerNames, type Scheme, TOLERANCE_MS } from '../../webhooks/signature.ts';

/** How deliveries are signed: the names of their headers, the secrets and the tolerance of timestamps. */
export function schemeFlags() {
  return {
    ...secretFlags(),
    tolerance: textFlag({
      summary: 'How old a timestamp may be, or how far in the future. Default: 5m.',
      helpValue: 'DURATION',
    }),
  };
}

/** The same without the tolerance, for commands that only sign. */
export function secretFlags() {
  return {
    secret: textFlag({
      summary: 'File with the secret, or with two, one per line, during a rotation.',
      helpValue: '@FILE',
    }),
    subscription: textFlag({
      summary: 'Use the secret of this subscription, which is read from the API.',
      helpValue: 'ID',
      exclusive: ['secret'],
    }),
    ...headerPrefixFlag(),
  };
}

/** What the names of the headers begin with. */
export function headerPrefixFlag() {
  return {
    'header-prefix': textFlag({
      summary: `Prefix of the headers of deliveries. Default: ${HEADER_PREFIX}.`,
      helpValue: 'PREFIX',
    }),
  };
}

/** What `schemeFlags` and `secretFlags` parse to. `--header-prefix` is among the settings. */
export type SchemeFlagValues = Omit<FlagValues<typeof schemeFlags>, 'header-prefix'>;

/** What a scheme is resolved with; the session connects only for `--subscription`. */
export type SchemeParts = {
  readonly session: Pick<Session, 'settings' | 'display' | 'signal' | 'client'>;
  readonly runtime: Runtime;
};

/**
 * The scheme that flags and settings give. The secret is that of a flag, else of PAYCTL_WEBHOOK_SECRET; it is redacted from all that is
 * printed from now on.
 * @throws FlagError for a secret that is an argument; UsageError `unreadable_file`, `invalid_secret`, `secret_masked`,
 * `invalid_duration`; NotFoundError without such a subscription; what a request throws
 */
export async function resolveScheme(flags: SchemeFlagValues, parts: SchemeParts): Promise<Scheme> {
  const { settings, display } = parts.session;
  const toleranceMs =
    flags.tolerance === undefined ? TOLERANCE_MS : parseDuration(flags.tolerance, '--tolerance', LIFETIMES);
  const secrets = await findSecrets(flags, parts);
  for (const secret of secrets) display.addSecret(secret);
  return { names: headerNames(settings.webhookHeaderPrefix.value ?? HEADER_PREFIX), secrets, toleranceMs };
}

/** Where a secret can come from, for messages about a missing one. */
export const SECRET_SOURCES = inShell('--secret @FILE, --subscription ID or PAYCTL_WEBHOOK_SECRET');

async function findSecrets(
  { secret, subscription }: SchemeFlagValues,
  parts: SchemeParts,
): Promise<readonly string[]> {
  if (secret !== undefined) return secretsIn(await readSecrets(secret, parts), '--secret');
  if (subscription !== undefined) return [await secretOf(subscription, parts)];
  const { webhookSecret } = parts.runtime.environment;
  return webhookSecret === undefined ? [] : secretsIn(webhookSecret, 'PAYCTL_WEBHOOK_SECRET');
}

async function readSecrets(given: string, { session, runtime }: SchemeParts): Promise<string> {
  if (given === '-' || given === '@-') {
    throw new FlagError('--secret cannot read standard input', inShell('Use a file: --secret @FILE'));
  }
  const path = given.slice(1);
  if (!given.startsWith('@') || path === '') {
    throw new FlagError(
      '--secret takes a file, because a secret must not be an argument',
      inShell(
        'Other processes on this machine can read arguments. Write the secret to a file, and use --secret @FILE',
      ),
    );
  }
  const { openFileWarning, readSecretFile } = await import('../../credentials/read.ts');
  try {
    const { text, openMode } = await readSecretFile(path, runtime.signal);
    if (openMode) {
      session.display.warn('secret_file_open', openFileWarning('The file of --secret', path, openMode));
    }
    return text;
  } catch (error) {
    const { unreadableInput } = await import('../../files/read-input.ts');
    const hint = 'Check the path and your permission to read the file.';
    throw unreadableInput(`--secret cannot read the file ${path}`, error, hint);
  }
}

/** The old and the new secret, while receivers change from one to the other. */
const MOST_SECRETS = 2;

/** The secrets in a text, one a line; the line end of the last one is not part of it. */
function secretsIn(text: string, origin: string): readonly string[] {
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  if (lines.includes('')) {
    const problem = lines.length === 1 ? `${origin} is empty` : `${origin} contains an empty line`;
    throw new UsageError('invalid_secret', problem, { hint: 'It must contain the secret and nothing else.' });
  }
  if (lines.length > MOST_SECRETS) {
    throw new UsageError('invalid_secret', `${origin} contains ${lines.length} lines`, {
      hint: `It can contain ${MOST_SECRETS} secrets, one a line, while a secret is rotated.`,
    });
  }
  return lines;
}

async function secretOf(id: string, { session }: SchemeParts): Promise<string> {
  const { findItem } = await import('../../cli/get-command.ts');
  const { operations } = await import('../../contract/generated/operations.ts');
  const operation = operations.listWebhookSubscriptions;
  const { lists } = await session.client();
  const search = { noun: 'webhook subscription', id, query: {}, revealPii: false, operation, where: '' };
  const { item } = (await findItem(session, lists.listWebhookSubscriptions, search)).found;
  const secret = valueAt(item, 'secret');
  if (typeof secret === 'string' && secret !== '' && !/^[*•x]*$/i.test(secret)) return secret;
  const isMasked = typeof secret === 'string' && secret !== '';
  throw new UsageError(
    'secret_masked',
    isMasked
      ? `The service masks the secret of the subscription ${id}`
      : `The service does not give the secret of the subscription ${id}`,
    { hint: inShell('Write the secret to a file, and use --secret @FILE') },
  );
}
