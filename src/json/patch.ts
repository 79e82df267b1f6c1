import { isDeepStrictEqual } from 'node:util';
import { isObject } from './is-object.ts';
import { segmentsOf, valueAtPointer } from './pointer.ts';

/** Applies a merge patch (RFC 7396): members of objects are set one by one, and null removes one. */
export function mergePatch(value: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const entries = new Map(Object.entries(isObject(value) ? value : {}));
  for (const [name, member] of Object.entries(patch)) {
    if (member === null) entries.delete(name);
    else entries.set(name, mergePatch(entries.get(name), member));
  }
  return Object.fromEntries(entries);
}

/** Why a JSON Patch cannot be applied, and where in it, as a JSON pointer. */
export class PatchError extends Error {
  readonly pointer: string;

  constructor(pointer: string, message: string) {
    super(message);
    this.name = 'PatchError';
    this.pointer = pointer;
  }
}

/**
 * Applies a JSON Patch (RFC 6902) to a value, which stays as it is.
 * @throws PatchError for an unknown operation, a path that leads nowhere, and a test that fails
 */
export function applyPatch(value: unknown, operations: unknown): unknown {
  if (!Array.isArray(operations)) throw new PatchError('', 'must be a list of operations');
  return operations.reduce((at, operation, index) => apply(at, operation, `/${index}`), value);
}

const OPERATIONS: readonly unknown[] = ['add', 'copy', 'move', 'remove', 'replace', 'test'];

function apply(value: unknown, operation: unknown, place: string): unknown {
  const { op, path, from, value: given } = isObject(operation) ? operation : {};
  if (typeof path !== 'string') throw new PatchError(place, 'must be an operation with a path');
  if (!OPERATIONS.includes(op))
    throw new PatchError(`${place}/op`, 'must be add, copy, move, remove, replace or test');
  const isFrom = op === 'move' || op === 'copy';
  const source = isFrom ? String(from) : path;
  const old = op === 'add' ? given : valueAtPointer(value, source);
  if (old === undefined && op !== 'add')
    throw new PatchError(`${place}/${isFrom ? 'from' : 'path'}`, 'leads to nothing in the record');
  if (op === 'test' && isDeepStrictEqual(old, given)) return value;
  if (op === 'test') throw new PatchError(`${place}/value`, 'differs from the record');
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
      throw new PatchError(`${change.place}/path`, 'leads to nothing in the record');
    const added = isGone ? [] : [changed(isLast ? undefined : value[index], inner, change)];
    return value.toSpliced(index, isLast && !isGone ? 0 : 1, ...added);
  }
  if (!isObject(value)) throw new PatchError(`${change.place}/path`, 'leads to nothing in the record');
  const { [name]: old, ...others } = value;
  return isGone ? others : { ...others, [name]: changed(old, inner, change) };
}
