import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { inZone } from '../harness/in-zone.ts';
import { folderForAll } from '../harness/temporary-folder.ts';
import { runInProcess } from './run-in-process.ts';
import { serviceForAll } from './service-for-all.ts';

const log = (id: string, at: string, status: number, url: string, body: unknown) => ({
  type: 'api-log',
  id,
  request_method: 'POST',
  request_url: url,
  request_received_at: at,
  response_status_code: status,
  response_body: body,
  response_sent_at: at,
});

const BUYER = 'a5b1f0de-0000-4000-8000-000000000000';
const LOGS = [
  log('l-1', '2026-03-01T09:30:00.000+00:00', 400, `https://one.example/buyers/${BUYER}/shipping-details`, {
    code: 'bad_request',
    message: 'Generic error',
    details: [
      { pointer: '/phone_number', message: 'must match' },
      { pointer: '/x', message: 'y' },
    ],
  }),
  log(
    'l-2',
    '2026-03-01T09:10:00.000+00:00',
    502,
    'https://one.example/buyers',
    '<title>Bad gateway</title>',
  ),
  log('l-3', '2026-03-01T08:00:00.000+00:00', 401, 'https://one.example/roles', {
    code: 'unauthorized',
    message: 'No valid API authentication found',
  }),
];
const LOOKED = '3 entries between 2026-03-01T08:00:00Z and 2026-03-01T09:30:00Z';

const folder = folderForAll();
const FILE = join(folder, 'logs.ndjson');
writeFileSync(FILE, LOGS.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
let pages: Record<string, object> = { first: { items: LOGS } };
const service = serviceForAll(({ url }) => {
  const cursor = new URL(url, 'http://x').searchParams.get('cursor') ?? 'first';
  return { headers: { date: 'Sun, 01 Mar 2026 10:00:00 GMT' }, body: pages[cursor] ?? {} };
});

const run = (flags: readonly string[], columns?: number) =>
  service.print(['api-logs', ...flags], { columns });
/** Without any setting: no profile, no address, no credentials. */
const runOnFile = (flags: readonly string[], columns?: number) =>
  runInProcess(['api-logs', ...flags, '--file', FILE], {
    env: { PAYCTL_CONFIG_DIR: folder, PAYCTL_PROFILE: 'none', TERM: 'xterm', NO_COLOR: '1' },
    columns,
  });

describe('api-logs list --max-items', () => {
  const run = (...flags: string[]) =>
    service.print(['api-logs', 'list', '--columns', 'ID', '--no-header', ...flags]);

  it.each([
    [[], 'l-1\nl-2\n'],
    [['--status', '401,502'], 'l-2\nl-3\n'],
  ])('stops after so many entries, with the filters %j', async (flags, expected) => {
    expect((await run('--max-items', '2', ...flags)).stdout).toBe(expected);
    expect((await run('--max-items', '2', '--file', FILE, ...flags)).stdout).toBe(expected);
  });

  it('writes what is kept of a file to another one, which nothing can resume', async () => {
    const path = join(folder, 'kept.ndjson');
    const flags = ['list', '--status', '401,502', '-o', 'ndjson'];
    const { stdout } = await runOnFile(flags);
    expect(await runOnFile([...flags, '--output-file', path])).toMatchObject({ stdout: '', code: 0 });
    expect(readFileSync(path, 'utf8')).toBe(stdout);
    const resumed = await runOnFile([...flags, '--output-file', path, '--resume']);
    expect(resumed).toMatchObject({ stdout: '', code: 2 });
    expect(resumed.stderr).toContain('cannot_resume');
  });

  it('is what --limit is answered with', async () => {
    expect(await run('--limit', '5')).toEqual({
      stdout: '',
      stderr:
        'Error: Unknown flag --limit (unknown_flag)\nThe service sets the page size of this list. Use --max-items N to list the first N items.\n',
      code: 2,
    });
  });
});

describe('api-logs list', () => {
  it('answers on 80 columns which endpoint failed, why, and by which ID to show it', async () => {
    const uuids = [
      '5041a892-fb00-4846-8360-690c9631e63e',
      'fb42e4a0-3f7f-4a63-bb0f-97ee4cd1f8ed',
      'a1a51eaa-c3a4-4a4d-a8bd-ede576a4227c',
    ];
    pages = { first: { items: LOGS.map((log, index) => ({ ...log, id: uuids[index] })) } };
    expect(await run(['list', '--no-pager'], 80)).toMatchObject({
      stdout: [
        'TIME (UTC)         STATUS  PATH          WHY                            ID',
        '2026-03-01 09:30Z     400  /bu\u2026/shippi\u2026  /phone_number must match (+1)  5041a892',
        '2026-03-01 09:10Z     502  /buyers       Bad gateway                    fb42e4a0',
        '2026-03-01 08:00Z     401  /roles        No valid API authentication \u2026  a1a51eaa',
        '',
      ].join('\n'),
      code: 0,
    });
    pages = { first: { items: LOGS } };
  });

  it('shows a reason of 60 characters whole on 120 columns, and one of more up to there', async () => {
    const reason = (length: number) => ({
      ...LOGS[0],
      id: '5041a892-fb00-4846-8360-690c9631e63e',
      response_body: { message: 'w'.repeat(length) },
    });
    pages = { first: { items: [reason(60)] } };
    const whole = await run(['list', '--no-pager'], 120);
    pages = { first: { items: [reason(90)] } };
    const cut = await run(['list', '--no-pager'], 120);
    pages = { first: { items: LOGS } };
    expect(whole.stdout).toContain(`  /bu\u2026/shippin\u2026  ${'w'.repeat(60)}  5041a892\n`);
    expect(cut.stdout).toContain(`  /bu\u2026/shippin\u2026  ${'w'.repeat(59)}\u2026  5041a892\n`);
  });

  it('shows hosts where they differ, and paths whole where the whole width is shown', async () => {
    pages = { first: { items: [LOGS[0], { ...LOGS[1], request_url: 'https://two.example/buyers' }] } };
    const { stdout } = await run(['list', '--no-pager', '-o', 'wide'], 250);
    pages = { first: { items: LOGS } };
    expect(stdout).toContain('one.example');
    expect(stdout).toContain(`/buyers/${BUYER}/shipping-details`);
    expect(stdout).toContain('2026-03-01 09:30:00Z');
  });

  it.each([
    [
      ['--status', '4xx', '--since', '2026-03-01T09:00:00Z'],
      ['l-1'],
      `1 of ${LOOKED} match. --since 2026-03-01T09:00:00Z is 2026-03-01T09:00:00Z.\n`,
    ],
    [
      ['--status', '5xx', '--code', 'x'],
      [],
      `No API error log entries match --status "5xx" --code "x".\n0 of ${LOOKED} match.\n`,
    ],
    [['--path', '/buyers/{id}/*'], ['l-1'], `1 of ${LOOKED} match.\n`],
    [['--pointer', '/x'], ['l-1'], `1 of ${LOOKED} match.\n`],
    [
      ['--path', 'buyers/**', '--path', '!roles'],
      [],
      `No API error log entries match --path "buyers/**,!roles".\n0 of ${LOOKED} match. Did you mean --path "/buyers/**"?\n`,
    ],
    [
      ['--pointer', 'x'],
      [],
      `No API error log entries match --pointer "x".\n0 of ${LOOKED} match. Did you mean --pointer "/x"?\n`,
    ],
    [['--message', '/^no valid/i'], ['l-3'], `1 of ${LOOKED} match.\n`],
    [['--where', '.id == "l-2"'], ['l-2'], `1 of ${LOOKED} match.\n`],
    [
      ['--where', '.response_body | startswith("<")'],
      ['l-2'],
      `1 of ${LOOKED} match. --where failed on 2 entries: startswith() requires string inputs.\n`,
    ],
  ])('keeps with %j %j, and says what it looked at', async (flags, ids, stderr) => {
    const printed = await run(['list', '--columns', 'id', '--no-header', ...flags]);
    expect(printed).toEqual({ stdout: ids.map((id) => `${id}\n`).join(''), stderr, code: 0 });
    const onFile = await runOnFile(['list', '-o', 'ndjson', ...flags]);
    expect(onFile).toEqual({
      stdout: LOGS.filter(({ id }) => ids.includes(id))
        .map((entry) => `${JSON.stringify(entry)}\n`)
        .join(''),
      stderr: '',
      code: 0,
    });
  });

  it('reads files without an address, credentials or a profile that exists', async () => {
    expect(await runOnFile(['list', '--columns', 'id', '--no-header'])).toEqual({
      stdout: 'l-1\nl-2\nl-3\n',
      stderr: `${LOOKED}.\n`,
      code: 0,
    });
    expect(await runOnFile(['list', '--status', '404', '-o', 'json'])).toEqual({
      stdout: '{"items":[]}\n',
      stderr: '',
      code: 0,
    });
  });

  it('says that entries which come again are left out', async () => {
    const { stdout, stderr } = await runOnFile(['list', '--file', FILE, '--columns', 'id', '--no-header']);
    expect([stdout, stderr]).toEqual([
      'l-1\nl-2\nl-3\n',
      `${LOOKED}. 3 duplicates with the same ID are left out.\n`,
    ]);
  });

  it('masks secrets of files as it masks those of the service', async () => {
    const secret = join(folder, 'secret.json');
    writeFileSync(secret, '[{"id":"x","response_body":{"api_key":"hidden"}}]');
    const flags = ['api-logs', 'list', '--file', secret, '-o', 'ndjson'];
    const env = { PAYCTL_CONFIG_DIR: folder };
    expect((await runInProcess(flags, { env })).stdout).toBe(
      '{"id":"x","response_body":{"api_key":"********"}}\n',
    );
    expect((await runInProcess([...flags, '--reveal-secrets'], { env })).stdout).toContain('hidden');
  });

  it.each([
    [['--status', '200'], 'bad_flag'],
    [['--where', '.a |'], 'invalid_jq'],
    [['--since', 'soon'], 'bad_flag'],
    [['--slower-than', '2'], 'invalid_duration'],
    [['--file', join(folder, 'none')], 'unreadable_file'],
    [['--file', '-', '--file', '-'], 'bad_flag'],
  ])('refuses %j before anything is sent', async (flags, code) => {
    const printed = await run(['list', '-o', 'json', ...flags]);
    expect(JSON.parse(printed.stderr).error).toMatchObject({ code, exit_code: 2 });
    expect(printed).toMatchObject({ stdout: '', code: 2 });
    expect(service.requests()).toEqual([]);
  });
});

describe('api-logs get --file', () => {
  const local = { PAYCTL_CONFIG_DIR: folder, PAYCTL_PROFILE: 'none' };

  it('explains an entry without an address or credentials, with commands that read the same file', async () => {
    const { stdout, stderr, code } = await runOnFile(['get', 'l-2']);
    expect(code).toBe(0);
    expect(stdout).toContain('response_body\t<title>Bad gateway</title>\n');
    expect(stderr.split('\n')).toContain(
      `Try: payctl api-logs list --status 502 --method POST --path /buyers --file ${FILE}`,
    );
    expect(stderr).not.toContain('The API cannot look up');
  });

  it('gives an entry exactly as it stands in the file, also of standard input that is compressed', async () => {
    const stdin = gzipSync('{"id":"x-1","n":1.0,"response_body":12345678901234567890}\n');
    const run = await runInProcess(['api-logs', 'get', 'x-1', '--file', '-', '-o', 'json'], {
      env: local,
      stdin,
    });
    expect(run).toEqual({
      stdout: '{"id":"x-1","n":1.0,"response_body":12345678901234567890}\n',
      stderr: '',
      code: 0,
    });
  });

  it('exits with 5 for an ID that no file has, and with 2 for a file that is no log', async () => {
    expect(await runOnFile(['get', 'nobody'])).toEqual({
      stdout: '',
      stderr:
        'Error: No API error log entry has the ID "nobody"; payctl searched 3 API error log entries in the files (not_found)\n',
      code: 5,
    });
    const odd = join(folder, 'openapi.json');
    writeFileSync(odd, '{"openapi":"3.1.0"}');
    const refused = {
      stdout: '',
      stderr: `Error: ${odd} contains no API log entries: line 1 is an OpenAPI document, not a log entry (unreadable_log)\nA file must contain an array of entries, a document {"items": [...]}, one entry per line, or an HTTP archive (HAR).\n`,
      code: 2,
    };
    for (const words of [['get', 'l-1'], ['list'], ['summary'], ['report']]) {
      expect(await runInProcess(['api-logs', ...words, '--file', odd], { env: local })).toEqual(refused);
    }
  });
});

describe('api-logs get', () => {
  it('explains the entry beside a table, and gives it as it was sent as JSON', async () => {
    const { stdout, stderr } = await run(['get', 'l-3']);
    expect(stdout).toContain('response_body.code\tunauthorized\n');
    expect(stderr.split('\n').slice(0, 6)).toEqual([
      'Why: No valid API authentication found',
      `Request: curl -X POST -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' --data @body.json https://one.example/roles`,
      'Meaning: The token is invalid and cannot authorize the call.',
      'Likely cause: the service does not accept the token',
      'What to do: find out what is wrong with it: payctl auth inspect FILE',
      'Try: payctl doctor',
    ]);
    expect(await run(['get', 'l-3', '-o', 'json'])).toEqual({
      stdout: `${JSON.stringify(LOGS[2])}\n`,
      stderr: '',
      code: 0,
    });
    expect((await run(['get', 'l-3', '--columns', 'id'])).stderr).not.toContain('Why');
    expect(await run(['get', 'l-9'])).toMatchObject({ stdout: '', code: 5 });
  });
});

describe('api-logs summary', () => {
  const GROUP = {
    count: 1,
    share: 0.3333,
    status: 400,
    code: 'bad_request',
    method: 'POST',
    path: '/buyers/{buyer_id}/shipping-details',
    pointer: '/phone_number',
    type: null,
    message: 'must match',
    first_seen: '2026-03-01T09:30:00.000Z',
    last_seen: '2026-03-01T09:30:00.000Z',
    example_id: 'l-1',
  };

  it('gives the figures as one document, of the service and of files alike', async () => {
    const { stdout, stderr } = await run(['summary', '-o', 'json']);
    expect(JSON.parse(stdout)).toEqual({
      looked_at: 3,
      kept: 3,
      from: '2026-03-01T08:00:00.000Z',
      to: '2026-03-01T09:30:00.000Z',
      groups: [GROUP, expect.objectContaining({ status: 502 }), expect.objectContaining({ status: 401 })],
    });
    expect(stderr).toBe('');
    expect((await runOnFile(['summary', '-o', 'json'])).stdout).toBe(stdout);
  });

  it('reads every page of the service, and counts an entry that comes again once', async () => {
    pages = { first: { items: LOGS.slice(0, 2), next_cursor: 'two' }, two: { items: LOGS.slice(1) } };
    const { stdout, stderr } = await run(['summary', '--columns', 'example_id', '--no-header']);
    pages = { first: { items: LOGS } };
    expect([stdout, stderr]).toEqual([
      'l-1\nl-2\nl-3\n',
      `${LOOKED}. 1 duplicate with the same ID is left out.\n`,
    ]);
  });

  it('gives plain figures in a pipe, and lines on a terminal', async () => {
    const [, row] = (await runOnFile(['summary'])).stdout.split('\n');
    expect(row?.split('\t').slice(0, 6)).toEqual(['1', '0.3333', '400', 'POST', GROUP.path, '/phone_number']);
    const { stdout } = await runOnFile(['summary', '-o', 'wide', '--no-pager'], 250);
    expect(stdout).toMatch(/33\.3 % .*\u2588/);
    expect((await runOnFile(['summary', '--no-pager'], 80)).stdout).toContain(
      '    1     400  POST    /bu\u2026/shipping-d\u2026  /phone_number  must match\n',
    );
    expect((await runOnFile(['summary', '-o', 'ndjson'])).stdout.split('\n')[0]).toBe(JSON.stringify(GROUP));
  });

  it('shows whole messages on a terminal, so that they can be told apart', async () => {
    const at = (field: string) =>
      log(field, '2026-03-01T09:00:00Z', 400, `https://one.example/buyers/${BUYER}/shipping-details`, {
        details: [{ pointer: '/address/postal_code', message: `This value is not valid for the ${field}` }],
      });
    const stdin = Buffer.from(`${JSON.stringify(at('country'))}\n${JSON.stringify(at('currency'))}\n`);
    const { stdout } = await runInProcess(['api-logs', 'summary', '--file', '-', '--no-pager'], {
      ...{ env: { PAYCTL_CONFIG_DIR: folder, PAYCTL_PROFILE: 'none' }, columns: 80, stdin },
    });
    const messages = stdout.split('\n').map((line) => line.slice(57));
    expect(messages.slice(1)).toEqual([
      'This value is not valid',
      'for the country',
      'This value is not valid',
      'for the currency',
      '',
    ]);
  });

  it('names the commands that show an example of each of the largest groups, where the table does not', async () => {
    const rows = ['First', 'Second', 'Third'];
    const tries = ['l-1', 'l-2', 'l-3']
      .map((id, index) => `${rows[index]} row: payctl api-logs get ${id}\n`)
      .join('');
    const left = '+7 columns (SHARE, TREND, LAST SEEN, CODE, FIRST SEEN, EXAMPLE ID, TYPE): -o wide\n';
    expect((await run(['summary', '--no-pager'], 80)).stderr).toBe(`${left}${LOOKED}.\n${tries}`);
    expect((await runOnFile(['summary', '--no-pager'], 80)).stderr).toBe(`${left}${LOOKED}.\n`);
    expect((await run(['summary', '--by', 'hour', '--no-pager'], 80)).stderr).toBe(`${LOOKED}.\n`);
    expect((await run(['summary'])).stderr).toBe(`${LOOKED}.\n`);
  });

  it('counts by the hour', async () => {
    inZone('Asia/Kathmandu');
    const { stdout } = await runOnFile(['summary', '--by', 'hour', '--no-pager'], 100);
    expect(stdout.split('\n').map((line) => line.slice(0, 17).trim())).toEqual([
      'FROM (UTC)',
      '2026-03-01 08:00Z',
      '2026-03-01 09:00Z',
      '',
    ]);
    expect((await runOnFile(['summary', '--by', 'hour', '-o', 'csv'])).stdout).toBe(
      'from,count,4xx,5xx\r\n2026-03-01T08:00:00.000Z,1,1,0\r\n2026-03-01T09:00:00.000Z,2,1,1\r\n',
    );
  });

  it('draws lines in no other format than the table, also on a terminal', async () => {
    for (const flags of [[], ['--by', 'hour']]) {
      for (const format of ['csv', 'markdown']) {
        const args = ['summary', ...flags, '-o', format, '--no-pager'];
        expect((await runOnFile(args, 80)).stdout).toBe((await runOnFile(args)).stdout);
      }
    }
  });

  it('takes the filters, and says that nothing is left', async () => {
    expect(await runOnFile(['summary', '--status', '404'])).toEqual({
      stdout: '',
      stderr: `0 of ${LOOKED} match.\n`,
      code: 0,
    });
    const { stdout } = await runOnFile(['summary', '--status', '5xx', '--jq', '.groups[].example_id']);
    expect(stdout).toBe('l-2\n');
  });
});
