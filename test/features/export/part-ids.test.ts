import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { folderForTest } from '../../harness/temporary-folder.ts';
import { StoredCopy } from './stored-copy.ts';

it('names the first and the last ID and the times of a part digit for digit, also after a sync', async () => {
  const directory = folderForTest();
  using copy = new StoredCopy(directory, { part_size: 1e6 });
  const texts = [
    '{"id":9007199254740993,"updated_at":1700000000.10}',
    '{"id":"a","updated_at":1}',
    '{"id":9007199254740995,"updated_at":1700000000.50}',
  ];
  await copy.read(texts);
  copy.reopen();
  await copy.read([...texts, '{"id":9223372036854775807}']);
  await copy.finish();
  const manifest = readFileSync(join(directory, 'manifest.json'), 'utf8');
  const written = (name: string) =>
    [...manifest.matchAll(new RegExp(`"${name}": ([^,\n]+)`, 'g'))].map(([, value]) => value);
  expect(written('first_id')).toEqual(['9007199254740993', '9223372036854775807']);
  expect(written('last_id')).toEqual(['9007199254740995', '9223372036854775807']);
  expect(written('max')).toEqual(['1700000000.50']);
});
