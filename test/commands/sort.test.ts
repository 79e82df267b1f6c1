import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startServer, type TestServer } from '../harness/http-server.ts';
import { runInProcess } from './run-in-process.ts';

const PAGES: Readonly<Record<string, object>> = {
  first: {
    items: [
      { id: 'b', merchant_account_id: 'm 10', created_at: '2026-03-01T10:00:00+00:00' },
      { id: 'c', merchant_account_id: 'm 2', created_at: '2026-03-01T12:30:00+02:00' },
    ],
    limit: 2,
    next_cursor: 'two',
    previous_cursor: null,
  },
  two: {
    items: [{ id: 'a', created_at: '2026-03-01T09:00:00Z' }],
    limit: 2,
    next_cursor: null,
    previous_cursor: 'x',
  },
};

let server: TestServer;
let before = 0;
beforeAll(async () => {
  server = await startServer(({ url }, response) => {
    const cursor = new URL(url, 'http://x').searchParams.get('cursor') ?? 'first';
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(PAGES[cursor]));
  });
});
beforeEach(() => {
  before = server.requests.length;
});
afterAll(() => server.close());

async function run(...flags: string[]) {
  const env = { PAYCTL_BASE_URL: server.origin, PAYCTL_TOKEN: 'opaque', TERM: 'xterm', NO_COLOR: '1' };
  const printed = await runInProcess(['buyers', 'list', ...flags], { env });
  return { ...printed, requests: server.requests.length - before };
}
const ids = async (...flags: string[]) => (await run('--columns', 'id', '--no-header', ...flags)).stdout;

describe('buyers list --sort', () => {
  it('sorts all items, by a header, a path or the reverse of one', async () => {
    expect(await ids('--all', '--sort', 'ID')).toBe('a\nb\nc\n');
    expect(await ids('--all', '--sort', '-CREATED')).toBe('c\nb\na\n');
    // `-m` is a flag.
    expect(await ids('--all', '--sort', '-merchant_account_id')).toBe('b\nc\na\n');
    expect(await ids('--all', '--sort=merchant_account_id')).toBe('c\nb\na\n');
    expect(await run('--all', '--sort', 'id')).toMatchObject({ stderr: '', code: 0 });
  });

  it('keeps what was sent in every format', async () => {
    const { stdout } = await run('--all', '--sort', 'id', '-o', 'json');
    expect(JSON.parse(stdout)).toEqual({
      items: ['two', 'first'].flatMap((page) => Reflect.get(PAGES[page] ?? {}, 'items')),
      limit: 2,
      next_cursor: null,
      previous_cursor: null,
    });
    expect(await ids('--all', '--sort', '-id', '-o', 'ndjson')).toBe('{"id":"c"}\n{"id":"b"}\n{"id":"a"}\n');
    expect(await ids('--all', '--sort', 'id', '-o', 'csv')).toBe('a\r\nb\r\nc\r\n');
    expect((await run('--all', '--sort', '-id', '--jq', '.items[0].id')).stdout).toBe('c\n');
  });

  it('says that a page is not the whole list', async () => {
    const { stdout, stderr } = await run('--columns', 'id', '--sort', '-id');
    expect(stdout).toBe('ID\nc\nb\n');
    expect(stderr).toBe(
      'Only these 2 buyers are sorted by "-id", and not the whole list.\n' +
        'There are more buyers after these 2. All of them: payctl buyers list --columns id --sort=-id --all\n',
    );
    const json = await run('--max-items', '1', '--sort', 'id', '-o', 'ndjson');
    expect(json.stdout).toContain('"id":"b"');
    expect(json.stderr.split('\n').map((line) => line.slice(0, 40))).toEqual([
      '{"warning":{"code":"sorted_in_part","mes',
      '{"warning":{"code":"list_cut","message":',
      '',
    ]);
  });

  it('refuses a column that it does not know, and sends nothing', async () => {
    expect(await run('--sort', '-createdat')).toEqual({
      stdout: '',
      stderr: expect.stringMatching(
        /^Error: Unknown column "createdat" \(unknown_column\)\nDid you mean created_at/,
      ),
      code: 2,
      requests: 0,
    });
    expect(await ids('--all', '--sort', '?no_such_field')).toBe('b\nc\na\n');
  });
});
