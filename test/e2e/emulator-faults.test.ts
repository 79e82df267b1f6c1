import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSigningKey } from '../../src/tokens/keys.ts';
import { signToken } from '../../src/tokens/sign.ts';
import { errorObject } from '../harness/error-object.ts';
import type { Run } from '../harness/follow-process.ts';
import { lines } from '../harness/lines.ts';
import { PROMPTLY } from '../harness/promptly.ts';
import { freshHome, useHome } from '../harness/run-payctl.ts';

const home = useHome();
const dataDirectory = join(home.configDirectory, 'data/emulator');
const LOST = 'the connection broke before the response was complete (UND_ERR_SOCKET)';
const BROKE = 'Likely cause: the network or a proxy dropped the connection';
const ELSEWHERE =
  'Likely cause: the base URL points to something other than the service, such as a proxy or a web page';
const WEB_PAGE =
  'Likely cause: a web page responded instead of the service: the base URL is wrong, or the network requires you to sign in; open the page in a browser';

/** A started emulator that fails by a plan, and payctl against it. */
type FaultyEmulator = {
  readonly baseUrl: string;
  /** Runs a command; request IDs in its stderr are shown as `ID`. */
  payctl(...args: readonly string[]): Promise<Run>;
  /** Ends the emulator and gives its request log, without the times. */
  stop(): Promise<readonly string[]>;
};

async function startFaulty(...plan: readonly object[]): Promise<FaultyEmulator> {
  const file = join(home.path, 'plan.json');
  writeFileSync(file, JSON.stringify(plan));
  const running = home.start(['emulator', 'start', '--faults', file, '--buyers', '30']);
  const baseUrl = (await running.sees('stdout', '\n')).trim();
  return {
    baseUrl,
    payctl: async (...args) => {
      const run = await home.payctl([...args, '--profile', 'emulator']);
      return { ...run, stderr: run.stderr.replaceAll(/(request ID )[0-9a-f-]{36}/g, '$1ID') };
    },
    stop: async () => {
      running.kill('SIGINT');
      const { stderr, code } = await running.done;
      expect(code).toBe(0);
      const [, , ...log] = stderr.trimEnd().split('\n');
      return log.map((line) => line.replace(/ [\d.]+ ms$/, ''));
    },
  };
}

/** What the emulator itself answers to a listing of buyers, without payctl in between. */
async function fetchBuyers(emulator: FaultyEmulator, query: string): Promise<{ items: Buyer[] }> {
  const key = await readSigningKey(readFileSync(join(dataDirectory, 'signing-key.pem'), 'utf8'));
  const token = await signToken(key, { scopes: ['buyers.read'], issuer: 'payctl/test' });
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${emulator.baseUrl}/buyers${query}`, { headers });
  return (await response.json()) as { items: Buyer[] };
}

type Buyer = { readonly id: string; readonly display_name: string };

describe('a planned status', () => {
  it('is waited out as Retry-After asks, twice, and then the list is printed', async () => {
    const emulator = await startFaulty({ path: '/roles', status: 503, retry_after: 1, count: 2 });
    const started = performance.now();
    const run = await emulator.payctl('roles', 'list', '--all', '--limit', '100', '--columns', 'slug');
    expect(performance.now() - started).toBeGreaterThan(1_990);
    expect(run.stdout).toMatch(/^SLUG\n([a-z-]+\n)+$/);
    expect(run).toMatchObject({
      stderr: lines(
        'Injected fault. Retrying in 1.0 s (retry 1 of 3)',
        'Injected fault. Retrying in 1.0 s (retry 2 of 3)',
      ),
      code: 0,
    });
    const request = 'GET /roles?limit=100';
    expect(await emulator.stop()).toEqual([`503 ${request}`, `503 ${request}`, `200 ${request}`]);
  });

  it('ends with 7 after all retries when it is 429 for ever', async () => {
    const emulator = await startFaulty({ status: 429, retry_after: 0 });
    const run = await emulator.payctl('buyers', 'list');
    const retry = (number: number) => `Generic error. Retrying now (retry ${number} of 3)`;
    expect(run).toEqual({
      stdout: '',
      stderr: lines(
        ...[1, 2, 3].map(retry),
        'Error: Generic error (429 too_many_requests)',
        `Request: GET ${emulator.baseUrl}/buyers, request ID ID, 4 attempts`,
        'Likely cause: the service is limiting requests; wait a while, then try again',
        'Try: payctl api-logs summary --status 425,429 --by hour --profile emulator',
      ),
      code: 7,
      signal: null,
    });
    const json = await emulator.payctl('buyers', 'list', '--json');
    expect(errorObject(json.stderr, ['retry', 'retry', 'retry'])).toMatchObject({
      code: 'too_many_requests',
      status: 429,
      request: { attempts: 4 },
      exit_code: 7,
    });
    expect(json).toMatchObject({ stdout: '', code: 7 });
    expect(await emulator.stop()).toEqual(Array.from({ length: 8 }, () => '429 GET /buyers'));
  });
});

describe('a planned body', () => {
  it('that is cut ends with 9, or is asked for again', async () => {
    const emulator = await startFaulty({ path: '/buyers', body: 'cut', count: 2 });
    const once = await emulator.payctl('buyers', 'list', '--max-retries', '0');
    expect(once).toEqual({
      stdout: '',
      stderr: lines(
        `Error: No response from ${emulator.baseUrl}: ${LOST} (connection_lost)`,
        `Request: GET ${emulator.baseUrl}/buyers`,
        BROKE,
        'Try: payctl doctor --profile emulator',
      ),
      code: 9,
      signal: null,
    });
    const again = await emulator.payctl('buyers', 'list', '--limit', '2', '-o', 'csv', '--columns', 'id');
    const { items } = await fetchBuyers(emulator, '?limit=2');
    expect(again.stdout).toBe(['id', ...items.map(({ id }) => id), ''].join('\r\n'));
    expect(again.stderr.split('\n')[0]?.replace(/now|in \d\.\d s/, 'in N s')).toBe(
      `No response from ${emulator.baseUrl}: ${LOST}. Retrying in N s (retry 1 of 3)`,
    );
    expect(again.code).toBe(0);
    await emulator.stop();
  });

  it('that is malformed ends with 9, is not asked for again, and its beginning is shown', async () => {
    const emulator = await startFaulty({ body: 'malformed' });
    const run = await emulator.payctl('digital-wallets', 'list');
    const [error, answer = '', ...rest] = run.stderr.split('\n');
    expect([error, ...rest]).toEqual([
      'Error: The response is not JSON (200 unreadable_response)',
      `Request: GET ${emulator.baseUrl}/digital-wallets, request ID ID`,
      ELSEWHERE,
      '',
    ]);
    expect(answer).toMatch(/^Response: \{"items":\[\{"type":"digital-wallet","id":"/);
    // Members that hold secrets or personal data are masked within the 500 characters.
    expect([...answer].length).toBeLessThanOrEqual('Response: '.length + 500 + '…'.length);
    expect(answer.endsWith('…')).toBe(true);
    expect(run).toMatchObject({ stdout: '', code: 9, signal: null });
    expect(await emulator.stop()).toEqual(['200 GET /digital-wallets']);
  });

  it('of HTML ends with 9 for a success, and by its status for an error', async () => {
    const emulator = await startFaulty(
      { path: '/roles', body: 'html' },
      { path: '/buyers', body: 'html', status: 502, retry_after: 0 },
    );
    const page = (status: number) =>
      `Response: <!doctype html>␊<html><head><title>${status}</title></head>␊` +
      `<body><h1>${status}</h1><p>The proxy could not serve this request.</p></body></html>`;
    const request = (path: string) => `Request: GET ${emulator.baseUrl}${path}, request ID ID`;
    expect(await emulator.payctl('roles', 'list')).toEqual({
      stdout: '',
      stderr: lines(
        'Error: The response is not JSON (200 unreadable_response)',
        page(200),
        request('/roles'),
        WEB_PAGE,
      ),
      code: 9,
      signal: null,
    });
    expect(await emulator.payctl('buyers', 'list', '--max-retries', '1')).toEqual({
      stdout: '',
      stderr: lines(
        'Bad Gateway. Retrying now (retry 1 of 1)',
        'Error: Bad Gateway (HTTP 502)',
        page(502),
        `${request('/buyers')}, 2 attempts`,
        'Likely cause: a server behind the gateway of the service failed or could not be reached; try again later',
        'Try: payctl api-logs summary --status 5xx --by hour --profile emulator',
      ),
      code: 8,
      signal: null,
    });
    expect(await emulator.stop()).toEqual(['200 GET /roles', '502 GET /buyers', '502 GET /buyers']);
  });

  it('that trickles past --timeout ends with 9 then, and within it is printed whole', async () => {
    const emulator = await startFaulty(
      { path: '/buyers', body: 'trickle', latency_ms: 60_000, count: 1 },
      { path: '/buyers', body: 'trickle', latency_ms: 400 },
    );
    const started = performance.now();
    const late = await emulator.payctl('buyers', 'list', '--timeout', '300ms', '--max-retries', '0');
    expect(performance.now() - started).toBeLessThan(PROMPTLY);
    expect(late).toEqual({
      stdout: '',
      stderr: lines(
        `Error: No response from ${emulator.baseUrl}: no complete response within 300 ms (timeout)`,
        `Request: GET ${emulator.baseUrl}/buyers`,
        'Likely cause: the service is slow or unreachable; add --timeout 2m to wait longer',
        'Try: payctl doctor --profile emulator',
      ),
      code: 9,
      signal: null,
    });
    const whole = await emulator.payctl('buyers', 'list', '--json', '-q', '--timeout', '10s');
    expect(JSON.parse(whole.stdout)).toEqual(await fetchBuyers(emulator, ''));
    expect(whole).toMatchObject({ stderr: '', code: 0 });
    await emulator.stop();
  });
});

describe('a planned drop', () => {
  const countDetails = () => {
    const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
    const database = new DatabaseSync(join(dataDirectory, 'emulator.sqlite'), { readOnly: true });
    const row = database.prepare('SELECT count(*) AS count FROM shipping_details').get();
    database.close();
    return Number(row?.count);
  };

  it('leaves the outcome of a POST unknown, which is sent once, and here was carried out', async () => {
    const emulator = await startFaulty({ method: 'POST', drop: true });
    const [buyer] = (await fetchBuyers(emulator, '?limit=1')).items;
    const path = `/buyers/${buyer?.id}/shipping-details`;
    const create = ['buyers', 'shipping-details', 'create', String(buyer?.id), '--first-name', 'Ada'];
    const before = countDetails();
    expect(await emulator.payctl(...create)).toEqual({
      stdout: '',
      stderr: lines(
        `Error: No response from ${emulator.baseUrl}: ${LOST} (connection_lost)`,
        `Request: POST ${emulator.baseUrl}${path}`,
        'Outcome unknown: the service may have processed this request. Check before you send it again.',
        BROKE,
        'Try: payctl doctor --profile emulator',
      ),
      code: 9,
      signal: null,
    });
    expect(countDetails()).toBe(before + 1);
    const json = await emulator.payctl(...create, '--json');
    expect(errorObject(json.stderr)).toMatchObject({ code: 'connection_lost', outcome_unknown: true });
    expect(await emulator.stop()).toEqual(['200 GET /buyers?limit=1', `0 POST ${path}`, `0 POST ${path}`]);
  });

  it('is made good by another attempt for a GET', async () => {
    const emulator = await startFaulty({ path: '/roles', drop: true, count: 1 });
    const run = await emulator.payctl(
      'roles',
      'list',
      '-o',
      'ndjson',
      '--columns',
      'type',
      '--limit',
      '1',
      '-q',
    );
    expect(run).toMatchObject({ stdout: '{"type":"role"}\n', stderr: '', code: 0 });
    expect(await emulator.stop()).toEqual(['0 GET /roles?limit=1', '200 GET /roles?limit=1']);
  });
});

describe('planned hostile text', () => {
  const LIST = ['buyers', 'list', '--limit', '6'];
  const NAMES = [...LIST, '--columns', 'display_name,id', '--no-header'];
  /** Everything of it that a terminal or a reader would fall for. */
  const TRAPS = /[\p{Cc}\p{Cs}\u00ad\u200b\u200f\u2028\u2029\u202c\u202e\u2066\u2069\ufeff]/gu;
  const standIn = (char: string) => {
    const code = char.codePointAt(0) ?? 0;
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
  };

  it('is shown in visible characters in CSV and in lines of tabs, and forges neither row nor column', async () => {
    const emulator = await startFaulty({ body: 'hostile' });
    const { items } = await fetchBuyers(emulator, '?limit=6');
    expect(items.filter(({ display_name: name }) => name.match(TRAPS))).toHaveLength(4);
    const tabs = await emulator.payctl(...NAMES);
    const rows = items.map(({ display_name: name, id }) => `${name.replace(TRAPS, standIn)}\t${id}`);
    // A comparison that fails would print megabytes; whether it holds is all that is asked here.
    expect(tabs.stdout === lines(...rows)).toBe(true);
    expect(tabs.stdout.split('\n')[0]).toMatch(
      /^␛\[31mred␛\]0;title␇␛\]8;;https:\/\/evil\.example␛\\link␛\[2J<U\+009B>1A␛\[\t[0-9a-f-]{36}$/,
    );
    const csv = await emulator.payctl(...NAMES, '-o', 'csv');
    expect(csv.stdout.replace(/[\t\r\n]/g, '')).not.toMatch(TRAPS);
    const kept = (char: string) => (/[\t\r\n]/.test(char) ? char : standIn(char));
    const records = items.map(({ display_name: name, id }) => {
      const text = name.replace(TRAPS, kept);
      return [text.startsWith('=') ? `'${text}` : text, id];
    });
    expect(JSON.stringify(readCsv(csv.stdout)) === JSON.stringify(records)).toBe(true);
    for (const { code } of [tabs, csv]) expect(code).toBe(0);
    await emulator.stop();
  });

  it('is exact in JSON, and nothing of it is raw there', async () => {
    const emulator = await startFaulty({ body: 'hostile' });
    const sent = JSON.stringify(await fetchBuyers(emulator, '?limit=6'));
    const json = await emulator.payctl(...LIST, '--json', '-q');
    expect(JSON.stringify(JSON.parse(json.stdout)) === sent).toBe(true);
    expect(json.stdout.replaceAll('\n', '').match(TRAPS)).toBeNull();
    expect(json).toMatchObject({ stderr: '', code: 0 });
    await emulator.stop();
  });
});

/** Reads CSV by RFC 4180. */
function readCsv(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    record.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === ',') continue;
    records.push(record);
    record = [];
  }
  return records;
}

describe('a planned cursor that repeats', () => {
  it('ends --all with 9 after the pages that came, without asking for one of them again', async () => {
    const emulator = await startFaulty({ path: '/buyers', cursor: 'repeat' });
    const run = await emulator.payctl('buyers', 'list', '--all', '--limit', '5', '--columns', 'id');
    const log = await emulator.stop();
    expect(run).toEqual({
      stdout: expect.stringMatching(/^ID\n(?:[0-9a-f-]{36}\n){10}$/),
      stderr: lines(
        'Error: The service returned the same cursor twice, so the list would never end; printed 2 pages (10 items) before the error (cursor_loop)',
        'No items before this point are missing. Report the repeated cursor to the operator of the service.',
      ),
      code: 9,
      signal: null,
    });
    expect(new Set(run.stdout.split('\n')).size).toBe(12);
    expect(log.map((line) => line.replace(/cursor=[^&]+/, 'cursor=C'))).toEqual([
      '200 GET /buyers?limit=5',
      '200 GET /buyers?cursor=C&limit=5',
    ]);
  });
});

describe('a plan that cannot be used', () => {
  it.each([
    [
      'that is no JSON',
      '[{"path":"/buyers",]',
      /^Error: --faults \(.+\.json\) is not JSON: .+ \(bad_json\)\n/,
    ],
    [
      'that is wrong at a pointer',
      '[{"status":503},{"status":200}]',
      'Error: The fault plan is not valid at /1/status: must be an integer from 400 to 599 (invalid_faults)\n' +
        'A plan is a list such as [{"path":"/buyers","status":503,"count":2}]; a rule can have method, path, count, after, every, share, seed, status, code, retry_after, perform, hold_ms, latency_ms, forget_key, body, drop, cursor.\n',
    ],
    [
      'that is not a list',
      '{"status":503}',
      /^Error: The fault plan is not valid at the top level: must be a list of rules /,
    ],
  ])('ends with 2, and nothing is started or made: one %s', async (_, text, stderr) => {
    const own = freshHome();
    const file = join(own.path, 'plan.json');
    writeFileSync(file, text);
    const run = await own.payctl(['emulator', 'start', '--faults', file]);
    if (typeof stderr === 'string') expect(run.stderr).toBe(stderr);
    else expect(run.stderr).toMatch(stderr);
    expect(run).toMatchObject({ stdout: '', code: 2, signal: null });
    expect(existsSync(join(own.configDirectory, 'data'))).toBe(false);
  });

  it('ends with 2 when no such file or directory', async () => {
    const own = freshHome();
    const run = await own.payctl(['emulator', 'start', '--faults', 'none.json'], { cwd: own.path });
    expect(run).toEqual({
      stdout: '',
      stderr: lines(
        'Error: --faults cannot read the file none.json: no such file or directory (unreadable_file)',
        'Check the path and your permission to read the file.',
      ),
      code: 2,
      signal: null,
    });
    expect(existsSync(join(own.configDirectory, 'data'))).toBe(false);
  });
});
