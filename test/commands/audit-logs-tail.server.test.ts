import { describe, expect, it } from 'vitest';
import type { Answer } from '../harness/http-server.ts';
import { serviceForAll } from './service-for-all.ts';

type Entry = Readonly<Record<string, unknown>>;

const MEERA = { type: 'user', id: 'u1', name: 'Meera Rao', email_address: 'meera@example.com' };
const TOM = { type: 'user', id: 'u2', name: 'Tom Hale', email_address: 'tom@example.com' };

/** An entry of the given second of 10:00 on 1 March 2026. */
const entry = (id: string, second: number, more: Entry = {}): Entry => ({
  type: 'audit-log',
  id,
  timestamp: `2026-03-01T10:00:${String(second).padStart(2, '0')}.000+00:00`,
  action: 'updated',
  user: MEERA,
  resource: { type: 'buyer', id: `r-${id}`, name: `Buyer ${id}` },
  ...more,
});
const page = (items: readonly Entry[], cursor: string | null = null): Answer => ({
  body: { items, limit: 100, next_cursor: cursor, previous_cursor: null },
});
const lines = (entries: readonly Entry[]) => entries.map((each) => `${JSON.stringify(each)}\n`).join('');
const [A, B, C, D, E] = [entry('a', 1), entry('b', 2), entry('c', 3), entry('d', 4), entry('e', 5)];

const service = serviceForAll();

async function tail(given: readonly Answer[], args: readonly string[], columns?: number) {
  const answers = given.map((answer) => ({ headers: { date: 'Sun, 01 Mar 2026 10:00:30 GMT' }, ...answer }));
  const interval = args.includes('--interval') ? [] : ['--interval', '100ms'];
  return await service.run(['audit-logs', 'tail', ...interval, ...args], { answers, columns });
}

describe('audit-logs tail', () => {
  it('prints the last entries, then each new one once, oldest first, exactly as it was sent', async () => {
    const run = await tail(
      [page([B, A]), page([C, B, A]), page([E, D, C, B, A])],
      ['--max-items', '5', '-o', 'ndjson'],
    );
    expect(run).toEqual({
      stdout: lines([A, B, C, D, E]),
      stderr: '',
      code: 0,
      urls: Array(3).fill('/audit-logs?limit=100'),
    });
  });

  it('follows cursors until answers overlap, so that a burst leaves no gap', async () => {
    const pages = [page([E], 'two'), page([D, C], 'three'), page([B, A], 'past')];
    const given = [page([A], 'past'), page([]), ...pages];
    const run = await tail(given, ['--last', '0', '--max-items', '4', '-o', 'ndjson']);
    expect(run).toMatchObject({ stdout: lines([B, C, D, E]), stderr: '', code: 0 });
    expect(run.urls).toEqual([
      '/audit-logs?limit=100',
      '/audit-logs?limit=100&cursor=past',
      '/audit-logs?limit=100',
      '/audit-logs?limit=100&cursor=two',
      '/audit-logs?limit=100&cursor=three',
    ]);
  });

  it('leaves the filters of the contract to the service, and applies the others', async () => {
    const others = [entry('x', 2, { user: TOM }), entry('y', 3)];
    const run = await tail(
      [page([A]), page([E, ...others.toReversed(), A])],
      [
        '--user',
        'MEERA',
        '--action',
        'updated',
        '--resource-id',
        'r-e',
        '--for',
        '150ms',
        '-o',
        'csv',
        '--columns',
        'id',
      ],
    );
    expect(run.stdout).toBe('id\r\ne\r\n');
    expect(run.urls[0]).toBe('/audit-logs?action=updated&limit=100');
    expect(run.stderr).toBe(
      'Printed 1 entry. 1 of 4 audit log entries between 2026-03-01T10:00:01Z and 2026-03-01T10:00:05Z match. Resume with: payctl audit-logs tail --interval 100ms --user MEERA --action updated --resource-id r-e --for 150ms -o csv --columns id --after e\n',
    );
  });

  it('asks for a user with an ID, and for those of a type of resource', async () => {
    const id = '0b8c6a1e-5d2f-4b7a-9c3d-1e2f3a4b5c6d';
    const run = await tail(
      [page([A])],
      ['--user', id, '--resource-type', 'buyer', '--for', '1ms', '--last', '0'],
    );
    expect(run.urls[0]).toBe(`/audit-logs?user_id=${id}&resource_type=buyer&limit=100`);
    expect(run.stderr).toBe(
      `Printed 0 entries. 1 entry at 2026-03-01T10:00:01Z. Resume with: payctl audit-logs tail --interval 100ms --user ${id} --resource-type buyer --for 1ms --after a\n`,
    );
  });

  it('prints and marks late entries in a table of the width of the terminal', async () => {
    const late = entry('b', 2, { action: 'deleted' });
    const run = await tail([page([E, A]), page([late, E, A])], ['--last', '1', '--max-items', '2'], 80);
    expect(run.stdout.split('\n')).toEqual([
      'TIME (UTC)         USER              ACTION   RESOURCE                  ID',
      '2026-03-01 10:00Z  Meera Rao         updated  buyer Buyer e             e',
      '2026-03-01 10:00Z  Meera Rao         deleted  [late] buyer Buyer b      b',
      '',
    ]);
    expect(run.stderr).toMatch(
      /^1 entry comes late, after entries with later times\n\+2 columns \(EMAIL, RESOURCE ID\): -o wide\nPrinted 2 entries\. /,
    );
  });

  it.each([
    [['--interval', '99ms'], '--interval must be 100ms or more, not "99ms"'],
    [['--user', 'meera', '--user-id', 'u1'], '--user and --user-id exclude each other'],
    [['--until', '1h'], '--until'],
    [['--action', 'burned'], '--action'],
    [['-o', 'json'], 'endless_document'],
  ])('refuses %j before it sends anything', async (args, message) => {
    const run = await tail([page([A])], args);
    expect(run).toMatchObject({ stdout: '', code: 2, urls: [] });
    expect(run.stderr).toContain(message);
  });
});
