import { expect, it } from 'vitest';
import { folderForTest } from '../../harness/temporary-folder.ts';
import { StoredCopy } from './stored-copy.ts';

it('keeps all records whose IDs are masked', async () => {
  using copy = new StoredCopy(folderForTest());
  const texts = [1, 2, 3, 4, 5].map((n) => `{"id":"********","n":${n}}`);
  expect(await copy.read(texts)).toBe(5);
  expect(
    copy
      .list()
      .parts()
      .reduce((sum, { rows }) => sum + rows, 0),
  ).toBe(5);
  expect(copy.list().entry).toMatchObject({ without_id: 5, sent_again_changed: 0 });
  // A sync cannot tell them apart.
  expect(await copy.read(texts)).toBe(0);
});
