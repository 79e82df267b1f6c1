import type { Column } from '../../output/columns.ts';
import type { CopiedList, ListResult } from './copy-lists.ts';
import { rowsIn } from './manifest.ts';
import type { Verified } from './verify.ts';

/** A list of an export as it is printed; every member is always present. */
export function exportRecord({ entry, parts, error }: CopiedList) {
  return {
    resource: entry.resource,
    merchant_account: entry.merchant_account,
    rows: rowsIn(parts),
    files: parts.length,
    bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
    repeated: entry.repeated + entry.sent_again_changed,
    state: stateOf(error),
  };
}

/** What a table shows of the lists of an export. */
export const EXPORT_COLUMNS: readonly Column[] = [
  { header: 'RESOURCE', path: 'resource', priority: 10 },
  { header: 'MERCHANT ACCOUNT', path: 'merchant_account', priority: 5 },
  { header: 'ROWS', path: 'rows', format: 'number', priority: 9 },
  { header: 'FILES', path: 'files', format: 'number', priority: 4 },
  { header: 'BYTES', path: 'bytes', format: 'number', priority: 6 },
  { header: 'STATE', path: 'state', priority: 8 },
];

/** A list of a sync as it is printed; every member is always present. */
export function syncRecord({ entry, counts, readsAll, error }: ListResult) {
  return {
    resource: entry.resource,
    merchant_account: entry.merchant_account,
    new: counts.added,
    changed: counts.changed,
    unchanged: counts.unchanged,
    // Only a whole reading finds them, in which all records have an ID.
    gone: readsAll && counts.unsure === 0 ? counts.gone : null,
    files: counts.parts,
    state: stateOf(error),
  };
}

/** What a table shows of the lists of a sync. */
export const SYNC_COLUMNS: readonly Column[] = [
  { header: 'RESOURCE', path: 'resource', priority: 10 },
  { header: 'MERCHANT ACCOUNT', path: 'merchant_account', priority: 4 },
  { header: 'NEW', path: 'new', format: 'number', priority: 9 },
  { header: 'CHANGED', path: 'changed', format: 'number', priority: 8 },
  { header: 'UNCHANGED', path: 'unchanged', format: 'number', priority: 6 },
  { header: 'GONE', path: 'gone', format: 'number', priority: 7 },
  { header: 'STATE', path: 'state', priority: 5 },
];

function stateOf(error: unknown): 'complete' | 'incomplete' {
  return error === undefined ? 'complete' : 'incomplete';
}

/** A list of a copy that was verified, as it is printed; every member is always present. */
export function verifiedRecords({ manifest, damage }: Verified) {
  return manifest.lists.map(({ resource, merchant_account, folder, rows, parts }) => {
    const problems = damage.flatMap((one) => (one.folder === folder ? [`${one.file}: ${one.problem}`] : []));
    return {
      resource,
      merchant_account,
      rows,
      files: parts.length,
      state: problems.length === 0 ? 'whole' : 'damaged',
      problems,
    };
  });
}

/** What a table shows of a copy that was verified. */
export const VERIFIED_COLUMNS: readonly Column[] = EXPORT_COLUMNS.filter(({ path }) => path !== 'bytes');

/** What a table shows of the lists that can be exported. */
export const RESOURCE_COLUMNS: readonly Column[] = [
  { header: 'RESOURCE', path: 'resource', priority: 10 },
  { header: 'SUMMARY', path: 'summary', priority: 8 },
  { header: 'NEEDS', path: 'needs', priority: 9 },
];
