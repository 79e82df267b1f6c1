/** Reads the rows of a file and does nothing with them: what `bulk plan` is compared with. */
import { openRows } from '../src/features/bulk/table/read-rows.ts';

const [, , file = ''] = process.argv;
const { signal } = new AbortController();
const source = await openRows(file, { stdin: () => process.stdin, signal });
let rows = 0;
for await (const batch of source.batches()) rows += batch.filter((row) => !('code' in row)).length;
process.stdout.write(`${rows}\n`);
