/** So many ids begin with the same four digits: what they take in an index fits one or two of its pages. */
const RUN = 64;

/**
 * Makes ids: random UUIDs of version 4, which begin alike in runs. Ids without any order would each go to another page of the
 * index, and writing these pages would take longer than everything else that is done for a new record.
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
