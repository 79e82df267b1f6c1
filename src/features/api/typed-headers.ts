import { FlagError } from '../../cli/flags/types.ts';
import { readSecretText } from '../../cli/read-body.ts';
import type { Runtime } from '../../cli/runtime.ts';
import { MERCHANT_HEADER } from '../../contract/generated/operations.ts';
import type { Operation } from '../../contract/operation.ts';
import { isSecretName } from '../../contract/secret-names.ts';
import { FIELD_NAME, isNeverSent, isOwnHeader } from '../../descriptions/header-names.ts';
import { quote } from '../../text/format.ts';
import { inShell, shellQuote } from '../../text/shell.ts';

/** What is needed to read the headers of `--header`. */
export type TypedHeaderParts = {
  /** The values of the flag. */
  readonly given: readonly string[];
  readonly operation: Pick<Operation, 'idempotencyHeader' | 'security'>;
  /** The flags of the headers that the description names, without dashes, by the names of the headers. */
  readonly flags?: ReadonlyMap<string, string> | undefined;
  /** The merchant account header of the description. */
  readonly merchantHeader?: string | undefined;
  readonly runtime: Runtime;
};

/** Headers by their names in lower case. */
export type TypedHeaders = {
  readonly headers: Readonly<Record<string, string>>;
  /** Headers with values from a file or standard input, which are never shown. */
  readonly secrets?: Readonly<Record<string, string>> | undefined;
};

/**
 * Reads headers of the form `NAME: VALUE`. A value `@FILE`, or `-` for standard input, is a secret.
 * @throws FlagError for a header that payctl sets itself, a secret on the command line, and what no header can have; UsageError
 * `unreadable_file`
 */
export async function typedHeaders(parts: TypedHeaderParts): Promise<TypedHeaders> {
  const headers: Record<string, string> = {};
  const secrets: Record<string, string> = {};
  for (const text of parts.given) {
    const [, typed = '', value = ''] = /^([^:]*):[ \t]*(.*)$/s.exec(text) ?? [];
    if (!FIELD_NAME.test(typed)) throw new FlagError('--header must be NAME: VALUE', example());
    const name = typed.toLowerCase();
    requireFree(name, parts);
    if (name in headers || name in secrets) throw new FlagError(`--header gives ${quote(typed)} twice`);
    if (value === '-' || value.startsWith('@')) {
      secrets[name] = requireSendable(typed, await readSecretText(value, `--header ${typed}`, parts.runtime));
      continue;
    }
    if (isSecretName(name) || isCredential(name, parts.operation)) {
      throw new FlagError(
        `--header ${typed} takes a secret, which must not be an argument`,
        `Other processes on this machine can read arguments. Use ${shellQuote(`${typed}: @FILE`)}, or ${shellQuote(`${typed}: -`)} for standard input.`,
      );
    }
    headers[name] = requireSendable(typed, value);
  }
  return { headers, ...(Object.keys(secrets).length > 0 && { secrets }) };
}

const example = () =>
  inShell("For example: --header 'X-Request-Source: nightly'. A secret: --header 'X-Key: @FILE'.");

function isCredential(name: string, { security = [] }: TypedHeaderParts['operation']): boolean {
  return security
    .flat()
    .some((scheme) => scheme.type === 'apiKey' && scheme.in === 'header' && scheme.name === name);
}

/** @throws FlagError for a header that another flag, payctl or the connection sets */
function requireFree(name: string, { operation, flags, merchantHeader }: TypedHeaderParts): void {
  const flag = flags?.get(name);
  const otherwise =
    flag !== undefined
      ? `Use its own flag: --${flag}`
      : name === operation.idempotencyHeader || name === 'idempotency-key'
        ? 'Use its own flag: --idempotency-key'
        : name === merchantHeader || name === MERCHANT_HEADER
          ? 'Use its own flag: --merchant-account'
          : name === 'authorization'
            ? 'payctl sends the credentials of the profile. Store them: payctl auth login'
            : undefined;
  const isSet = isOwnHeader(name) || isNeverSent(name);
  if (otherwise === undefined && !isSet) return;
  throw new FlagError(
    `--header cannot set ${quote(name)}`,
    otherwise ?? 'payctl or the connection sets it, or it would change what the request is.',
  );
}

/** Values that every server accepts in a header: other characters may be changed or refused on the way. */
const VALUE = /^[!-~](?:[ -~]{0,8000}[!-~])?$/;

function requireSendable(name: string, value: string): string {
  if (VALUE.test(value)) return value;
  throw new FlagError(
    `--header ${name} must be 1 to 8000 printable ASCII characters without blanks at its ends`,
    'Line breaks cannot be sent in a header.',
  );
}
