import { readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { compactList } from '../../../src/features/export/compact.ts';
import { recordsOf } from '../../../src/features/export/part-format.ts';
import { ListState } from '../../../src/features/export/state.ts';
import { verifyCopy } from '../../../src/features/export/verify.ts';
import { propertyRuns } from '../../harness/property-runs.ts';
import { folderForTest } from '../../harness/temporary-folder.ts';
import { listOf, StoredCopy } from './stored-copy.ts';

const { signal } = new AbortController();

/** IDs as JSON texts, and the other members of a record. */
const IDS = ['"a"', '"b c"', '1', '"1"', '"\\u00e9\\/"', '"\u2028"', '"-"'];
const MEMBERS = [
  '"n":1',
  '"n":9007199254740993,"owner":{"tags":["x",null]}',
  '"n":1.5,"updated_at":"2026-01-02T03:04:05.678Z"',
  '"_deleted":true',
  '"_deleted":false,"owner":{"_deleted":true}',
  '"other":{"_deleted":true,"_synced_at":"2026-11-22T18:00:00.000Z"}',
];

/** Files of columns have only the time of the sync in the place of such a member, unless they have the whole record. */
const OWN_TIME = '"_synced_at":"own"';

/** The records of the service at a time: what each ID has, or that it is gone. */
const anyService = (members: readonly string[]) =>
  fc
    .array(fc.option(fc.constantFrom(...members), { freq: 3 }), {
      minLength: IDS.length,
      maxLength: IDS.length,
    })
    .map((found) => IDS.flatMap((id, at) => (found[at] == null ? [] : [`{"id":${id},${found[at]}}`])));

class Killed extends Error {}

const KILLS = ['before the state', 'after the state', 'after the manifest'] as const;

/** Compacts the list as `sync --compact` does, and ends at one of these steps. */
async function compact(copy: StoredCopy, killed?: (typeof KILLS)[number]): Promise<void> {
  const replaceNow = ListState.prototype.replaceParts;
  const spy = vi.spyOn(ListState.prototype, 'replaceParts').mockImplementation(function (
    this: ListState,
    parts,
  ) {
    if (killed === 'before the state') throw new Killed();
    replaceNow.call(this, parts);
    if (killed === 'after the state') throw new Killed();
  });
  const { directory, settings } = copy;
  try {
    const old = await compactList({ state: copy.list(), directory, settings, signal });
    if (old === undefined) return;
    await copy.finish();
    if (killed === undefined) for (const file of old) await rm(file);
  } catch (error) {
    if (!(error instanceof Killed)) throw error;
  } finally {
    spy.mockRestore();
    copy.reopen();
  }
}

/** The records of the files, in the order of these. */
async function recordsIn(copy: StoredCopy): Promise<readonly string[]> {
  const { state, settings: storage, directory } = copy;
  const [list] = state.lists();
  const texts: string[] = [];
  for (const { file } of list?.parts() ?? []) {
    const path = join(directory, copy.list().entry.folder, file);
    for await (const some of recordsOf({ path, storage, list: copy.list().entry, signal }))
      texts.push(...some);
  }
  return texts;
}

const filesIn = ({ directory }: StoredCopy) => readdirSync(join(directory, 'things/merchant_account_id=eu'));

describe('a copy that is compacted', () => {
  it.each(['ndjson', 'csv', 'parquet'] as const)(
    'in %s has the latest version of each record',
    { tags: 'slow' },
    async (format) => {
      const service = anyService(format === 'ndjson' ? [...MEMBERS, OWN_TIME] : MEMBERS);
      const history = fc.record({
        times: fc.array(service, { minLength: 2, maxLength: 4 }),
        killed: fc.option(fc.constantFrom(...KILLS), { nil: undefined }),
        last: service,
      });
      await fc.assert(
        fc.asyncProperty(history, async ({ times, killed, last }) => {
          const directory = folderForTest();
          using copy = new StoredCopy(directory, { format });
          for (const texts of times) await copy.read(texts);
          await copy.finish();
          await compact(copy, killed);
          // The next sync deletes what a killed process has left.
          expect(await copy.read(times.at(-1) ?? [])).toBe(0);
          await copy.finish();
          expect((await verifyCopy(directory, { signal, version: '1.2.3', onPart() {} })).damage).toEqual([]);
          if (killed !== 'before the state') {
            const written = await recordsIn(copy);
            const exact = (texts: readonly string[] = []) =>
              texts.map((text) => (format === 'ndjson' ? text : JSON.parse(text)));
            expect(new Set(exact(written))).toEqual(new Set(exact(times.at(-1))));
            expect(written.length).toBe(times.at(-1)?.length);
          }
          await copy.read(last);
          await copy.finish();
          await compact(copy);
          expect((await verifyCopy(directory, { signal, version: '1.2.3', onPart() {} })).damage).toEqual([]);
          expect((await recordsIn(copy)).length).toBe(last.length);
          expect(await copy.read(last)).toBe(0);
        }),
        propertyRuns(200, 4),
      );
    },
  );

  it.each([
    ['csv', 'int64', '7.0', '7'],
    ['parquet', 'int64', '7e0', '7'],
    ['parquet', 'double', '0.50', '0.5'],
    ['parquet', 'timestamp', '"2026-01-02T00:00:00Z"', '"2026-01-02T00:00:00.000Z"'],
  ] as const)(
    'in %s leaves out records that are gone where its column of %s writes the ID %s in another way, and no other ones',
    async (format, type, id, other) => {
      const list = { ...listOf('eu'), schema: [{ name: 'id', type }] };
      for (const [gone, kept] of [
        [id, other],
        [other, id],
      ]) {
        using copy = new StoredCopy(folderForTest(), { format, lists: [list] });
        await copy.read([`{"id":${gone}}`, `{"id":${kept}}`]);
        await copy.read([`{"id":${kept}}`]);
        await compact(copy);
        expect(await recordsIn(copy)).toEqual([`{"id":${kept}}`]);
      }
    },
  );

  it('is the same where no sync has added a part', async () => {
    using copy = new StoredCopy(folderForTest());
    await copy.read(['{"id":"a","n":1}', '{"id":"b"}', '{"id":"c"}']);
    await copy.finish();
    const before = filesIn(copy);
    await compact(copy);
    expect(filesIn(copy)).toEqual(before);
  });

  it('has an empty part where all records are gone', async () => {
    using copy = new StoredCopy(folderForTest());
    await copy.read(['{"id":"a"}']);
    await copy.read([]);
    await compact(copy);
    expect(filesIn(copy)).toEqual(['part-000002.ndjson']);
    expect(await recordsIn(copy)).toEqual([]);
  });

  it('is not rewritten if a part is damaged', async () => {
    using copy = new StoredCopy(folderForTest());
    await copy.read(['{"id":"a"}']);
    await copy.read(['{"id":"b"}']);
    const files = filesIn(copy);
    await rm(join(copy.directory, copy.list().entry.folder, 'part-000001.ndjson'));
    await expect(compact(copy)).rejects.toMatchObject({
      code: 'copy_damaged',
      message: `The copy in ${JSON.stringify(copy.directory)} is damaged: things/merchant_account_id=eu/part-000001.ndjson: It cannot be read: no such file or directory.`,
    });
    expect(filesIn(copy)).toEqual(files.slice(1));
  });

  it('is left as it was by an interruption', async () => {
    using copy = new StoredCopy(folderForTest());
    await copy.read(['{"id":"a"}', '{"id":"b"}', '{"id":"c"}']);
    await copy.read(['{"id":"b"}']);
    const [files, parts] = [filesIn(copy), copy.list().parts()];
    const { directory, settings } = copy;
    const aborted = AbortSignal.abort();
    await expect(compactList({ state: copy.list(), directory, settings, signal: aborted })).rejects.toThrow(
      'Interrupted',
    );
    expect(filesIn(copy)).toEqual(files);
    expect(copy.list().parts()).toEqual(parts);
  });
});
