import { isDeepStrictEqual } from 'node:util';
import { segmentsOf, valueAtPointer } from '../../descriptions/schema-at.ts';
import { isObject } from '../../json/is-object.ts';
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

const OPERATIONS: readonly unknown[] = ['add', 'copy', 'move', 'remove', 'replace', 'test'];

function apply(value: unknown, operation: unknown, place: string): unknown {
  const { op, path, from, value: given } = isObject(operation) ? operation : {};
  if (typeof path !== 'string') throw refused(place, 'must be an operation with a path');
  if (!OPERATIONS.includes(op))
    throw refused(`${place}/op`, 'must be add, copy, move, remove, replace or test');
  const found = (name: string, pointer: string): unknown => {
    const at = valueAtPointer(value, pointer);
    if (at === undefined) throw refused(`${place}/${name}`, 'leads to nothing in the record');
    return at;
  };
  const isFrom = op === 'move' || op === 'copy';
  const set = isFrom ? found('from', String(from)) : given;
  const old = op === 'add' || isFrom ? undefined : found('path', path);
  if (op === 'test' && isDeepStrictEqual(old, given)) return value;
  if (op === 'test') throw refused(`${place}/value`, 'differs from the record');
  const without = op === 'move' ? changed(value, segmentsOf(String(from)), { place }) : value;
  const isAdded = op !== 'replace';
  return changed(without, segmentsOf(path), op === 'remove' ? { place } : { place, set, isAdded });
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
