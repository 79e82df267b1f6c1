import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { IncompleteListError } from '../../../src/cli/failure/incomplete-list-error.ts';
import type { Selection } from '../../../src/cli/show/list-pages.ts';
import { showList } from '../../../src/cli/show/show-list.ts';
import { CursorLoopError } from '../../../src/client/errors.ts';
import { FetchedPage, type PageQuery, type PageSource } from '../../../src/client/page.ts';
import { operations } from '../../../src/contract/generated/operations.ts';
import type { OutputName } from '../../../src/output/formats.ts';
import { folderForTest } from '../../harness/temporary-folder.ts';
import { fakeSession } from '../session/fake-session.ts';

const DATE = 'Thu, 01 Oct 2026 08:00:00 GMT';
const LATER = 'Fri, 02 Oct 2026 08:00:00 GMT';

/** A list of the items 1 to 7 in pages of two, of which one fails. */
function pages(failing: number | undefined, { date = DATE, why = new Error('down') } = {}) {
  const asked: { readonly query: PageQuery; readonly maxItems: number | undefined }[] = [];
  const list: PageSource<unknown, PageQuery> = {
    async *fetch(query, { maxItems, isSingle } = {}) {
      asked.push({ query, maxItems });
      for (let start = Number(query.cursor ?? 1); start <= 7; start += 2) {
        if (start === failing) throw why;
        const cursor = start + 2 <= 7 ? String(start + 2) : null;
        const items = [start, start + 1].filter((id) => id <= 7).map((id) => ({ id }));
        const text = JSON.stringify({ items, next_cursor: cursor });
        const request = { method: 'GET', path: '/things', origin: 'https://api.example.com' };
        const response = { text, status: 200, requestId: undefined, headers: { date }, request, attempts: 1 };
        yield new FetchedPage({ response }, { items, limit: 2, next_cursor: cursor }, { cursor });
        if (isSingle) return;
      }
    },
  };
  return { list, asked };
}

type Flags = Parameters<typeof showList>[2]['flags'];

/** Shows the list in a file as one run does. */
async function run(
  { list }: ReturnType<typeof pages>,
  flags: Flags,
  { format = 'csv', selection }: { format?: OutputName; selection?: Selection } = {},
) {
  const { session, stdout, said } = fakeSession({ format });
  const request = {
    query: {},
    flags,
    columns: [{ header: 'ID', path: 'id' }],
    noun: 'things',
    selection,
    run: { operation: operations.listBuyers, argv: ['--all'], filters: {} },
  };
  const failure: unknown = await showList(session, list, request).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(stdout.text).toBe('');
  return { failure, said: await said() };
}

describe('a list in a file', () => {
  it('asks for the rest when it is resumed', async () => {
    const path = join(folderForTest(), 'f');
    const flags = { all: true, 'output-file': path };
    const { failure } = await run(pages(5), flags);
    expect(failure).toBeInstanceOf(IncompleteListError);
    expect(failure).toMatchObject({
      cause: { message: 'down' },
      progress: {
        pages: 2,
        items: 4,
        resumeCommand: 'payctl buyers list --all --resume',
        writtenTo: `${path}.part`,
      },
    });
    const rest = pages(undefined);
    expect(await run(rest, { ...flags, resume: true })).toEqual({
      failure: undefined,
      said: `Wrote 7 items to ${path}.\n`,
    });
    expect(rest.asked).toEqual([{ query: { cursor: '5' }, maxItems: undefined }]);
    expect(readFileSync(path, 'utf8')).toBe('id\r\n1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7\r\n');
  });

  it('asks for no more items than are missing', async () => {
    const path = join(folderForTest(), 'f');
    const flags = { 'max-items': 6, 'output-file': path };
    await run(pages(5), flags);
    const rest = pages(7);
    await run(rest, { ...flags, resume: true });
    expect(rest.asked).toEqual([{ query: { cursor: '5' }, maxItems: 2 }]);
  });

  it('selects by the time of the first run', async () => {
    const path = join(folderForTest(), 'f');
    const flags = { 'max-items': 3, 'output-file': path };
    const times: number[] = [];
    const selection: Selection = {
      keeps(items, now) {
        times.push(now);
        return (items as readonly { id: number }[]).map(({ id }) => id % 2 === 0);
      },
    };
    await run(pages(5), flags, { selection, format: 'ndjson' });
    await run(pages(undefined, { date: LATER }), { ...flags, resume: true }, { selection, format: 'ndjson' });
    expect(times).toEqual(Array(3).fill(Date.parse(DATE)));
    expect(readFileSync(path, 'utf8')).toBe('{"id":2}\n{"id":4}\n{"id":6}\n');
  });

  it('has its header once where the first pages have no item', async () => {
    const path = join(folderForTest(), 'f');
    const flags = { all: true, 'output-file': path };
    const selection: Selection = {
      keeps: (items) => (items as readonly { id: number }[]).map(({ id }) => id > 5),
    };
    await run(pages(5), flags, { selection, format: 'table' });
    expect(readFileSync(`${path}.part`, 'utf8')).toBe('');
    await run(pages(undefined), { ...flags, resume: true }, { selection, format: 'table' });
    expect(readFileSync(path, 'utf8')).toBe('ID\n6\n7\n');
  });

  it('is not kept where the list would fail again, and where nothing came', async () => {
    const path = join(folderForTest(), 'f');
    const flags = { all: true, 'output-file': path };
    const why = new CursorLoopError('5');
    expect(await run(pages(5, { why }), flags)).toMatchObject({ failure: why });
    expect(await run(pages(1), flags)).toMatchObject({ failure: { message: 'down' } });
    expect(existsSync(`${path}.part`)).toBe(false);
  });

  it('says that there is nothing to resume, and begins', async () => {
    const path = join(folderForTest(), 'f');
    const { said } = await run(pages(undefined), { all: true, 'output-file': path, resume: true });
    expect(said).toBe(
      `There is no ${path}.part to continue, so the list begins at its first page.\nWrote 7 items to ${path}.\n`,
    );
  });

  it.each(['json', 'yaml', 'detail'] as const)('cannot be resumed as a document: %s', async (format) => {
    const { list, asked } = pages(undefined);
    const flags = { all: true, 'output-file': join(folderForTest(), 'f'), resume: true };
    const { failure } = await run({ list, asked }, flags, { format });
    expect(failure).toMatchObject({ name: 'UsageError', code: 'cannot_resume' });
    expect(asked).toEqual([]);
  });

  it('keeps what came where its place was taken meanwhile, and asks for nothing to complete it', async () => {
    const path = join(folderForTest(), 'f');
    const flags = { all: true, 'output-file': path };
    const { list, asked } = pages(undefined);
    const taken: typeof list = {
      async *fetch(...args) {
        yield* list.fetch(...args);
        writeFileSync(path, 'mine');
      },
    };
    const { failure } = await run({ list: taken, asked }, flags);
    expect(failure).toMatchObject({ cause: { code: 'file_exists' }, progress: { items: 7 } });
    expect(readFileSync(path, 'utf8')).toBe('mine');
    rmSync(path);
    const rest = pages(undefined);
    await run(rest, { ...flags, resume: true });
    expect(rest.asked).toEqual([]);
    expect(readFileSync(path, 'utf8')).toBe('id\r\n1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7\r\n');
  });

  it('needs a name to be resumed', async () => {
    const { failure } = await run(pages(undefined), { all: true, 'output-file': '-', resume: true });
    expect(failure).toMatchObject({ code: 'cannot_resume', hint: 'Give --output-file the name of a file.' });
  });
});
