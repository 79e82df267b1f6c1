import { type Call, type Found, scopeOf } from './call.ts';
import { EndlessSchema } from './generate.ts';
import { type Kind, parameterCount } from './kinds.ts';
import { oncePerObject } from './once.ts';
import type { Records } from './records.ts';
import { audit } from './save.ts';
import { ownerIn, type Scope } from './scope.ts';

/**
 * Deletes what belongs to a deleted record, at any depth, so that a new record with its id begins without it. Every record of it is in
 * the audit log, too.
 */
export function removeBelow(call: Call, { kind, stored }: Found): void {
  const { account, ids } = scopeOf(call);
  for (const one of spellings(call.records, kind)) {
    const depth = parameterCount(one.path);
    const above = depth <= ids.length ? ids.slice(0, depth) : [stored.parent];
    if (above.length === depth) removeIn(call, one, { account, ids: [...above, stored.id] });
  }
}

/** The collections that hold the same records, such as `/refunds` and `/transactions/{}/refunds`. */
function spellings(records: Records, kind: Kind): readonly Kind[] {
  const home = records.home(kind);
  return records.kinds.sameWord(kind).filter((one) => records.home(one) === home);
}

/** The path of a kind, what is below it, and where that is kept. */
type Below = {
  /** Those that know their parent by its id. */
  readonly children: readonly Kind[];
  /** Those whose place is named by the ids of the path. */
  readonly places: readonly Kind[];
  readonly documents: readonly string[];
};

const belowOf = oncePerObject((kind: Kind, records: Records): Below => {
  const prefix = `${kind.path}/{}/`;
  const all = records.kinds.all();
  const home = records.home(kind);
  const isChild = ({ parent }: Kind) => parent !== undefined && records.home(parent) === home;
  return {
    children: [...new Set(all.map((one) => records.home(one)).filter(isChild))],
    places: all.filter(({ path }) => path.startsWith(prefix)),
    documents: records.kinds.documentsBelow(prefix),
  };
});

/** `scope` ends with the id of the record. */
function removeIn(call: Call, kind: Kind, scope: Scope): void {
  const { records } = call;
  const { children, places, documents } = belowOf(kind, records);
  for (const child of children) {
    prepareSafely(records, child, scope);
    const removed = records.tables.removeBelow(records.shelf(child, scope), scope.ids.at(-1) ?? '');
    for (const stored of removed) {
      const { id } = stored;
      audit(call, 'deleted', { kind: child, stored });
      for (const one of spellings(records, child)) {
        const isInside = one.path.startsWith(`${kind.path}/{}/`);
        const ids = isInside ? scope.ids.slice(0, parameterCount(one.path)) : [];
        if (ids.length === parameterCount(one.path)) removeIn(call, one, { ...scope, ids: [...ids, id] });
      }
    }
  }
  for (const place of places) {
    const account = records.takesAccount(place) ? scope.account : '';
    const home = records.home(place);
    const owner = ownerIn({ ...scope, account }, scope.ids.length);
    for (const stored of records.tables.removeWithin(home.path, owner))
      audit(call, 'deleted', { kind: home, stored });
  }
  for (const path of documents) records.tables.removeDocuments(path, scope);
}

/** The first records of a child would otherwise be made for a new parent with the same id. */
function prepareSafely(records: Records, child: Kind, scope: Scope): void {
  try {
    records.prepare(child, scope);
  } catch (error) {
    if (!(error instanceof EndlessSchema)) throw error;
  }
}
