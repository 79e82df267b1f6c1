import { describe, expect, it } from 'vitest';
import { IncompleteListError } from '../../../src/cli/failure/incomplete-list-error.ts';
import type { OutputFlagValues, PagingFlagValues } from '../../../src/cli/flags/list.ts';
import type { Selection } from '../../../src/cli/show/list-pages.ts';
import { showList } from '../../../src/cli/show/show-list.ts';
import { FetchedPage, type PageQuery, type PageSource } from '../../../src/client/page.ts';
import { operations } from '../../../src/contract/generated/operations.ts';
import { PayctlError } from '../../../src/errors.ts';
import type { OutputName } from '../../../src/output/formats.ts';
import { sinkWith } from '../../../src/output/streams.ts';
import { systemError } from '../../output/memory-stream.ts';
import { fakeSession } from '../session/fake-session.ts';

type Item = { readonly id: string };
type Call = { readonly query: PageQuery; readonly options: unknown };

const COLUMNS = [{ header: 'ID', path: 'id' }];

function page(ids: string[], cursor: string | null = null): FetchedPage<Item> {
  const items = ids.map((id) => ({ id }));
  const envelope = { items, limit: 2, next_cursor: cursor, previous_cursor: null };
  const response = {
    text: JSON.stringify(envelope),
    status: 200,
    requestId: undefined,
    headers: {},
    request: { method: 'GET', path: '/things', origin: 'https://api.example.com' },
    attempts: 1,
  };
  return new FetchedPage({ response }, envelope, { cursor });
}

/** A list of these pages; an error among them is thrown in its place. */
function fakeList(pages: readonly (FetchedPage<Item> | Error)[]) {
  const calls: Call[] = [];
  const one = (found: FetchedPage<Item> | Error | undefined) => {
    if (found instanceof Error) throw found;
    if (found === undefined) throw new Error('there is no such page');
    return found;
  };
  const list: PageSource<Item, PageQuery> = {
    async *fetch(query, options = {}) {
      calls.push({ query, options });
      for (const found of options.isSingle ? pages.slice(0, 1) : pages) yield one(found);
    },
  };
  return { calls, list };
}

/** Selects by a test of each item. */
const only = (test: (item: Item) => boolean): Selection => ({
  keeps: (items) => (items as readonly Item[]).map(test),
});

const base = {
  query: {},
  flags: {},
  columns: COLUMNS,
  noun: 'things',
  run: { operation: operations.listBuyers, argv: [], filters: {} },
};

describe('showList', () => {
  it('asks for one page with the filters, the cursor and the limit', async () => {
    const { session, stdout } = fakeSession();
    const { calls, list } = fakeList([page(['a', 'b'], 'next')]);
    const request = { ...base, query: { search: 'x' }, flags: { cursor: 'c', limit: 2, 'reveal-pii': true } };
    await showList(session, list, request);
    expect(calls).toEqual([
      {
        query: { search: 'x', cursor: 'c', limit: 2 },
        options: {
          revealPii: true,
          readPage: expect.any(Function),
          signal: session.signal,
          isSingle: true,
        },
      },
    ]);
    expect(stdout.text).toBe('ID\na\nb\n');
  });

  it.each([
    [{ all: true }, undefined],
    [{ 'max-items': 3 }, 3],
  ])('asks for page after page with %j', async (flags, maxItems) => {
    const { session, stdout } = fakeSession({ format: 'ndjson' });
    const { calls, list } = fakeList([page(['a', 'b'], 'n'), page(['c'])]);
    await showList(session, list, { ...base, flags });
    expect(calls).toMatchObject([{ options: { maxItems, revealPii: false } }]);
    expect(stdout.text).toBe('{"id":"a"}\n{"id":"b"}\n{"id":"c"}\n');
  });

  it('shows no more than --max-items of a service that sends more, and resumes at the page that it cut', async () => {
    const { session, stdout } = fakeSession({ format: 'json' });
    const { list } = fakeList([page(['a', 'b'], 'second'), page(['c', 'd', 'e'], 'third')]);
    await showList(session, list, { ...base, flags: { 'max-items': 3 } });
    expect(JSON.parse(stdout.text)).toEqual({
      items: [{ id: 'a' }, { id: 'b' }, { id: 'c' }],
      limit: 2,
      next_cursor: 'second',
      previous_cursor: null,
    });
  });

  it('lets a failure of the first page through as it is, with nothing printed', async () => {
    const { session, stdout } = fakeSession({ format: 'json' });
    const failure = new Error('refused');
    const { list } = fakeList([failure]);
    await expect(showList(session, list, { ...base, flags: { all: true } })).rejects.toBe(failure);
    expect(stdout.text).toBe('');
  });

  describe('on a stdout that is full after the second page', () => {
    const pages = [page(['a', 'b'], 'n2'), page(['c', 'd'], 'n3'), page(['e', 'f'], 'n4'), page(['g'])];
    const full = systemError('ENOSPC');

    /** Shows the pages on a disk that is full after so many writes. */
    async function failing(format: OutputName, flags: OutputFlagValues & PagingFlagValues, room = 2) {
      const { session, stdout } = fakeSession({ format });
      const write = stdout.write.bind(stdout);
      stdout.write = (text, done) => {
        if (stdout.chunks.length >= room) stdout.failWith = full;
        return write(text, done);
      };
      const list = fakeList(pages).list;
      // Each page is written before the next one comes.
      const slow: typeof list = {
        async *fetch(query, options) {
          for await (const one of list.fetch(query, options)) {
            await new Promise((resolve) => setImmediate(resolve));
            yield one;
          }
        },
      };
      const argv = ['--all', '-o', format];
      const error = await showList(session, slow, { ...base, flags, run: { ...base.run, argv } }).catch(
        (reason) => reason,
      );
      return { error, text: stdout.text };
    }

    it.each(['ndjson', 'csv', 'table'] as const)(
      'names the cursor of the third page: -o %s',
      async (format) => {
        const { error, text } = await failing(format, { all: true });
        expect(error).toBeInstanceOf(IncompleteListError);
        expect(error).toMatchObject({
          cause: full,
          progress: {
            pages: 2,
            items: 4,
            resumeCursor: 'n3',
            // The rest is to be appended.
            resumeCommand: `payctl buyers list --all -o ${format} ${format === 'ndjson' ? '' : '--no-header '}--cursor n3`,
            wholeLines: format === 'ndjson' ? 4 : 5,
          },
        });
        expect(text).toContain('d');
        expect(text).not.toContain('e"');
      },
    );

    it('asks for the rest of --max-items', async () => {
      const { error } = await failing('ndjson', { 'max-items': 6 });
      expect(error).toMatchObject({
        progress: { resumeCommand: 'payctl buyers list --all -o ndjson --max-items 2 --cursor n3' },
      });
    });

    it.each([
      ['all', 7, {}],
      ['max-items', 4, { 'max-items': 4 }],
    ] as const)('says that the list is whole where only its end fails: --%s', async (_, items, flags) => {
      const { session, stdout } = fakeSession({ format: 'ndjson' });
      const sink = session.display.stdout;
      const end = async () => {
        await new Promise((resolve) => setImmediate(resolve));
        stdout.emit('error', full);
        await sink.end();
      };
      const display = {
        ...session.display,
        stdout: sinkWith(sink, { end, mark: () => () => true }),
      };
      const request = { ...base, flags: { all: true, ...flags } };
      const error = await showList({ ...session, display }, fakeList(pages).list, request).catch(
        (reason) => reason,
      );
      expect(error).toBeInstanceOf(IncompleteListError);
      expect(error).toMatchObject({
        progress: { items, isComplete: true, resumeCursor: undefined, resumeCommand: undefined },
      });
    });

    it('names the cursor of the last page where the end of the output was not written', async () => {
      const { error } = await failing('ndjson', { all: true }, 3);
      expect(error).toMatchObject({ progress: { pages: 3, items: 6, resumeCursor: 'n4' } });
    });

    it.each([
      ['json', 2],
      ['yaml', 2],
      ['ndjson', 0],
    ] as const)('leaves the error as it is where nothing of use was written: -o %s', async (format, room) => {
      const { error } = await failing(format, { all: true }, room);
      expect(error).toBe(full);
    });
  });

  it('ends the document when a later page fails, and says how far it came', async () => {
    const { session, stdout } = fakeSession({ format: 'json' });
    const failure = new Error('refused');
    const { list } = fakeList([page(['a', 'b'], 'second'), failure]);
    const error = await showList(session, list, { ...base, flags: { all: true } }).catch((reason) => reason);
    expect(error).toBeInstanceOf(IncompleteListError);
    expect(error).toMatchObject({
      cause: failure,
      progress: { pages: 1, items: 2, resumeCursor: 'second' },
    });
    expect(JSON.parse(stdout.text)).toMatchObject({ items: { length: 2 }, next_cursor: 'second' });
  });

  it('reduces the list to --columns, without a header for --no-header', async () => {
    const { session, stdout } = fakeSession();
    const { list } = fakeList([page(['a'])]);
    await showList(session, list, { ...base, flags: { columns: ['?x', 'id'], 'no-header': true } });
    expect(stdout.text).toBe('\ta\n');
  });

  it.each(['json', 'ndjson', 'yaml'] as const)(
    'prints only the items to keep as %s, with the rest of the page as it is',
    async (format) => {
      const { session, stdout } = fakeSession({ format });
      const { list } = fakeList([page(['a', 'b', 'c'], 'next')]);
      await showList(session, list, { ...base, selection: only(({ id }) => id !== 'b') });
      const items = '[{"id":"a"},{"id":"c"}]';
      const expected = {
        json: `{"items":${items},"limit":2,"next_cursor":"next","previous_cursor":null}\n`,
        ndjson: '{"id":"a"}\n{"id":"c"}\n',
        yaml: 'items:\n- id: a\n- id: c\nlimit: 2\nnext_cursor: next\nprevious_cursor: null\n',
      };
      expect(stdout.text).toBe(expected[format]);
    },
  );

  it('says that a list is cut beside JSON, too, where it is cut in its first page', async () => {
    const { session, stdout, said } = fakeSession({ format: 'json' });
    const { list } = fakeList([page(['a', 'b'])]);
    await showList(session, list, { ...base, flags: { limit: 1 }, selection: only(() => true) });
    expect(JSON.parse(stdout.text)).toMatchObject({ items: [{ id: 'a' }], next_cursor: null });
    expect(await said()).toBe(
      '{"warning":{"code":"list_cut","message":"There are more things after this one. All of them: payctl buyers list --all"}}\n',
    );
  });

  it('says what a selection looked at, after the list', async () => {
    const selection = { ...only(() => false), summary: (shown: number) => `Shown: ${shown}.` };
    const { session, said } = fakeSession();
    await showList(session, fakeList([page(['a'])]).list, { ...base, selection });
    expect(await said()).toBe('No things found.\nShown: 0.\n');
    const full = fakeSession();
    await showList(full.session, fakeList([page(['a'])]).list, {
      ...base,
      selection: { ...selection, ...only(() => true) },
    });
    expect(await full.said()).toBe('Shown: 1.\n');
  });

  it.each(['json', 'table', 'yaml'] as const)(
    'keeps why a failing --jq printed nothing, where a later page fails, too: %s',
    async (format) => {
      const { session, stdout, said } = fakeSession({ format, quiet: true });
      const refused = new PayctlError('refused', 'Refused');
      const { list } = fakeList([page(['a', 'b'], 'p2'), refused]);
      const run = showList(session, list, { ...base, flags: { all: true, jq: 'error("x")' } });
      const error = await run.catch((reason) => reason);
      expect(error).toBeInstanceOf(IncompleteListError);
      expect(error).toMatchObject({
        cause: refused,
        progress: {
          pages: 1,
          items: 2,
          resumeCursor: 'p2',
          unprinted: { code: 'jq_failed', message: '--jq failed on the data: x' },
        },
      });
      expect(stdout.text).toBe('');
      expect(await said()).toBe('');
    },
  );

  it('compiles --jq before it asks for anything', async () => {
    const { session } = fakeSession();
    const { calls, list } = fakeList([page(['a'])]);
    const run = showList(session, list, { ...base, flags: { jq: '.[' } });
    await expect(run).rejects.toMatchObject({ code: 'invalid_jq' });
    expect(calls).toEqual([]);
  });

  it.each([
    ['table', [page([])], 'No things found.\n'],
    ['json', [page([])], ''],
    ['csv', [page([])], ''],
  ] as const)('says of an empty list that it is one, in a %s alone', async (format, pages, said) => {
    const fake = fakeSession({ format });
    await showList(fake.session, fakeList(pages).list, base);
    expect(await fake.said()).toBe(said);
  });

  it.each([
    ['table', {}, 'There are more things after this one.'],
    ['csv', { 'max-items': 1 }, 'There are more things after this one.'],
    ['ndjson', {}, '{"warning":{"code":"list_cut","message":"There are more things after this one.'],
    [
      'json',
      { jq: '.items[].id' },
      '{"warning":{"code":"list_cut","message":"There are more things after this one.',
    ],
    ['yaml', { jq: '.items[].id' }, 'There are more things after this one.'],
    ['json', {}, '{"warning":{"code":"list_cut","message":"There are more things after this one.'],
    [
      'json',
      { 'max-items': 1 },
      '{"warning":{"code":"list_cut","message":"There are more things after this one.',
    ],
    ['yaml', {}, 'There are more things after this one.'],
    ['yaml', { 'max-items': 1 }, 'There are more things after this one.'],
  ] as const)('says in a pipe that a list is cut, as %s with %j', async (format, flags, said) => {
    const fake = fakeSession({ format });
    await showList(fake.session, fakeList([page(['a'], 'next')]).list, { ...base, flags });
    expect(await fake.said()).toContain(said);
    const quiet = fakeSession({ format, quiet: true });
    await showList(quiet.session, fakeList([page(['a'], 'next')]).list, { ...base, flags });
    expect(await quiet.said()).toBe('');
  });

  it('says that items were left out of the last page, too', async () => {
    const { session, said } = fakeSession();
    await showList(session, fakeList([page(['a', 'b'])]).list, { ...base, flags: { 'max-items': 1 } });
    expect(await said()).toBe(
      'There are more things after this one. All of them: payctl buyers list --all\n',
    );
  });

  it('says nothing at the end of a list', async () => {
    const { session, said } = fakeSession({ columns: 80 });
    await showList(session, fakeList([page(['a'], 'n'), page(['b'])]).list, {
      ...base,
      flags: { all: true },
    });
    expect(await said()).toBe('');
  });
});
