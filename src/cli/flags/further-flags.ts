import type { Environment } from '../../config/environment.ts';
import type { Operation } from '../../contract/operation.ts';
import { openDescription } from '../session/open-description.ts';
import { type ParameterFlags, parameterFlags } from './parameters.ts';

/** Flags for parameters that payctl's own contract does not have, and the parameters themselves. */
export type FurtherFlags = ParameterFlags & { readonly query: Operation['query'] };

type Taken = {
  readonly argv: readonly string[];
  readonly environment: Environment;
  readonly taken: readonly string[];
};

/**
 * The flags of the parameters that the imported description of a run knows for an operation of payctl's own contract, in addition to
 * those that the contract knows; undefined where there are none. `taken` are the flags that the command has.
 * @throws UsageError as `openDescription`
 */
export async function furtherFlags(
  operation: Operation,
  { argv, environment, taken }: Taken,
): Promise<FurtherFlags | undefined> {
  const description = await openDescription(argv, environment);
  const indexed = description?.index.operations.find((one) => shapeOf(one) === shapeOf(operation));
  if (!description || !indexed) return undefined;
  const entries = Object.entries(description.operation(indexed).query);
  const query = Object.fromEntries(entries.filter(([name]) => !Object.hasOwn(operation.query, name)));
  if (Object.keys(query).length === 0) return undefined;
  return { ...parameterFlags(query, [...taken, 'help', 'version']), query };
}

/** A path parameter may have another name. */
function shapeOf({ method, path }: Pick<Operation, 'method' | 'path'>): string {
  return `${method} ${path.replaceAll(/\{[^{}]*\}/g, '{}')}`;
}

export { readParameters } from './parameters.ts';
