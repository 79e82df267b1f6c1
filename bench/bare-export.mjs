// The floor of an export: a bare undici loop that follows the cursors, parses each page, and writes each item as a line.
// Arguments: origin, file to write.

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { request } from 'undici';

const [origin, file] = process.argv.slice(2);
const out = createWriteStream(file);
let cursor;
do {
  const query = cursor ? `?limit=100&cursor=${cursor}` : '?limit=100';
  const { body } = await request(`${origin}/buyers${query}`, { headers: { authorization: 'Bearer x' } });
  const page = await body.json();
  const lines = page.items.map((item) => `${JSON.stringify(item)}\n`).join('');
  if (!out.write(lines)) await once(out, 'drain');
  cursor = page.next_cursor;
} while (cursor);
out.end();
await once(out, 'finish');
process.exit();
