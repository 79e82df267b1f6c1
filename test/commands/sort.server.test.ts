import { describe, expect, it } from 'vitest';
import { answer, get } from '../descriptions/describe.ts';
import { importedHome, runImported } from '../features/api/run-imported.ts';
import { folderForTest } from '../harness/temporary-folder.ts';
import { serviceForAll } from './service-for-all.ts';

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

const service = serviceForAll(({ url }) => {
  if (url === '/balance') return { body: { amount: 5 } };
  if (url === '/report') return { headers: { 'content-type': 'text/csv' }, body: 'id\n2\n1\n' };
  return { body: PAGES[new URL(url, 'http://x').searchParams.get('cursor') ?? 'first'] ?? {} };
});

async function runWords(...argv: string[]) {
  const { urls, ...printed } = await service.run(argv, { env: { PAYCTL_CONFIG_DIR: folderForTest() } });
  return { ...printed, requests: urls.length };
}
const run = (...flags: string[]) => runWords('buyers', 'list', ...flags);
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

describe('api get --sort', () => {
  const sorted = async (path: string, ...flags: string[]) =>
    (await runWords('api', 'get', path, '--columns', 'id', '--no-header', '--sort', ...flags)).stdout;

  it.each(['/buyers', '/things'])('sorts the list at %s, which may be in no description', async (path) => {
    expect(await sorted(path, '-id', '--all')).toBe('c\nb\na\n');
    expect(await sorted(path, '-created_at')).toBe('c\nb\n');
    expect(await sorted(path, '-id', '-o', 'json')).toContain('"items":[{"id":"c"},{"id":"b"}]');
  });

  it('says that a page is not the whole list', async () => {
    const { stderr } = await runWords('api', 'get', '/things', '--sort', '-id');
    expect(stderr).toContain('Only these 2 things are sorted by "-id", and not the whole list.\n');
  });

  it.each([
    ['that is known to be no list, and sends nothing', '/checkout/sessions/1', 0],
    ['that turns out to be no list, and shows nothing', '/balance', 1],
  ])('refuses a response %s', async (_why, path, requests) => {
    expect(await runWords('api', 'get', path, '--sort', 'id')).toEqual({
      stdout: '',
      stderr: 'Error: --sort is for lists (bad_flag)\nRemove it.\n',
      code: 2,
      requests,
    });
  });
});

describe('api get --sort, of what is not JSON', () => {
  it('shows nothing', async () => {
    const { stdout, stderr, code } = await runWords('api', 'get', '/report', '--sort', 'id');
    expect({ stdout, code }).toEqual({ stdout: '', code: 9 });
    expect(stderr).toMatch(/^Error: The response is not JSON \(200 unreadable_response\)\n/);
  });

  it('is refused with a file', async () => {
    const run = await runWords('api', 'get', '/report', '--sort', 'id', '--output-file', 'report.csv');
    expect(run).toMatchObject({
      stderr: expect.stringMatching(/^Error: --sort shows JSON, and --output-file writes .*\(not_json\)\n/),
      code: 2,
      requests: 0,
    });
  });
});

describe('--sort on records of payctl', () => {
  it('sorts all of them', async () => {
    const methods = async (...flags: string[]) =>
      (await runWords('api', 'list', '--columns', 'method', '--no-header', ...flags)).stdout.split('\n');
    const unsorted = await methods();
    expect(await methods('--sort', '-METHOD')).toEqual([...unsorted.slice(0, -1).sort().reverse(), '']);
    const { stdout } = await runWords('api', 'list', '--sort', 'method', '-o', 'ndjson');
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).method),
    ).toEqual(unsorted.slice(0, -1).sort());
  });

  it.each(['profiles list', 'api list', 'emulator model'])(
    'refuses an unknown column of %s',
    async (words) => {
      expect(await runWords(...words.split(' '), '--sort', 'nothing')).toMatchObject({
        stdout: '',
        stderr: expect.stringMatching(/^Error: Unknown column "nothing" \(unknown_column\)\n/),
        code: 2,
      });
    },
  );
});

describe('--sort on a list of an imported description', () => {
  const described = (...names: readonly string[]) =>
    get({
      parameters: names.map((name) => ({ name, in: 'query', schema: { type: 'string' } })),
      responses: answer({
        type: 'object',
        properties: {
          data: { type: 'array', items: { type: 'object', properties: { id: { type: 'integer' } } } },
        },
      }),
    });
  const script = [{ body: '{"data":[{"id":1},{"id":2}]}' }];

  it('sorts the items in an envelope of the service', async () => {
    const sorted = await runImported(
      ['things', 'list', '--sort', '-id', '-o', 'json'],
      importedHome(described()),
      {
        script,
      },
    );
    expect(sorted).toMatchObject({
      stdout: '{"data":[{"id":2},{"id":1}]}\n',
      sent: [['GET', '/things']],
    });
  });

  it('is left to a service with a parameter of this name', async () => {
    const home = importedHome(described('sort'));
    const { stdout, sent } = await runImported(['things', 'list', '--sort', '-id', '-o', 'ndjson'], home, {
      script,
    });
    expect({ stdout, sent }).toEqual({ stdout: '{"id":1}\n{"id":2}\n', sent: [['GET', '/things?sort=-id']] });
  });
});
