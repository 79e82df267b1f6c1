import { operationAccess } from '../../cli/routing/catalog/allowed-operations.ts';
import { descriptionInUse } from '../../cli/session/description-in-use.ts';
import { PayctlError } from '../../errors.ts';
import { plural } from '../../text/format.ts';
import type { DoctorContext } from './context.ts';
import type { OpenCredentials } from './credentials.ts';
import { type CheckResult, fail, pass, warn } from './finding.ts';

/** Refused operations that the message names; the facts have all of them. */
const MOST_NAMED = 5;

/** What the credentials may call of the imported description; undefined where there is none. */
export async function checkDescription(
  { settings, runtime }: Pick<DoctorContext, 'settings' | 'runtime'>,
  credentials: OpenCredentials | undefined,
): Promise<CheckResult | undefined> {
  try {
    const { environment } = runtime;
    const described = await descriptionInUse({ environment, profile: settings.profile.value?.name });
    return described && evaluate(described.index, credentials);
  } catch (error) {
    if (!(error instanceof PayctlError)) throw error;
    return fail(error.message, error.hint);
  }
}

function evaluate(
  index: Parameters<typeof operationAccess>[1],
  credentials: OpenCredentials | undefined,
): CheckResult {
  const { total, title } = { total: index.operations.length, title: index.title };
  const count = plural(total, 'operation');
  if (!credentials) return pass(`${title} describes ${count}`, { title, operations: total });
  if (credentials.source.kind === 'key') {
    return keySigns(index);
  }
  const held = credentials.claims?.scopes;
  const { allowed, refused, unknown } = operationAccess(held, index);
  const facts = {
    title,
    operations: total,
    allowed: allowed.length,
    refused: refused.map(({ id }) => id),
    unknown: unknown.length,
  };
  if (unknown.length === total) {
    const reason = held === undefined ? 'the token names no scopes' : `${title} names none`;
    return pass(
      `payctl cannot compare the scopes of ${count} of ${title}: ${reason}; the service decides`,
      facts,
    );
  }
  const named = refused.slice(0, MOST_NAMED).map(({ command }) => command);
  const left = refused.length - named.length;
  const parts = [
    `the token allows ${allowed.length} of ${count} of ${title}`,
    ...(refused.length > 0 ? [`not allowed: ${named.join(', ')}${left > 0 ? ` and ${left} more` : ''}`] : []),
    ...(unknown.length > 0 ? [`${unknown.length} without a scope to compare`] : []),
  ];
  const message = parts.join('; ');
  if (refused.length === 0) return pass(message, facts);
  const scopes = [...new Set(refused.flatMap((operation) => operation.scopes.slice(0, 1)))].sort();
  const shown = scopes.slice(0, MOST_NAMED).join(', ');
  return warn(
    message,
    `Get a token that also has these scopes: ${shown}${scopes.length > MOST_NAMED ? ', ...' : ''}.`,
    facts,
  );
}

/** A key signs tokens with the scopes that an operation names; if it names none, the user gives them with --scope. */
function keySigns({ title, operations }: Parameters<typeof operationAccess>[1]): CheckResult {
  const unnamed = operations.filter(({ scopes }) => scopes.length === 0).length;
  const count = plural(operations.length, 'operation');
  const facts = { title, operations: operations.length, unknown: unnamed };
  if (unnamed === operations.length) {
    return pass(
      `${title} describes ${count} and names no scopes: with a key, add --scope to each call`,
      facts,
    );
  }
  const signed =
    unnamed === 0
      ? 'the key signs a token with the scopes of each'
      : `the key signs a token with the scopes of ${operations.length - unnamed}; for the other ${unnamed}, add --scope`;
  return pass(`${title} describes ${count}; ${signed}`, facts);
}
