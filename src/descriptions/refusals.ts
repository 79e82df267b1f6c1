import { isObject } from '../json/is-object.ts';
import type { Refusals } from './complete-operation.ts';
import { readContent } from './content.ts';
import type { Declaration, OperationContext } from './declaration.ts';
import { type DocumentLocation, locationBelow, NotRunnable } from './references.ts';

/** Reads the schemas of the error responses that are JSON. Those that cannot be read are left out; undefined where none is left. */
export function readRefusals(
  { value, location }: Declaration,
  context: OperationContext,
): Refusals | undefined {
  const { responses } = value;
  const described = Object.entries(isObject(responses) ? responses : {});
  // Where nothing else is a success, `default` is.
  const isError = described.some(([status]) => status.startsWith('2')) ? /^(?:[45]|default$)/i : /^[45]/;
  const all = described.flatMap(([status, response]) => {
    if (!isError.test(status)) return [];
    const at = locationBelow(location, 'responses', status);
    const refusal = readRefusal(response, at, context);
    return refusal ? [[status.toLowerCase(), refusal] as const] : [];
  });
  return all.length > 0 ? Object.fromEntries(all) : undefined;
}

function readRefusal(response: unknown, location: DocumentLocation, context: OperationContext) {
  const needed = { name: 'An error', location };
  try {
    const { best } = readContent(context.references.require(response, location, needed), needed, context);
    if (best?.kind !== 'json' || best.schema === undefined) return undefined;
    const { ownType: type } = best;
    return { ...context.schemas.convert(best.schema, best.location), ...(type !== undefined && { type }) };
  } catch (error) {
    if (error instanceof NotRunnable) return undefined;
    throw error;
  }
}
