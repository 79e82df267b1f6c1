import { expect, it } from 'vitest';
import { folderForTest } from '../../harness/temporary-folder.ts';
import { StoredCopy } from './stored-copy.ts';

it('leaves out of the times of a part what only looks like a time', async () => {
  using copy = new StoredCopy(folderForTest());
  await copy.read(
    ['2026-01-02T00:00:00Z', '9999-99-99T00:00:00Z', '2026-01-03T00:00:00Z', '0000-00-00T00:00:00Z'].map(
      (time, at) => `{"id":"${at}","updated_at":"${time}"}`,
    ),
  );
  const [first, ...rest] = copy.list().parts();
  expect(rest).toHaveLength(1);
  expect([first, ...rest].map((part) => part?.updated_at)).toEqual([
    { min: '2026-01-02T00:00:00Z', max: '2026-01-02T00:00:00Z' },
    { min: '2026-01-03T00:00:00Z', max: '2026-01-03T00:00:00Z' },
  ]);
});
