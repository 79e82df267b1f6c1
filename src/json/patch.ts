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

/** Makes the error for a patch that cannot be applied: where in it, as a JSON pointer, and why. */
type Refuse = (pointer: string, message: string) => Error;

/**
 * Applies a JSON Patch (RFC 6902) to a value, which stays as it is.
 * @throws what `refuse` makes, for an unknown operation, a path that leads nowhere, and a test that fails
 */
export function applyPatch(value: unknown, operations: unknown, refuse: Refuse): unknown {
  if (!Array.isArray(operations)) throw refuse('', 'must be a list of operations');
  return operations.reduce((before, operation, index) => {
    return apply(before, operation, (pointer, message) => refuse(`/${index}${pointer}`, message));
  }, value);
}

const OPERATIONS: readonly unknown[] = ['add', 'copy', 'move', 'remove', 'replace', 'test'];

function apply(value: unknown, operation: unknown, refuse: Refuse): unknown {
  const { op, path, from, value: given } = isObject(operation) ? operation : {};
  if (typeof path !== 'string') throw refuse('', 'must be an operation with a path');
  if (!OPERATIONS.includes(op)) throw refuse('/op', 'must be add, copy, move, remove, replace or test');
  const isFrom = op === 'move' || op === 'copy';
  const source = isFrom ? String(from) : path;
  const old = op === 'add' ? given : valueAtPointer(value, source);
  if (old === undefined && op !== 'add') throw refuse(isFrom ? '/from' : '/path', NOWHERE);
  if (op === 'test' && isDeepStrictEqual(old, given)) return value;
  if (op === 'test') throw refuse('/value', 'differs from the record');
  const isKept = op === 'add' || op === 'copy';
  const rest = isKept ? value : changed(value, segmentsOf(source), { refuse });
  return op === 'remove' ? rest : changed(rest, segmentsOf(path), { refuse, set: isFrom ? old : given });
}

const NOWHERE = 'leads to nothing in the record';

type Change = { readonly refuse: Refuse; readonly set?: unknown };

/** The value with another one added at the end of these names, or without it where there is none to set. */
function changed(value: unknown, [name, ...inner]: readonly string[], change: Change): unknown {
  if (name === undefined) return change.set;
  const isLast = inner.length === 0;
  const isGone = isLast && !('set' in change);
  if (Array.isArray(value)) {
    const index = name === '-' ? value.length : Number(name);
    if (!Number.isInteger(index) || index < 0 || index > value.length) throw change.refuse('/path', NOWHERE);
    const added = isGone ? [] : [changed(isLast ? undefined : value[index], inner, change)];
    return value.toSpliced(index, isLast && !isGone ? 0 : 1, ...added);
  }
  if (!isObject(value)) throw change.refuse('/path', NOWHERE);
  const { [name]: old, ...others } = value;
  return isGone ? others : { ...others, [name]: changed(old, inner, change) };
}
