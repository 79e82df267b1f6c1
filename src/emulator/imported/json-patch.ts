import { isDeepStrictEqual } from 'node:util';
import { segmentsOf } from '../../descriptions/schema-at.ts';
import { isObject, own } from '../../json/is-object.ts';
import { HttpError } from '../http/response.ts';

/** The media type of a JSON Patch. */
export const JSON_PATCH = 'application/json-patch+json';

/**
 * Applies a JSON Patch (RFC 6902) to a value, which stays as it is.
 * @throws HttpError `bad_request` for an unknown operation, a path that leads nowhere, and a test that fails
 */
export function applyPatch(value: unknown, operations: unknown): unknown {
  if (!Array.isArray(operations)) throw refused('', 'must be a list of operations');
  return operations.reduce((at, operation, index) => apply(at, operation, `/${index}`), value);
}

function apply(value: unknown, operation: unknown, place: string): unknown {
  const { op, path, from, value: given } = isObject(operation) ? operation : {};
  if (typeof path !== 'string') throw refused(place, 'must be an operation with a path');
  const isFrom = op === 'move' || op === 'copy';
  const source = isFrom ? found(value, String(from), `${place}/from`) : given;
  switch (op) {
    case 'add':
    case 'copy':
      return changed(value, segmentsOf(path), { place, set: source, isAdded: true });
    case 'move': {
      const without = changed(value, segmentsOf(String(from)), { place });
      return changed(without, segmentsOf(path), { place, set: source, isAdded: true });
    }
    case 'replace':
    case 'remove':
      found(value, path, `${place}/path`);
      return changed(value, segmentsOf(path), { place, ...(op === 'replace' && { set: given }) });
    case 'test':
      if (isDeepStrictEqual(found(value, path, `${place}/path`), given)) return value;
      throw refused(`${place}/value`, 'differs from the record');
    default:
      throw refused(`${place}/op`, 'must be add, copy, move, remove, replace or test');
  }
}

function found(value: unknown, pointer: string, place: string): unknown {
  let at = value;
  for (const name of segmentsOf(pointer)) {
    const next: unknown = Array.isArray(at) ? at[Number(name)] : isObject(at) ? own(at, name) : undefined;
    if (next === undefined) throw refused(place, 'leads to nothing in the record');
    at = next;
  }
  return at;
}

type Change = { readonly place: string; readonly set?: unknown; readonly isAdded?: boolean };

/** The value with another one at the end of these names, or without it where there is none to set. */
function changed(value: unknown, [name, ...inner]: readonly string[], change: Change): unknown {
  if (name === undefined) return change.set;
  const isGone = inner.length === 0 && !('set' in change);
  if (Array.isArray(value)) {
    const index = name === '-' ? value.length : Number(name);
    if (!Number.isInteger(index) || index < 0 || index > value.length)
      throw refused(`${change.place}/path`, 'leads to nothing in the record');
    if (isGone) return value.toSpliced(index, 1);
    const next = changed(value[index], inner, change);
    return value.toSpliced(index, inner.length === 0 && change.isAdded ? 0 : 1, next);
  }
  if (!isObject(value)) throw refused(`${change.place}/path`, 'leads to nothing in the record');
  const { [name]: old, ...others } = value;
  return isGone ? others : { ...others, [name]: changed(old, inner, change) };
}

function refused(pointer: string, message: string): HttpError {
  const detail = { type: 'value_error.json_patch', pointer, message, location: 'body' as const };
  return new HttpError('bad_request', { details: [detail] });
}
