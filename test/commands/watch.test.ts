import { afterAll, beforeAll, expect, it } from 'vitest';
import { ReceivedSignalError } from '../../src/signals.ts';
import { startServer, type TestServer } from '../harness/http-server.ts';
import { runInProcess } from './run-in-process.ts';

let server: TestServer;
let answered = 0;
let onRequest: () => void = () => {};
beforeAll(async () => {
  server = await startServer((_request, response) => {
    onRequest();
    const items = [{ id: answered < 2 ? 'first' : 'second', status: 'failed' }];
    answered += 1;
    const body = { items, next_cursor: null };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
});
afterAll(() => server.close());

/** Runs until the service is asked for the fourth time. */
async function run(...argv: string[]) {
  const controller = new AbortController();
  answered = 0;
  onRequest = () => {
    if (answered === 3) controller.abort(new ReceivedSignalError('SIGINT'));
  };
  const env = { PAYCTL_BASE_URL: server.origin, PAYCTL_TOKEN: 'opaque', TERM: 'xterm', NO_COLOR: '1' };
  return await runInProcess(argv, { env, signal: controller.signal });
}

it('a list is run again and again, and printed when it has changed', async () => {
  const done = await run('buyers', 'list', '--watch', '1s', '--columns', 'id', '-o', 'ndjson');
  expect(done).toMatchObject({ stdout: '{"id":"first"}\n{"id":"second"}\n', code: 130 });
  expect(JSON.parse(done.stderr).error).toMatchObject({ code: 'aborted', message: 'Interrupted' });
  const table = await run('buyers', 'list', '--watch', '1s', '--columns', 'id');
  expect(table).toMatchObject({ stdout: 'ID\nfirst\n\nID\nsecond\n', stderr: 'Interrupted.\n', code: 130 });
});

it('a path is, too', async () => {
  const { stdout, code } = await run('api', 'get', '/things', '--watch', '1s', '--jq', '.items[0].id');
  expect({ stdout, code }).toEqual({ stdout: 'first\nsecond\n', code: 130 });
});

it('a record is, too', async () => {
  const { stdout, code } = await run('buyers', 'get', 'x', '--watch', '1s', '--columns', 'id', '-o', 'json');
  expect({ stdout, code }).toEqual({ stdout: '{"id":"first"}\n{"id":"second"}\n', code: 130 });
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
