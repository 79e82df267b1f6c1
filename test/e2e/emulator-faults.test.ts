import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSigningKey } from '../../src/tokens/keys.ts';
import { signToken } from '../../src/tokens/sign.ts';
import { errorObject } from '../harness/error-object.ts';
import type { Run } from '../harness/follow-process.ts';
import { lines } from '../harness/lines.ts';
import { failed } from '../harness/outcome.ts';
import { quickHomes } from './quick-homes.ts';

const { freshHome, useHome } = quickHomes();

const home = useHome();
const dataDirectory = join(home.configDirectory, 'data/emulator');
const LOST = 'the connection broke before the response was complete (UND_ERR_SOCKET)';
const BROKE = 'Likely cause: the network or a proxy dropped the connection';
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
    expect(await emulator.payctl(...create)).toEqual(
      failed(
        9,
        `Error: No response from ${emulator.baseUrl}: ${LOST} (connection_lost)`,
        `Request: POST ${emulator.baseUrl}${path}`,
        'Outcome unknown: the service may have processed this request. Check before you send it again.',
        BROKE,
        'Try: payctl doctor --profile emulator',
      ),
    );
    expect(countDetails()).toBe(before + 1);
    const json = await emulator.payctl(...create, '--json');
    expect(errorObject(json.stderr)).toMatchObject({ code: 'connection_lost', outcome_unknown: true });
    expect(await emulator.stop()).toEqual(['200 GET /buyers?limit=1', `0 POST ${path}`, `0 POST ${path}`]);
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
    expect(run).toEqual(
      failed(
        2,
        'Error: --faults cannot read the file none.json: no such file or directory (unreadable_file)',
        'Check the path and your permission to read the file.',
      ),
    );
    expect(existsSync(join(own.configDirectory, 'data'))).toBe(false);
  });
});
