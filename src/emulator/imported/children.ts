import { oncePerObject } from '../../schemas/memoize.ts';
import { EndlessSchema } from '../../schemas/values/generate.ts';
import type { OperationRequest } from './call.ts';
import { type Kind, parameterCount } from './kinds.ts';
import type { Records } from './records.ts';
import { announce } from './save.ts';
import type { Scope, StoredRecord } from './tables.ts';

/**
 * Deletes what belongs to a deleted record, at any depth, so that a new record with its id starts without it. The audit log names
 * every deleted record.
 */
export function removeBelow(
  call: OperationRequest,
  { kind, stored }: { readonly kind: Kind; readonly stored: Pick<StoredRecord, 'id' | 'parent'> },
  ids = call.scope.ids,
): void {
  for (const one of call.records.aliases(kind)) {
    const depth = parameterCount(one.path);
    const above = depth <= ids.length ? ids.slice(0, depth) : [stored.parent];
    if (above.length === depth) removeIn(call, one, { ...call.scope, ids: [...above, stored.id] });
  }
}

/** What is below the records of a kind. */
const belowOf = oncePerObject((kind: Kind, records: Records) => {
  const all = records.all();
  const canonical = records.canonical(kind);
  const isChild = ({ parent }: Kind) => parent !== undefined && records.canonical(parent) === canonical;
  return {
    /** Kinds whose records are stored with the id of their parent. */
    children: [...new Set(all.map((one) => records.canonical(one)).filter(isChild))],
    /** Kinds whose partition is named by the ids in the path. */
    nested: records.below(`${kind.path}/{}/`),
  };
});

/** `scope` ends with the id of the record. */
function removeIn(call: OperationRequest, kind: Kind, scope: Scope): void {
  const { records } = call;
  const { children, nested } = belowOf(kind, records);
  for (const child of children) {
    // The first records of a child are made before they are deleted, so that a new parent with the same id does not get them.
    try {
      records.prepare(child, scope);
    } catch (error) {
      if (!(error instanceof EndlessSchema)) throw error;
    }
    const parent = scope.ids.at(-1) ?? '';
    for (const stored of records.tables.removeBelow(records.partition(child, scope), parent)) {
      announce(call, 'deleted', { kind: child, stored });
      removeBelow(call, { kind: child, stored: { ...stored, parent } }, scope.ids);
    }
  }
  for (const one of nested) {
    for (const stored of records.tables.removeWithin(records.partition(one, scope, scope.ids.length)))
      if (!one.isDocument) announce(call, 'deleted', { kind: records.canonical(one), stored });
  }
}
