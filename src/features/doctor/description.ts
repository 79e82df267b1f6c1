import { EXIT } from '../../cli/failure/exit-code.ts';
import { operationAccess } from '../../cli/routing/catalog/allowed-operations.ts';
import { credentialInputs } from '../../cli/session/credential-inputs.ts';
import { descriptionInUse } from '../../cli/session/description-in-use.ts';
import { chooseCredentials, missingKind, remedyForKind } from '../../cli/session/request-credentials.ts';
import { type CredentialSource, listCredentialSources } from '../../credentials/sources.ts';
import type { ImportedDescription, IndexedOperation } from '../../descriptions/imported-operation.ts';
import { describeSecurity } from '../../descriptions/security-words.ts';
import { PayctlError } from '../../errors.ts';
import { plural } from '../../text/format.ts';
import type { DoctorContext } from './context.ts';
import type { OpenCredentials } from './credentials.ts';
import { type CheckResult, fail, pass, warn } from './finding.ts';

/** Refused operations that the message names; the facts have all of them. */
const MOST_NAMED = 5;

/** What the credentials may call of the imported description; undefined where there is none. */
export async function checkDescription(
  context: Pick<DoctorContext, 'settings' | 'runtime' | 'target'>,
  credentials: OpenCredentials | undefined,
): Promise<CheckResult | undefined> {
  const { settings, runtime } = context;
  try {
    const { environment } = runtime;
    const described = await descriptionInUse({ environment, profile: settings.profile.value?.name });
    if (!described) return undefined;
    const { operations } = described.index;
    return operations.some(({ security }) => security !== undefined)
      ? evaluateSecurity(described.index, listCredentialSources(credentialInputs(context)), context)
      : evaluate(described.index, credentials);
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

/** Checks that the credentials that each operation takes are configured. The emulator accepts its own key for all operations. */
function evaluateSecurity(
  { title, operations }: ImportedDescription,
  sources: readonly CredentialSource[],
  { settings, target }: Pick<DoctorContext, 'settings' | 'target'>,
): CheckResult {
  const count = plural(operations.length, 'operation');
  const canSend = ({ security }: IndexedOperation) =>
    chooseCredentials(security, sources) !== undefined || (target.isEmulator && sources.length > 0);
  const [allowed, lacking] = [operations.filter(canSend), operations.filter((one) => !canSend(one))];
  const needs = Map.groupBy(lacking, ({ security }) => (security ? describeSecurity(security) : 'a token'));
  const facts = {
    title,
    operations: operations.length,
    allowed: allowed.length,
    lacking: [...needs].map(([credentials, group]) => ({ needs: credentials, operations: group.length })),
  };
  const [first] = lacking;
  // The check of the credentials has failed, and says what is needed.
  if (sources.length === 0)
    return pass(`${title} describes ${count}`, { title, operations: operations.length });
  if (!first) return pass(`the credentials suffice for ${count} of ${title}`, facts);
  const parts = [...needs].map(([credentials, { length }]) => `${credentials}, for ${length} of ${count}`);
  const remedy = remedyForKind(missingKind(first.security ?? [], sources), settings);
  const message = `${title} needs credentials that are not configured: ${parts.join('; ')}`;
  return allowed.length > 0
    ? warn(message, remedy, facts)
    : { ...fail(message, remedy, facts), exitCode: EXIT.credentials };
}

/** The credentials that the imported description needs first; undefined if it needs none but a token. */
export async function neededFirst({
  settings,
  runtime: { environment },
}: Pick<DoctorContext, 'settings' | 'runtime'>): Promise<CheckResult | undefined> {
  const described = await descriptionInUse({ environment, profile: settings.profile.value?.name });
  const { title, operations } = described?.index ?? { title: '', operations: [] };
  const needy = operations.find(({ security }) => security && !chooseCredentials(security, []));
  if (!needy?.security) return undefined;
  const message = `no credentials are configured; ${title} needs ${describeSecurity(needy.security)}`;
  return fail(message, remedyForKind(missingKind(needy.security, []), settings));
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
