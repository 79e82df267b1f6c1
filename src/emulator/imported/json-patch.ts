import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../json/is-object.ts';
import { segmentsOf, valueAtPointer } from '../../schemas/schema-at.ts';
import { bodyError } from '../http/body.ts';
import type { HttpError } from '../http/response.ts';

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
  const isFrom = op === 'move' || op === 'copy';
  const source = isFrom ? String(from) : path;
  const old = op === 'add' ? given : valueAtPointer(value, source);
  if (old === undefined && op !== 'add')
    throw refused(`${place}/${isFrom ? 'from' : 'path'}`, 'leads to nothing in the record');
  if (op === 'test' && isDeepStrictEqual(old, given)) return value;
  if (op === 'test') throw refused(`${place}/value`, 'differs from the record');
  const isKept = op === 'add' || op === 'copy';
  const rest = isKept ? value : changed(value, segmentsOf(source), { place });
  return op === 'remove' ? rest : changed(rest, segmentsOf(path), { place, set: isFrom ? old : given });
}

type Change = { readonly place: string; readonly set?: unknown };

/** The value with another one added at the end of these names, or without it where there is none to set. */
function changed(value: unknown, [name, ...inner]: readonly string[], change: Change): unknown {
  if (name === undefined) return change.set;
  const isLast = inner.length === 0;
  const isGone = isLast && !('set' in change);
  if (Array.isArray(value)) {
    const index = name === '-' ? value.length : Number(name);
    if (!Number.isInteger(index) || index < 0 || index > value.length)
      throw refused(`${change.place}/path`, 'leads to nothing in the record');
    const added = isGone ? [] : [changed(isLast ? undefined : value[index], inner, change)];
    return value.toSpliced(index, isLast && !isGone ? 0 : 1, ...added);
  }
  if (!isObject(value)) throw refused(`${change.place}/path`, 'leads to nothing in the record');
  const { [name]: old, ...others } = value;
  return isGone ? others : { ...others, [name]: changed(old, inner, change) };
}

function refused(pointer: string, message: string): HttpError {
  return bodyError('value_error.json_patch', message, pointer);
}
