/** The number of IDs with the same first four digits: their index entries fit one or two pages. */
const RUN = 64;

/**
 * Creates IDs: random UUIDs of version 4 that share their first digits in runs. Each fully random ID would change another page of
 * the index, and writing these pages would take longer than everything else for a new record.
 */
export function createIds(): () => string {
  const { randomUUID } = process.getBuiltinModule('node:crypto');
  let start = '';
  let left = 0;
  return () => {
    const id = randomUUID();
    if (left === 0) {
      start = id.slice(0, 4);
      left = RUN;
    }
    left -= 1;
    return start + id.slice(4);
  };
}
