import { beforeEach, describe, expect, it } from 'vitest';
import { serviceForAll } from './service-for-all.ts';

const UUID = 'e9714093-a6f6-4226-ae1e-cde40acccf87';
const MEERA = { id: 'u-1', name: 'Meera Pillai', email_address: 'Meera@example.com' };
const DARA = { id: 'u-2', name: "Dara O'Shea", email_address: 'dara@example.com' };
const entry = (id: string, timestamp: string, user: object, resource = 'r-1') => ({
  id,
  timestamp,
  action: 'updated',
  resource: { type: 'buyer', id: resource, name: 'Ada' },
  user,
});

/** Three pages, newest first; today is 1 March 2026. */
const PAGES: Record<string, object> = {
  first: {
    items: [
      entry('a', '2026-03-01T09:30:00+00:00', MEERA),
      entry('b', '2026-03-01T09:00:00+00:00', DARA, 'r-2'),
    ],
    next_cursor: 'two',
  },
  two: {
    items: [entry('c', '2026-02-28T10:00:00+00:00', MEERA), entry('d', '2026-02-20T10:00:00+00:00', DARA)],
    next_cursor: 'three',
  },
  three: { items: [entry('e', '2026-02-01T10:00:00+00:00', MEERA, 'r-2')], next_cursor: null },
};

let pages = PAGES;
const service = serviceForAll(({ url }) => {
  const cursor = new URL(url, 'http://x').searchParams.get('cursor') ?? 'first';
  return { headers: { date: 'Sun, 01 Mar 2026 10:00:00 GMT' }, body: pages[cursor] ?? {} };
});
beforeEach(() => {
  pages = PAGES;
});

const run = (...args: string[]) => service.run(args);
const list = (...flags: string[]) => run('audit-logs', 'list', '--columns', 'id', '--no-header', ...flags);
const LOOKED = 'audit log entries between 2026-02-01T10:00:00Z and 2026-03-01T09:30:00Z match.';

describe('audit-logs list', () => {
  it.each([
    [['--user', 'meera'], 'a\nc\ne\n', `3 of 5 ${LOOKED}\n`],
    [['--user', 'MEERA@EXAMPLE.COM'], 'a\nc\ne\n', `3 of 5 ${LOOKED}\n`],
    [['--user', 'u-2'], 'b\nd\n', `2 of 5 ${LOOKED}\n`],
    [['--user', 'example.com'], '', `No audit log entries match --user "example.com".\n0 of 5 ${LOOKED}\n`],
    [['--resource-id', 'r-2'], 'b\ne\n', `2 of 5 ${LOOKED}\n`],
    [['--resource-id', 'r-2', '--user', 'meera'], 'e\n', `1 of 5 ${LOOKED}\n`],
    [['--resource-id', 'r-2', '--all'], 'b\ne\n', `2 of 5 ${LOOKED}\n`],
  ])('filters here: %j', async (flags, stdout, stderr) => {
    expect(await list(...flags)).toEqual({ stdout, stderr, code: 0, urls: expect.any(Array) });
  });

  it('asks page after page with the filters of the contract', async () => {
    expect((await list('--user', 'meera', '--action', 'updated')).urls).toEqual([
      '/audit-logs?action=updated&limit=100',
      '/audit-logs?action=updated&cursor=two&limit=100',
      '/audit-logs?action=updated&cursor=three&limit=100',
    ]);
  });

  it('leaves a user with an ID to the service', async () => {
    const { urls, stderr } = await list('--user', UUID, '--limit', '2');
    expect(urls).toEqual([`/audit-logs?user_id=${UUID}&limit=2`]);
    expect(stderr).toContain(
      'There are more audit log entries after these 2. For all pages, add --all. Next page: ',
    );
    expect((await list('--user', UUID, '--resource-id', 'r-1', '--all')).urls[0]).toBe(
      `/audit-logs?user_id=${UUID}&limit=100`,
    );
  });

  it('stops at --since, counted from the clock of the service', async () => {
    expect(await list('--since', '2d')).toMatchObject({
      stdout: 'a\nb\nc\n',
      stderr:
        '3 of 4 audit log entries between 2026-02-20T10:00:00Z and 2026-03-01T09:30:00Z match. --since 2d is 2026-02-27T10:00:00Z.\n',
      code: 0,
    });
  });

  it('looks at all where they do not come newest first', async () => {
    pages = {
      ...PAGES,
      first: {
        ...PAGES.first,
        items: [entry('z', '2026-02-01T00:00:00Z', DARA), entry('y', '2026-03-01T00:00:00Z', DARA)],
      },
    };
    const { stdout, stderr, urls } = await list('--since', '2026-02-20T00:00:00Z');
    expect({ stdout, pages: urls.length }).toEqual({ stdout: 'y\nc\nd\n', pages: 3 });
    expect(stderr).toContain('They are not sorted newest first, so payctl does not stop at --since.');
  });

  it('shows --limit of them, and says that there are more', async () => {
    const { stdout, stderr } = await list('--user', 'meera', '--limit', '2');
    expect(stdout).toBe('a\nc\n');
    expect(stderr).toBe(
      '2 of 4 audit log entries between 2026-02-20T10:00:00Z and 2026-03-01T09:30:00Z match.\n' +
        'There are more audit log entries after these 2. For all pages, add --all. Next page: payctl audit-logs list --columns id --no-header --user meera --limit 2 --cursor three\n',
    );
  });

  it('works with --max-items and in every format', async () => {
    expect((await list('--user', 'meera', '--max-items', '2')).stdout).toBe('a\nc\n');
    expect((await list('--user', 'meera', '-o', 'ndjson')).stdout).toBe(
      '{"id":"a"}\n{"id":"c"}\n{"id":"e"}\n',
    );
    const csv = await run('audit-logs', 'list', '--user', 'dara', '-o', 'csv', '--columns', 'id');
    expect(csv.stdout).toBe('id\r\nb\r\nd\r\n');
    const json = await run('audit-logs', 'list', '--since', '2d', '-o', 'json');
    const items = Object.values(PAGES).flatMap((page) => (page as { items: object[] }).items);
    expect(json).toMatchObject({
      stdout: `${JSON.stringify({ items: items.slice(0, 3), next_cursor: null })}\n`,
      stderr: '',
    });
  });

  it.each([
    [
      ['--since', 'soon'],
      'Error: --since must be a time, not "soon" (bad_flag)\nUse 1h, 2h30m, 7d, today, 10:00, 10am, yesterday 10:00, 2026-03-01 10:00 or 2026-03-01T10:00:00Z.\n',
    ],
    [['--until', ''], 'Error: --until must be a time, not "" (bad_flag)\n'],
    [
      ['--since', 'today', '--until', 'yesterday'],
      'Error: --since today is later than --until yesterday (empty_time_span)\nGive --since the earlier time.\n',
    ],
    [['--user', 'a', '--user-id', 'b'], 'Error: --user and --user-id exclude each other (bad_flag)\n'],
  ])('sends nothing for %j', async (flags, stderr) => {
    const printed = await list(...flags);
    expect(printed).toMatchObject({ stdout: '', code: 2, urls: [] });
    expect(printed.stderr).toContain(stderr);
  });
});

describe('other lists with filters of payctl', () => {
  it('roles are looked for on every page', async () => {
    pages = {
      first: { items: [{ id: 'r', permissions: { allow: ['a.read'] } }], next_cursor: 'two' },
      two: { items: [{ id: 's', permissions: { allow: ['*'] } }], next_cursor: null },
    };
    expect((await run('roles', 'list', '--allows', 'b.read', '--columns', 'id')).stdout).toBe('ID\ns\n');
  });

  it('API logs are taken from the one response that there is', async () => {
    pages = {
      first: {
        items: [
          { id: 'l-1', request_received_at: '2026-03-01T09:30:00Z', response_status_code: 401 },
          { id: 'l-2', request_received_at: '2026-03-01T09:10:00Z', response_status_code: 404 },
          { id: 'l-3', request_received_at: '2026-03-01T08:00:00Z', response_status_code: 401 },
        ],
      },
    };
    const logs = (...flags: string[]) => run('api-logs', 'list', '--columns', 'id', '--no-header', ...flags);
    expect(await logs('--since', '1h')).toEqual({
      stdout: 'l-1\nl-2\n',
      stderr:
        '2 of 3 entries between 2026-03-01T08:00:00Z and 2026-03-01T09:30:00Z match. --since 1h is 2026-03-01T09:00:00Z.\n',
      code: 0,
      urls: ['/api-logs'],
    });
    expect((await logs('--since', '1h', '--status', '401')).stdout).toBe('l-1\n');
    expect((await logs('--status', '401')).stdout).toBe('l-1\nl-3\n');
  });

  it('API logs of a span of time are looked for back to its beginning, and no further', async () => {
    const entries = (...times: string[]) =>
      times.map((time) => ({ id: time, request_received_at: `2026-03-01T${time}:00Z` }));
    pages = {
      first: { items: entries('09:30', '09:10'), next_cursor: 'two' },
      two: { items: entries('08:30', '08:00'), next_cursor: 'three' },
      three: { items: entries('07:00', '06:00'), next_cursor: 'four' },
      four: { items: entries('05:00'), next_cursor: null },
    };
    const logs = (...flags: string[]) => run('api-logs', 'list', '--columns', 'id', '--no-header', ...flags);
    expect(await logs('--since', '08:30Z')).toEqual({
      stdout: '09:30\n09:10\n08:30\n',
      stderr:
        '3 of 4 entries between 2026-03-01T08:00:00Z and 2026-03-01T09:30:00Z match. --since 08:30Z is 2026-03-01T08:30:00Z.\n',
      code: 0,
      // The next page is fetched while one is printed.
      urls: ['/api-logs', '/api-logs?cursor=two', '/api-logs?cursor=three'],
    });
    expect(await logs('--until', '06:00Z')).toMatchObject({
      stdout: '06:00\n05:00\n',
      urls: ['/api-logs', '/api-logs?cursor=two', '/api-logs?cursor=three', '/api-logs?cursor=four'],
    });
    expect((await logs('--since', '08:30Z', '--max-items', '1')).stdout).toBe('09:30\n');
    expect((await logs('--status', '401')).urls).toEqual(['/api-logs']);
  });

  it('API logs that are not sorted are read to their end', async () => {
    pages = {
      first: { items: [{ request_received_at: '2026-03-01T06:00:00Z' }], next_cursor: 'two' },
      two: { items: [{ request_received_at: '2026-03-01T07:00:00Z' }], next_cursor: 'three' },
      three: { items: [{ id: 'c', request_received_at: '2026-03-01T05:00:00Z' }], next_cursor: null },
    };
    const { urls, stderr } = await run('api-logs', 'list', '--since', '05:00Z');
    expect(urls).toHaveLength(3);
    expect(stderr).toMatch(/ They are not sorted newest first, so payctl does not stop at --since\.\n$/);
  });
});
