import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { StoppedFollowingError } from '../../../src/cli/failure/stopped-following-error.ts';
import type { TailSource } from '../../../src/cli/tail/source.ts';
import { type TailRequest, tail } from '../../../src/cli/tail/tail.ts';
import type { Client } from '../../../src/client/client.ts';
import { ApiError } from '../../../src/client/errors.ts';
import { FetchedPage, type FetchOptions } from '../../../src/client/page.ts';
import { AbortedError, PayctlError } from '../../../src/errors.ts';
import type { OutputName } from '../../../src/output/formats.ts';
import { folderForTest } from '../../harness/temporary-folder.ts';
import { systemError } from '../../output/memory-stream.ts';
import { fakeSession } from '../session/fake-session.ts';

const AT = Date.UTC(2030, 0, 1, 10);
const request = { method: 'GET', path: '/api-logs', origin: 'https://api.example.com' };
const refused = (status: number) => new ApiError('refused', 'no', { status, request, attempts: 1 });

type Item = { readonly id?: string; readonly at?: number; readonly drop?: boolean; readonly own?: unknown };
type Response = Error | { readonly items: readonly Item[]; readonly next?: string };

/** Pages of entries by their IDs, newest first. */
const page = (ids: string, next?: string): Response => ({
  items: ids.split(' ').flatMap((id) => (id === '' ? [] : { id })),
  ...(next === undefined ? {} : { next }),
});

function pageOf({ items, next }: Exclude<Response, Error>) {
  const envelope = { items, limit: 2, next_cursor: next ?? '', previous_cursor: null };
  const response = {
    text: JSON.stringify(envelope),
    status: 200,
    requestId: undefined,
    headers: { date: new Date(AT).toUTCString() },
    request,
    attempts: 1,
  };
  return new FetchedPage({ response }, envelope, { cursor: next });
}

type Options = Partial<TailRequest> & {
  readonly format?: OutputName;
  readonly from?: number;
  readonly source?: Partial<TailSource>;
  /** Called before each request with its number. */
  readonly before?: (request: number, stdout: ReturnType<typeof fakeSession>['stdout']) => void;
};

/** Tails a service that sends these responses; after them, the run is interrupted. */
async function run(script: readonly Response[], options: Options = {}) {
  const { format = 'ndjson', from, before = () => {}, source: changed, ...asked } = options;
  const { session, stdout, said } = fakeSession({ format });
  const responses = [...script];
  const sent: unknown[] = [];
  const begun: number[] = [];
  const fetch = async function* (query: unknown, { signal, isSingle }: FetchOptions) {
    expect(isSingle).toBe(true);
    sent.push(query);
    expect(signal?.aborted).toBe(session.signal.aborted);
    before(sent.length, stdout);
    const response = responses.shift() ?? new AbortedError();
    if (response instanceof Error) throw response;
    yield pageOf(response);
  };
  const keeps: TailSource['keeps'] = (entries) => entries.map(({ item }) => !(item as Item).drop);
  const source: TailSource = {
    list: 'listApiLogs',
    query: { search: 'x' },
    columns: [{ header: 'ID', path: 'id', cell: (row) => String((row as Item).id) }],
    marked: 'ID',
    timeOf: (item) => (item as Item).at,
    begin: (now) => {
      begun.push(now);
      return { from, to: undefined };
    },
    select: keeps,
    keeps,
    summary: () => 'Looked at some.',
    ...changed,
  };
  const client = { lists: { listApiLogs: { fetch } } } as unknown as Client;
  const error: unknown = await tail({ ...session, client: async () => client }, source, {
    ...{
      flags: {},
      command: { words: 'logs tail', argv: ['--last', '5', '-o', 'ndjson'] },
      intervalMs: 1,
      timeoutMs: 30_000,
      isSince: false,
      maxRetries: 0,
    },
    ...asked,
  }).catch((caught: unknown) => caught);
  const ids =
    format === 'ndjson'
      ? stdout.text.split('\n').flatMap((line) => /"id":"(\w+)"/.exec(line)?.[1] ?? [])
      : [];
  return { ids, error, sent, begun, stdout: stdout.text, said: await said() };
}

const codeOf = (error: unknown) => (error instanceof PayctlError ? error.code : error);
const numbers = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`).join(' ');

describe('a tail', () => {
  it('prints what comes, oldest first, until it is interrupted, and says where to resume', async () => {
    const { ids, error, sent } = await run([page('b', 'old'), page('a'), page('c b')]);
    expect(ids).toEqual(['a', 'b', 'c']);
    expect(error).toBeInstanceOf(StoppedFollowingError);
    expect(error).toMatchObject({ progress: { printed: 3, after: 'c' } });
    expect(error).not.toHaveProperty('progress.wholeLines');
    expect(codeOf((error as Error).cause)).toBe('aborted');
    expect(sent).toEqual([undefined, 'old', undefined, undefined].map((cursor) => ({ search: 'x', cursor })));
  });

  it('ends with the error itself where there was no response', async () => {
    const { ids, error, stdout } = await run([refused(401)]);
    expect([ids, codeOf(error), stdout]).toEqual([[], 'refused', '']);
  });

  it.each([400, 404, 410, 422])(
    'outlives a cursor that the service refuses with a %i',
    { tags: 'slow' },
    async (status) => {
      const script = [page('a'), page('c', '2'), refused(status), page('c b a')];
      const { ids, said } = await run(script, { maxRetries: 1, maxItems: 3 });
      expect(ids).toEqual(['a', 'b', 'c']);
      expect(said).toContain('"code":"poll_failed"');
    },
  );

  it.each([
    ['one page', [page('b a')]],
    ['several pages', [page('b a', 'old'), page('')]],
  ])('begins at the time of the service, with %s', async (_, script) => {
    const { begun } = await run(script);
    expect(new Set(begun)).toEqual(new Set([AT]));
  });

  it('prints a line for every entry and a summary at its end', async () => {
    const script = [page('b a'), page('c b a')];
    const { said, stdout, error } = await run(script, { format: 'table', maxItems: 3 });
    expect(stdout).toBe('ID\na\nb\nc\n');
    expect(said).toBe(
      'Printed 3 entries. Looked at some. Resume with: payctl logs tail -o ndjson --after c\n',
    );
    expect(error).toBeUndefined();
  });

  it('names no entry to resume after where there is none', async () => {
    const { said, error } = await run([page('')], { format: 'table', forMs: 0 });
    expect([said, error]).toEqual(['Printed 0 entries. Looked at some.\n', undefined]);
  });

  it('resumes after the last entry that has an ID and is in its place', async () => {
    const script: Response[] = [
      {
        items: [
          { id: 'b', at: AT - 1000 },
          { id: 'a', at: AT - 9000 },
        ],
      },
      { items: [{ at: AT }, { id: 'c', at: AT }, { id: 'b', at: AT - 1000 }, { id: 'late', at: AT - 2000 }] },
    ];
    const { ids, error, said } = await run(script);
    expect(ids).toEqual(['a', 'b', 'late', 'c']);
    expect(error).toMatchObject({ progress: { printed: 5, after: 'c' } });
    expect(said).toContain(
      '{"warning":{"code":"late","message":"1 entry comes late, after entries with later times","ids":["late"]}}',
    );
  });

  it('resumes after an entry that the filters leave out', async () => {
    const { ids, error } = await run([page('a'), { items: [{ id: 'b', drop: true }, { id: 'a' }] }]);
    expect([ids, error]).toEqual([
      ['a'],
      expect.objectContaining({ progress: expect.objectContaining({ printed: 1, after: 'b' }) }),
    ]);
  });
});

describe('the beginning of a tail', () => {
  const first = async (options: Options, ...script: readonly Response[]) => {
    const { ids, sent } = await run(script, { forMs: 0, ...options });
    return [ids.length, sent.length];
  };

  it('is the last ten entries by default, or as many as were asked for', async () => {
    expect(await first({}, page(numbers(12)))).toEqual([10, 1]);
    expect(await first({ last: 3 }, page(numbers(12)))).toEqual([3, 1]);
    expect(await first({ last: 0 }, page(numbers(12), 'old'))).toEqual([0, 1]);
    expect(await first({ last: 12 }, page(numbers(11)))).toEqual([11, 1]);
  });

  it('is the newest of the entries', async () => {
    const { ids } = await run([page('d c b a')], { last: 2, forMs: 0 });
    expect(ids).toEqual(['c', 'd']);
  });

  it('is read from as many pages as are needed for entries that the filters keep', async () => {
    const half: Response = { items: [{ id: 'a' }, { id: 'b', drop: true }], next: '2' };
    const other: Response = { items: [{ id: 'c' }, { id: 'd', drop: true }], next: '3' };
    expect(await first({ last: 1 }, half, other)).toEqual([1, 1]);
    expect(await first({ last: 2 }, half, other)).toEqual([2, 2]);
  });

  it('is all since a time, up to the first page that is older', async () => {
    const since = { isSince: true, from: AT };
    const script: Response[] = [
      {
        items: Array.from({ length: 11 }, (_, index) => ({ id: `n${index}`, at: AT + 20 - index })),
        next: '2',
      },
      {
        items: [
          { id: 'x', at: AT },
          { id: 'y', at: AT - 1 },
        ],
        next: '3',
      },
      { items: [{ id: 'z', at: AT - 2 }], next: '4' },
      { items: [{ id: 'never' }] },
    ];
    expect(await first(since, ...script)).toEqual([14, 3]);
    expect(await first({ ...since, last: 2 }, ...script)).toEqual([2, 1]);
    const [, , third] = script;
    const untimed: Response = { items: [{ id: 'u' }], next: '3' };
    expect(await first(since, untimed, third as Response)).toEqual([2, 2]);
  });

  it('is everything after an entry', async () => {
    const { ids, error } = await run([page(`${numbers(12)} a b`)], { after: 'a' });
    expect(ids).toHaveLength(12);
    expect(error).toMatchObject({ progress: { printed: 12, after: 'n0' } });
    const quiet = await run([page('a b')], { after: 'a' });
    expect(quiet.error).toMatchObject({ progress: { printed: 0, after: 'a' } });
  });

  it('is read on below an empty page', async () => {
    const { ids } = await run([page('', '2'), page('b a')], { forMs: 0 });
    expect(ids).toEqual(['a', 'b']);
  });

  it('does not limit what comes later', async () => {
    const { ids } = await run([page('a'), page(`${numbers(12)} a`)], { last: 1, maxItems: 13 });
    expect(ids).toHaveLength(13);
  });

  it('is what a file does not have', async () => {
    const path = join(folderForTest(), 'log.ndjson');
    writeFileSync(path, '{"id":"a"}\n{"id":"b"}\n');
    const { ids } = await run([page('d b c a')], { after: `@${path}` });
    writeFileSync(path, '');
    const empty = await run([page(numbers(12))], { after: `@${path}` });
    expect(ids).toEqual(['c', 'd']);
    expect(empty.ids).toHaveLength(10);
  });

  it('names a gap where the entry to begin after is gone', async () => {
    const { ids, said, stdout } = await run([page('b a'), page('b a'), page('b a')], {
      after: 'x',
      format: 'table',
    });
    expect(ids).toEqual([]);
    expect(stdout).toBe('ID\n[gap] a\nb\n');
    expect(said).toContain('The entry "x" is no longer listed: entries may be missing');
  });
});

describe('the end of a tail', () => {
  it('is after as many entries as were asked for', async () => {
    const { ids, error, sent } = await run([page('b a'), page('e d c b a')], { maxItems: 3 });
    expect([ids, error, sent.length]).toEqual([['a', 'b', 'c'], undefined, 2]);
    const exact = await run([page('b a')], { maxItems: 2 });
    expect([exact.ids, exact.error, exact.sent.length]).toEqual([['a', 'b'], undefined, 1]);
  });

  it('is where a later run resumes, before the entries that were not printed', async () => {
    const { said } = await run([page('d c b a')], { maxItems: 2, format: 'table' });
    expect(said).toBe(
      'Printed 2 entries. Looked at some. Resume with: payctl logs tail -o ndjson --after b\n',
    );
  });

  it('is the first entry that matches, which is printed', { tags: 'slow' }, async () => {
    const script = [page('a'), page('d c b a')];
    const { ids, error, said } = await run(script, { untilMatch: '.id == "c"' });
    expect([ids, error, said]).toEqual([['a', 'b', 'c'], undefined, '']);
  });

  it('is an error where nothing has matched in time', async () => {
    const { ids, error } = await run([page('b a')], { untilMatch: '.id == "c"', forMs: 0 });
    expect(ids).toEqual(['a', 'b']);
    expect(error).toMatchObject({ code: 'not_found', message: 'No entry matched --until-match' });
  });

  it('is not matched by entries that are not printed', async () => {
    const matching = { untilMatch: '.id == "c"' };
    const beyond = await run([page('c b a')], { ...matching, maxItems: 2 });
    expect([beyond.ids, codeOf(beyond.error)]).toEqual([['a', 'b'], 'not_found']);
    const dropped = await run([{ items: [{ id: 'c', drop: true }, { id: 'a' }] }], { ...matching, forMs: 0 });
    expect([dropped.ids, codeOf(dropped.error)]).toEqual([['a'], 'not_found']);
  });

  it('warns of a member that entries do not have', async () => {
    const { said } = await run([page('a')], { untilMatch: '.idd == "c"', forMs: 0 });
    expect(said).toContain('{"warning":{"code":"unknown_member"');
    expect(said).toContain('--until-match');
  });

  it('is refused where the expression is no jq', async () => {
    const { error, sent } = await run([page('a')], { untilMatch: '.id ==' });
    expect([codeOf(error), sent]).toEqual(['invalid_jq', []]);
    expect((error as Error).message).toContain('--until-match');
  });

  it.each([
    ['no end', {}, 'endless_document'],
    ['--for', { forMs: 0 }, undefined],
    ['--max-items', { maxItems: 1 }, undefined],
    ['--until-match', { untilMatch: '.id == "a"' }, undefined],
  ])('decides whether one document can be printed: %s', async (_, end, code) => {
    const { error } = await run([page('a')], { ...end, format: 'json' });
    expect(codeOf(error)).toBe(code);
  });
});

describe('entries of the tail itself', () => {
  const ownPolls = {
    add: () => {},
    isOwn: ({ item }: { readonly item: unknown }) => (item as Item).own as boolean,
  };

  it('are left out where they are known', async () => {
    const script: Response[] = [
      {
        items: [
          { id: 'b', own: true },
          { id: 'a', own: false },
        ],
      },
    ];
    const { ids, said } = await run(script, { forMs: 0, source: { ownPolls } });
    expect([ids, said]).toEqual([['a'], '']);
  });

  it('are printed with a warning where they may be of others', async () => {
    const script: Response[] = [{ items: [{ id: 'b', own: 'unknown' }] }];
    const { ids, said } = await run(script, { forMs: 0, source: { ownPolls } });
    expect(ids).toEqual(['b']);
    expect(said).toContain('{"warning":{"code":"own_requests"');
  });

  it('are known by the errors of failed requests', { tags: 'slow' }, async () => {
    const errors: unknown[] = [];
    const source = { ownPolls: { ...ownPolls, add: (error: unknown) => errors.push(error) } };
    const failure = refused(422);
    await run([page('a'), page('c', '2'), failure, page('c b a')], { maxRetries: 1, maxItems: 3, source });
    expect(errors).toEqual([failure]);
  });
});

describe('an output that cannot be written', () => {
  it('ends the tail with what was written, not with what was accepted', async () => {
    const { error } = await run([page('b a'), page('c b a'), page('d c b a')], {
      before: (number, stdout) => {
        if (number === 2) stdout.failWith = systemError('ENOSPC');
      },
    });
    expect(error).toBeInstanceOf(StoppedFollowingError);
    expect(error).toMatchObject({ progress: { printed: 2, after: 'b', wholeLines: 2 } });
  });

  it('ends the tail with the next response, even if there is nothing to write', async () => {
    const { error, sent } = await run([page('b a'), page('c b a'), ...Array(5).fill(page('c b a'))], {
      before: (number, stdout) => {
        if (number === 2) stdout.failWith = systemError('ENOSPC');
      },
    });
    expect(error).toMatchObject({ progress: { printed: 2, after: 'b' }, cause: { code: 'ENOSPC' } });
    expect(sent).toHaveLength(3);
  });

  it('is an error of a tail that has come to its end', async () => {
    const { error } = await run([page('b a'), page('c b a')], {
      maxItems: 3,
      before: (number, stdout) => {
        if (number === 2) stdout.failWith = systemError('ENOSPC');
      },
    });
    expect(error).toBeInstanceOf(StoppedFollowingError);
    expect(error).toMatchObject({ progress: { printed: 2, after: 'b', wholeLines: 2 } });
  });

  it('ends a tail without entries with the error', async () => {
    const { error } = await run([page('b a'), page('c b a')], {
      before: (_, stdout) => {
        stdout.failWith = systemError('ENOSPC');
      },
    });
    expect(error).not.toBeInstanceOf(StoppedFollowingError);
    expect(error).toMatchObject({ code: 'ENOSPC' });
  });
});
