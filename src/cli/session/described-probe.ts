import type { Client } from '../../client/client.ts';
import { sizeParameter } from '../../contract/operation.ts';
import type { CredentialSource } from '../../credentials/sources.ts';
import type { ImportedOperation } from '../../descriptions/imported-operation.ts';
import { readOperation } from '../../descriptions/read-store.ts';
import { type Outcome, outcomeOf } from '../routing/catalog/probes.ts';
import type { DescriptionInUse } from './description-in-use.ts';
import { chooseCredentials } from './request-credentials.ts';

/**
 * An operation of an imported description to verify an API key or a password with: a GET without arguments and required parameters
 * that needs no other credentials. Prefers lists. Undefined if the description has none.
 */
export function findProbe(
  { folder, index }: Pick<DescriptionInUse, 'folder' | 'index'>,
  source: CredentialSource,
): ImportedOperation | undefined {
  const candidates = index.operations.filter(
    ({ method, security, arguments: names }) =>
      method === 'GET' && !names && security && (chooseCredentials(security, [source]) ?? []).length > 0,
  );
  const sorted = candidates.toSorted((a, b) => Number(b.isList ?? false) - Number(a.isList ?? false));
  for (const indexed of sorted) {
    const operation = readOperation(folder, indexed, { response: false });
    const parameters = [...Object.values(operation.query), ...Object.values(operation.headers ?? {})];
    if (!operation.downloadTypes && parameters.every(({ required }) => !required)) return operation;
  }
  return undefined;
}

/** Calls the operation, with a page size of 1 if it has that parameter. @throws AbortedError */
export async function callDescribedProbe(
  client: Client,
  operation: ImportedOperation,
  signal: AbortSignal,
): Promise<Outcome> {
  const size = sizeParameter(operation);
  const query = size !== undefined && (operation.query[size]?.minimum ?? 0) <= 1 ? { [size]: 1 } : {};
  return await outcomeOf(() => client.request(operation, { query, signal }));
}
