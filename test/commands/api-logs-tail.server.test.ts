import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Answer, startServer } from '../harness/http-server.ts';
import { serviceForAll } from './service-for-all.ts';

type Log = Readonly<Record<string, unknown>>;

/** An entry that was written in the given second of 10:00 on 1 March 2026. */
const log = (id: string, second: number, more: Log = {}): Log => {
  const time = `2026-03-01T10:00:${String(second).padStart(2, '0')}.000+00:00`;
  return {
    type: 'api-log',
    id,
    request_method: 'GET',
    request_url: 'https://api.example.com/buyers',
    request_received_at: time,
    response_status_code: 404,
    response_body: { type: 'error', code: 'not_found', status: 404, message: `no ${id}`, details: [] },
    response_sent_at: time,
    ...more,
  };
};
const page = (logs: readonly Log[], cursor?: string): Answer => ({
  body: { items: logs, ...(cursor === undefined ? {} : { next_cursor: cursor }) },
});
const error = (status: number, headers = {}): Answer => ({
  status,
  headers,
  body: { type: 'error', code: `code_${status}`, status, message: `status ${status}`, details: [] },
});
const lines = (logs: readonly Log[]) => logs.map((entry) => `${JSON.stringify(entry)}\n`).join('');
const [A, B, C, D, E] = [log('a', 1), log('b', 2), log('c', 3), log('d', 4), log('e', 5)];

const service = serviceForAll();

type Options = { readonly env?: Record<string, string>; readonly columns?: number; readonly room?: number };

async function tail(given: readonly Answer[], args: readonly string[], options: Options = {}) {
  const answers = given.map(({ headers, ...answer }) => {
    return { headers: { date: 'Sun, 01 Mar 2026 10:00:30 GMT', ...headers }, ...answer };
  });
  const interval = args.includes('--interval') ? [] : ['--interval', '100ms'];
  return await service.run(['api-logs', 'tail', ...interval, ...args], { ...options, answers });
}

describe('api-logs tail', () => {
  it('prints the last entries, then each new one once, oldest first, exactly as it was sent', async () => {
    const run = await tail(
      [page([B, A]), page([C, B, A]), page([E, D, C, B, A])],
      ['--max-items', '5', '-o', 'ndjson'],
    );
    expect(run).toEqual({
      stdout: lines([A, B, C, D, E]),
      stderr: '',
      code: 0,
      urls: Array(3).fill('/api-logs'),
    });
  });

  it('resumes after the last entry that was written where the disk under stdout is full', async () => {
    const pages = [page([A]), page([B, A]), page([C, B, A])];
    const run = await tail(pages, ['-o', 'ndjson'], { room: 2 });
    expect(run.stdout).toBe(lines([A, B]));
    expect(JSON.parse(run.stderr)).toEqual({
      error: {
        code: 'ENOSPC',
        message: 'Cannot write to standard output: the disk is full; printed 2 entries',
        details: [],
        resume_after: 'b',
        resume_command: 'payctl api-logs tail --interval 100ms -o ndjson --after b',
        hint: 'Keep only the first 2 lines of the output, and append the output of the resume command.',
        exit_code: 1,
      },
    });
    const document = await tail(pages, ['-o', 'json', '--max-items', '3'], { room: 1 });
    expect(JSON.parse(document.stderr).error).not.toHaveProperty('resume_after');
  });

  it('begins with nothing, with so many entries, or with those of a time by the clock of the service', async () => {
    const ids = async (...args: string[]) =>
      (
        await tail(
          [page([C, B, A])],
          ['--for', '1ms', '-o', 'csv', '--columns', 'id', '--no-header', ...args],
        )
      ).stdout;
    expect(await ids('--last', '0')).toBe('');
    expect(await ids('--last', '2')).toBe('b\r\nc\r\n');
    expect(await ids('--since', '28s')).toBe('b\r\nc\r\n');
    expect(await ids('--since', '28s', '--last', '1')).toBe('c\r\n');
  });

  it('names the span of time of which entries may be missing, and marks the entry after it', async () => {
    const given = [page([B, A]), page([E, D])];
    const run = await tail(given, ['--last', '0', '--max-items', '2', '-o', 'ndjson']);
    expect(run.stdout).toBe(lines([D, E]));
    expect(JSON.parse(run.stderr)).toEqual({
      warning: {
        code: 'gap',
        message:
          'More entries arrived than one response holds: entries from 2026-03-01T10:00:02Z up to 2026-03-01T10:00:04Z may be missing',
        from: '2026-03-01T10:00:02.000Z',
        to: '2026-03-01T10:00:04.000Z',
      },
    });
    const table = await tail(given, ['--last', '0', '--max-items', '2']);
    expect(table.stdout.split('\n').map((line) => line.split('\t')[4])).toEqual([
      'WHY',
      '[gap] no d',
      'no e',
      undefined,
    ]);
  });

  it('prints late entries, and marks them', async () => {
    const given = [page([E, A]), page([B, E, A])];
    const run = await tail(given, ['--last', '0', '--max-items', '1', '-o', 'ndjson']);
    expect(run.stdout).toBe(lines([B]));
    expect(JSON.parse(run.stderr)).toEqual({
      warning: { code: 'late', message: '1 entry comes late, after entries with later times', ids: ['b'] },
    });
    const table = await tail(given, ['--last', '0', '--max-items', '1']);
    expect(table.stdout).toContain('\t[late] no b\t');
    expect(table.stderr).toMatch(/^1 entry comes late, after entries with later times\nPrinted 1 entry\. /);
  });

  it('prints a table whose columns stay where they are, with one header', async () => {
    const wide = log('c', 3, { request_url: 'https://api.example.com/payment-service-definitions' });
    const run = await tail([page([A]), page([B, A]), page([wide, B, A])], ['--max-items', '3'], {
      columns: 80,
    });
    expect(run.stdout).toBe(
      [
        'TIME (UTC)         STATUS  METHOD  PATH          WHY                    ID',
        '2026-03-01 10:00Z     404  GET     /buyers       no a                   a',
        '2026-03-01 10:00Z     404  GET     /buyers       no b                   b',
        '2026-03-01 10:00Z     404  GET     /payment-se…  no c                   c',
        '',
      ].join('\n'),
    );
  });

  it('ends with the first entry that matches, also behind odd ones, and prints what came before', async () => {
    const odd = [log('t', 2, { response_body: 'a page' }), log('n', 3, { response_body: null })];
    const given = [page([A]), page([E, D, ...odd.toReversed(), A])];
    const args = ['--last', '0', '-o', 'ndjson', '--until-match', '.response_body.message == "no d" # here'];
    expect(await tail(given, args)).toMatchObject({ stdout: lines([...odd, D]), stderr: '', code: 0 });
  });

  it('ends with exit code 5 where no entry has matched in time', async () => {
    const run = await tail([page([A])], ['--for', '150ms', '--until-match', '.id == "z"', '-o', 'ndjson']);
    expect(run).toMatchObject({ stdout: lines([A]), code: 5 });
    expect(JSON.parse(run.stderr)).toMatchObject({ error: { code: 'not_found', exit_code: 5 } });
  });

  it('says how it ended, and how to resume', async () => {
    const run = await tail([page([B, A])], ['--for', '1ms', '--last', '1', '--where', '.id == "b"']);
    expect(run.stderr).toBe(
      'Printed 1 entry. 1 of 2 entries between 2026-03-01T10:00:01Z and 2026-03-01T10:00:02Z match. Resume with: payctl api-logs tail --interval 100ms --for 1ms --where \'.id == "b"\' --after b\n',
    );
  });

  it('outlives failures after the first answer, says so, and prints nothing twice', async () => {
    const given = [
      page([A]),
      error(503),
      error(429, { 'retry-after': '1' }),
      { body: 'no page' },
      page([B, A]),
    ];
    const run = await tail(given, ['--max-items', '2', '-o', 'ndjson']);
    expect(run).toMatchObject({ stdout: lines([A, B]), code: 0 });
    const warnings = run.stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).warning);
    expect(warnings.map(({ code, cause, failures }) => [code, cause, failures])).toEqual([
      ['poll_failed', 'code_503', 1],
      ['poll_failed', 'code_429', 2],
      ['poll_recovered', undefined, 3],
    ]);
    expect(warnings[1].message).toBe('status 429. Trying again in 1.0 s (2 failures in a row)');
  });

  it('ends with a lasting error, which says how to resume', async () => {
    const run = await tail([page([B, A]), error(401)], ['--last', '1', '-o', 'ndjson']);
    expect(run).toMatchObject({ stdout: lines([B]), code: 3 });
    const { error: reported } = JSON.parse(run.stderr);
    expect(reported).toMatchObject({
      status: 401,
      message: 'status 401; printed 1 entry',
      resume_after: 'b',
    });
    const text = await tail([page([B, A]), error(403)], ['--last', '1', '--no-header']);
    expect(text.stderr).toContain('Error: status 403; printed 1 entry (403 code_403)\n');
    expect(text.stderr).toContain(
      'Resume with: payctl api-logs tail --interval 100ms --no-header --after b\n',
    );
    expect(text.code).toBe(4);
  });

  it.each([
    ['sends empty pages with new cursors', Number.POSITIVE_INFINITY, 0, 'gap'],
    ['never responds', 0, 9, 'timeout'],
    ['stops responding between two pages', 1, 0, 'gap'],
  ])('ends at its time where the service %s', async (_, pages, code, said) => {
    let requests = 0;
    const endless = await startServer((_request, response) => {
      requests += 1;
      if (requests > pages) return;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ items: [], next_cursor: `c${requests}` }));
    });
    const env = { PAYCTL_BASE_URL: endless.origin };
    const run = await tail([], ['--for', '600ms', '--timeout', '500ms', '-o', 'ndjson'], { env });
    expect(requests).toBeLessThanOrEqual(Math.max(pages, 1) + 2);
    await endless.close();
    const last = JSON.parse(run.stderr.trim().split('\n').at(-1) ?? '');
    expect(run).toMatchObject({ stdout: '', code });
    expect((last.warning ?? last.error).code).toBe(said);
  });

  it('signs a token for each request', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const env = { PAYCTL_PRIVATE_KEY: pem };
    await tail([page([A]), page([A]), page([B, A])], ['--max-items', '2', '-o', 'ndjson'], { env });
    const tokens = service.requests().map(({ headers }) => headers.authorization);
    expect(tokens).toHaveLength(3);
    expect(new Set(tokens).size).toBe(3);
  });

  it('leaves out its own failed polls, where an entry says who sent the request', async () => {
    const poll = { request_url: `${service.origin}/api-logs`, response_status_code: 503 };
    const own = (id: string, agent: string | undefined) =>
      log(id, 3, { ...poll, request_headers: { 'User-Agent': agent } });
    const userAgent = service.requests()[0]?.headers['user-agent'];
    const run = await tail(
      [page([A]), error(503), page([own('x', 'curl/8'), own('y', userAgent), own('z', userAgent), A])],
      ['--last', '0', '--max-items', '2', '-o', 'ndjson'],
    );
    expect(run.stdout).toBe(lines([own('y', userAgent), own('x', 'curl/8')]));
    const unknown = [log('x', 3, poll), log('y', 4, poll)];
    const given = [page([A]), error(503), page([...unknown.toReversed(), A])];
    const printed = await tail(given, ['--last', '0', '--max-items', '2', '-o', 'ndjson']);
    expect(printed.stdout).toBe(lines(unknown));
    expect(printed.stderr.match(/"code":"own_requests"/g)).toHaveLength(1);
  });

  it('filters each entry with --jq, and has printed all before one that fails', async () => {
    const odd = log('c', 3, { response_body: 'a page' });
    const run = await tail([page([D, odd, B, A])], ['--jq', '.response_body.message']);
    expect(run).toMatchObject({ stdout: '"no a"\n"no b"\n', code: 1 });
    expect(run.stderr).toContain(
      'Resume with: payctl api-logs tail --interval 100ms --jq .response_body.message --after b\n',
    );
  });

  it.each([
    [['--interval', '99ms'], '--interval must be 100ms or more, not "99ms"'],
    [['--interval', '0s'], '--interval is "0s", which is not longer than zero'],
    [['--interval', 'often'], '--interval is "often", which is not a duration'],
    [['--for', '1'], '--for is "1", which has no unit'],
    [['--after', 'a', '--last', '3'], '--last'],
    [['--until-match', '.a ='], '--until-match does not compile'],
    [['--status', '200'], '--status must be statuses from 400 to 599'],
    [['--until', '1h'], '--until'],
  ])('refuses %j before it sends anything', async (args, message) => {
    const run = await tail([page([A])], args);
    expect(run).toMatchObject({ stdout: '', code: 2, urls: [] });
    expect(run.stderr).toContain(message);
    expect(run.stderr).not.toContain('Parsing');
  });
});
