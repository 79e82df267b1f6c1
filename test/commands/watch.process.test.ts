import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { ReceivedSignalError } from '../../src/signals.ts';
import { serveForAll } from '../harness/serve.ts';
import { folderForTest } from '../harness/temporary-folder.ts';
import { runInProcess } from './run-in-process.ts';

const keychain = vi.hoisted(() => ({ openKeychain: vi.fn() }));
vi.mock('../../src/credentials/keychain.ts', () => keychain);

/** The milliseconds of each wait, which ends at once. */
const waits: number[] = [];
vi.mock('../../src/client/deadline.ts', async (original) => {
  const actual = await original<typeof import('../../src/client/deadline.ts')>();
  const sleep: typeof actual.sleep = async (milliseconds, signal) => {
    waits.push(milliseconds);
    await actual.sleep(0, signal);
  };
  return { ...actual, sleep };
});

let answered = 0;
let onRequest: () => void = () => {};
const server = await serveForAll((_request, response) => {
  onRequest();
  const items = [{ id: answered < 2 ? 'first' : 'second', status: 'failed' }];
  answered += 1;
  const body = { items, next_cursor: null };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
});

/** Runs until the service is asked for the fourth time. */
const run = (...argv: string[]) =>
  runWith({ PAYCTL_BASE_URL: server.origin, PAYCTL_TOKEN: 'opaque' }, ...argv);

async function runWith(env: Readonly<Record<string, string>>, ...argv: string[]) {
  const controller = new AbortController();
  answered = 0;
  waits.length = 0;
  onRequest = () => {
    if (answered === 3) controller.abort(new ReceivedSignalError('SIGINT'));
  };
  const all = { ...env, TERM: 'xterm', NO_COLOR: '1' };
  return await runInProcess(argv, { env: all, signal: controller.signal });
}

it('a list is run again and again, and printed when it has changed', async () => {
  const done = await run('buyers', 'list', '--watch', '1s', '--columns', 'id', '-o', 'ndjson');
  expect(done).toMatchObject({ stdout: '{"id":"first"}\n{"id":"second"}\n', code: 130 });
  expect(JSON.parse(done.stderr).error).toMatchObject({ code: 'aborted', message: 'Interrupted' });
  const table = await run('buyers', 'list', '--watch', '1s', '--columns', 'id');
  expect(table).toMatchObject({ stdout: 'ID\nfirst\n\nID\nsecond\n', stderr: 'Interrupted.\n', code: 130 });
  expect(waits).toEqual([1000, 1000, 1000]);
});

it('a path is, too', async () => {
  const { stdout, code } = await run('api', 'get', '/things', '--watch', '1s', '--jq', '.items[0].id');
  expect({ stdout, code }).toEqual({ stdout: 'first\nsecond\n', code: 130 });
});

it('a record is, too', async () => {
  const { stdout, code } = await run('buyers', 'get', 'x', '--watch', '1s', '--columns', 'id', '-o', 'json');
  expect({ stdout, code }).toEqual({ stdout: '{"id":"first"}\n{"id":"second"}\n', code: 130 });
});

it('the keychain is read once in all runs', async () => {
  const home = folderForTest();
  const credentials = { kind: 'token', storage: 'keychain', account: 'live' };
  const profiles = { live: { base_url: server.origin, credentials } };
  writeFileSync(join(home, 'profiles.json'), JSON.stringify({ version: 1, profiles }));
  const read = vi.fn(async () => `payctl secret for ${server.origin}\nsesame`);
  keychain.openKeychain.mockResolvedValue({ read });
  const argv = ['buyers', 'list', '--profile', 'live', '--watch', '1s', '--columns', 'id', '-o', 'ndjson'];
  const { stdout } = await runWith({ PAYCTL_CONFIG_DIR: home }, ...argv);
  expect(stdout).toBe('{"id":"first"}\n{"id":"second"}\n');
  const sent = server.requests.slice(-4).map(({ headers }) => headers.authorization);
  expect(sent).toEqual(Array(4).fill('Bearer sesame'));
  expect(read.mock.calls).toEqual([['live']]);
});

it('a wrong flag is found before anything is sent', async () => {
  expect(await run('buyers', 'list', '--watch', '--all')).toEqual({
    stdout: '',
    stderr:
      'Error: --watch and --all cannot be used together (bad_usage)\nUse --max-items N to watch several pages.\n',
    code: 2,
  });
  expect(answered).toBe(0);
});
