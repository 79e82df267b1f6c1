import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Arbitrary,
  array,
  assert,
  asyncProperty,
  boolean,
  constantFrom,
  nat,
  option,
  record,
} from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { ListCopy, nextSync, type Pass } from '../../../src/features/export/copy-list.ts';
import { begun, type ListEntry } from '../../../src/features/export/manifest.ts';
import type { PartOptions } from '../../../src/features/export/part.ts';
import { partStorage } from '../../../src/features/export/part-format.ts';
import { CopyState, ListState } from '../../../src/features/export/state.ts';
import { propertyRuns } from '../../harness/property-runs.ts';
import { folderForTest } from '../../harness/temporary-folder.ts';
import { SETTINGS, StoredCopy } from './stored-copy.ts';

/** JSON texts of IDs; undefined for an item without one. */
const IDS = [
  '"a"',
  '"b"',
  '1',
  '"1"',
  '9007199254740993',
  '"\\n\\u2028\\""',
  '"\u2028 é😀"',
  '{"a":[1]}',
  '""',
  'null',
  undefined,
] as const;

type Item = { readonly id: (typeof IDS)[number]; readonly version: number };

/** The item as a service may write it. */
function textOf({ id, version }: Item): string {
  if (id === undefined) return `{"version":${version}}`;
  return version === 2 ? `{ "version" : 2, "id" : ${id} }` : `{"id":${id},"version":${version}}`;
}

const isTold = ({ id }: Item) => id !== undefined && id !== 'null' && !id.startsWith('{');

const item = record({ id: constantFrom(...IDS), version: nat(2) });
const pages = array(array(item, { maxLength: 5 }), { minLength: 1, maxLength: 5 });
/** A run over a list: what the service sends, also as changed, and how the run ends before it is over. */
const run = record({
  pages,
  changed: pages,
  /** A process that is killed before or after it records something for the nth time. */
  killed: option(record({ at: nat(6), isRecorded: boolean() }), { freq: 2 }),
  /** The page that fails. */
  failsAt: option(nat(5), { freq: 4 }),
  /** The write that fails, once; pages that were read before that is known are still added. */
  fullAt: option(nat(8), { freq: 4 }),
  readsAll: boolean(),
});
type ListRun = typeof run extends Arbitrary<infer T> ? T : never;

class Killed extends Error {}
class Failed extends Error {}
class Full extends Error {}

/** An item of a page that was sent to the copy before its failure was known. */
const LATER = '{"id":"later"}';

/** The same writer, one of whose writes fails after some of its bytes were written, as on a full disk. */
function failing(
  createPartWriter: PartOptions['createPartWriter'],
  fullAt: number,
): PartOptions['createPartWriter'] {
  let writes = 0;
  return ({ write, ...options }) =>
    createPartWriter({
      ...options,
      write: async (bytes) => {
        const isFull = writes === fullAt;
        writes += 1;
        await write(isFull ? bytes.subarray(1) : bytes);
        if (isFull) throw new Full();
      },
    });
}

const LIST: ListEntry = begun({
  resource: 'things',
  merchant_account: null,
  folder: 'things/merchant_account_id=default',
  id_path: 'id',
  schema: [{ name: 'id', type: 'text' }],
  marks: { personal_data: null, personal_by_name: false, secrets: null },
  request: { method: 'GET', path: '/things', query: {} },
});

type Row = { readonly id: string | undefined; readonly text: string };

type Reading = 'export' | 'changes' | 'sync';

/** What the rows of a copy are to be, one after the other, by the rules alone. */
class Expected {
  rows: Row[] = [];
  /** The IDs that the pass has read, and the newer copies of those that came again. */
  #read = new Set<string>();
  #newer = new Map<string, string>();
  /** The pass has read items without an ID, any of which may be a record that it did not read. */
  #isUnsure = false;

  /** The newest text of each ID; undefined for one that is gone. */
  get latest(): ReadonlyMap<string, string | undefined> {
    return new Map(
      this.rows.flatMap(({ id, text }) =>
        id === undefined ? [] : [[id, text.includes('"_deleted":true') ? undefined : text]],
      ),
    );
  }

  begin(isExport: boolean): void {
    const written = new Set(this.rows.flatMap(({ id }) => (isExport && id !== undefined ? [id] : [])));
    this.#read = written;
    this.#isUnsure = false;
    if (!isExport) this.#newer.clear();
    for (const id of this.#newer.keys()) if (!written.has(id)) this.#newer.delete(id);
  }

  read(items: readonly Item[], reading: Reading): void {
    for (const item of items) {
      const text = textOf(item);
      if (!isTold(item)) {
        this.#isUnsure = true;
        if (reading === 'export') this.rows.push({ id: undefined, text });
        continue;
      }
      // As `JSON.stringify` writes it, except for a number.
      const id = String(item.id).replace('\\u2028', '\u2028');
      if (this.#read.has(id)) this.#newer.set(id, text);
      else if (this.latest.get(id) !== text) this.rows.push({ id, text });
      this.#read.add(id);
    }
  }

  finish({ findsGone }: { readonly findsGone: boolean }): void {
    if (findsGone && !this.#isUnsure) {
      for (const [id, text] of this.latest) {
        const written = id.includes('\\') ? JSON.stringify(JSON.parse(id)) : id;
        if (text !== undefined && !this.#read.has(id))
          this.rows.push({ id, text: `{"id":${written},"_deleted":true}` });
      }
    }
    const newer = [...this.#newer].sort(([one], [other]) => (one < other ? -1 : 1));
    for (const [id, text] of newer) if (this.latest.get(id) !== text) this.rows.push({ id, text });
  }
}

/** A copy of one list whose process can be killed. */
class Copied {
  readonly directory = mkdtempSync(join(tmpdir(), 'payctl-copy-'));
  state = new CopyState(this.directory);
  readonly expected = new Expected();

  constructor() {
    this.state.begin(SETTINGS, [LIST]);
  }

  get list(): ListState {
    const [list] = this.state.lists();
    if (!list) throw new Error('the state has no list');
    return list;
  }

  /** Runs once; whether the run came to its end. */
  async run({ pages, changed, killed, failsAt, fullAt, readsAll }: ListRun): Promise<boolean> {
    const state = this.list;
    const isExport = !state.entry.complete;
    const pass: Pass = isExport ? { name: 'part' } : nextSync(state);
    this.expected.begin(isExport);
    let records = 0;
    const recordNow = ListState.prototype.record;
    const spy = vi.spyOn(ListState.prototype, 'record').mockImplementation(function (
      this: ListState,
      ...args
    ) {
      const isEnd = records === killed?.at;
      records += 1;
      if (isEnd && !killed?.isRecorded) throw new Killed();
      recordNow.apply(this, args);
      if (isEnd) throw new Killed();
    });
    const { part, ending } = await partStorage(SETTINGS, state.entry);
    const createPartWriter = fullAt === null ? part.createPartWriter : failing(part.createPartWriter, fullAt);
    const copy = new ListCopy({
      state,
      directory: this.directory,
      pass,
      part: { ...part, createPartWriter },
      ending,
    });
    try {
      await copy.prepare();
      if (!isExport || state.entry.ended_at === null) {
        const first = isExport ? Number(state.entry.cursor ?? 0) : 0;
        const last = Math.max(first, pages.length - 1);
        for (let page = first; page <= last; page += 1) {
          if (page === failsAt) throw new Failed();
          const items = pages[page] ?? [];
          this.expected.read(items, isExport ? 'export' : 'sync');
          const cursor = page === last ? null : String(page + 1);
          await copy.add({ texts: items.map(textOf), cursor, sentAt: 1_700_000_000_000 + page * 1000 });
        }
        if (isExport) await copy.endReading();
      }
      if (isExport)
        for (const items of changed) {
          this.expected.read(items, 'changes');
          await copy.addChanged({ texts: items.map(textOf), sentAt: undefined });
        }
      this.expected.finish({ findsGone: readsAll && !isExport });
      await copy.finish({ readsAll });
      return true;
    } catch (error) {
      if (error instanceof Full) await copy.add({ texts: [LATER], cursor: '5', sentAt: 0 }).catch(() => {});
      if (error instanceof Failed || error instanceof Full) await copy.fail();
      else if (!(error instanceof Killed)) throw error;
      this.#reopen();
      if (!(error instanceof Killed)) this.expectOnlyParts();
      return false;
    } finally {
      spy.mockRestore();
    }
  }

  /** What was written of a part that failed is gone at once, not only after the next run. */
  expectOnlyParts(): void {
    const files = this.list.parts().map(({ file }) => file);
    expect(readdirSync(join(this.directory, LIST.folder)).toSorted()).toEqual(files.toSorted());
  }

  #reopen(): void {
    this.state.close();
    this.state = new CopyState(this.directory);
    const recorded = this.list.parts().reduce((sum, { rows }) => sum + rows, 0);
    this.expected.rows = this.expected.rows.slice(0, recorded);
  }

  /** The rows of the files, in the order in which they were recorded. */
  rows(): { readonly text: string; readonly pass: string | undefined }[] {
    return this.list.parts().flatMap(({ file, synced_at: pass, rows }) => {
      const lines = readFileSync(join(this.directory, LIST.folder, file), 'utf8')
        .split('\n')
        .slice(0, -1);
      if (lines.length !== rows) throw new Error(`${file} has ${lines.length} rows, not ${rows}`);
      return lines.map((text) => ({ text, pass }));
    });
  }

  [Symbol.dispose](): void {
    this.state.close();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** A row of a sync without the time that it adds. */
const withoutTime = (text: string) => text.replace(/,"_synced_at":"[^"]+"\}$/, '}').replace(/ \}$/, '}');

const idOf = (text: string) => {
  const { id } = JSON.parse(text) as { id?: unknown };
  return typeof id === 'object' ? 'null' : JSON.stringify(id ?? null);
};

describe('a copy of a list', () => {
  it('holds what the rules say after any history of pages, failures and kills', async () => {
    const history = asyncProperty(array(run, { minLength: 1, maxLength: 8 }), pages, async (runs, last) => {
      using copied = new Copied();
      for (const one of runs) await copied.run(one);
      // An export that did not end is continued first.
      const whole = { pages: last, changed: [], killed: null, failsAt: null, fullAt: null, readsAll: true };
      if (!copied.list.entry.complete) await copied.run(whole);
      await copied.run(whole);
      const rows = copied.rows();
      expect(rows.map(({ text }) => withoutTime(text))).toEqual(
        copied.expected.rows.map(({ text }) => withoutTime(text)),
      );
      const keys = rows
        .filter(({ text }) => idOf(text) !== 'null')
        .map(({ text, pass }) => [pass, idOf(text)].join());
      expect(new Set(keys).size).toBe(keys.length);
      copied.expectOnlyParts();
      expect(copied.list.entry.without_id).toBe(rows.filter(({ text }) => idOf(text) === 'null').length);
      // What was read last is what the copy has, so reading it again adds nothing unless an item came twice.
      const isSame =
        new Set(
          last
            .flat()
            .filter(isTold)
            .map(({ id }) => id),
        ).size === last.flat().filter(isTold).length;
      const parts = copied.list.parts().length;
      await copied.run(whole);
      if (isSame) expect(copied.list.parts().length).toBe(parts);
    });
    await assert(history, propertyRuns(2000, 10));
  });

  it('records with each part the records that changed in it, and no others again', async () => {
    using copy = new StoredCopy(folderForTest());
    const version = (n: number) => ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => `{"id":"${id}","n":${n}}`);
    await copy.read(version(1));
    using recorded = vi.spyOn(ListState.prototype, 'record');
    await copy.read(version(2));
    const changed = recorded.mock.calls.flatMap(([, part, found]) =>
      part ? [[...(found?.changed ?? [])]] : [],
    );
    expect(changed.length).toBeGreaterThan(1);
    expect(changed.flat()).toEqual([0, 1, 2, 3, 4, 5]);
  });
});
