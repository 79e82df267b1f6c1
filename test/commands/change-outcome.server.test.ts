import { describe, expect, it } from 'vitest';
import { AbortedError } from '../../src/errors.ts';
import { serve } from '../client/live-client.ts';
import { answers, type Handler } from '../harness/http-server.ts';
import { runInProcess } from './run-in-process.ts';

const CREATE = ['buyers', 'shipping-details', 'create', 'b1', '--first-name', 'Ada'];
const NOT_SENT = 'Outcome: not done; the change was not sent.';
const NOT_PROCESSED = 'Outcome: not done; the service did not process this request.';
const UNKNOWN =
  'Outcome unknown: the service may have processed this request. Check before you send it again.';
const DONE = 'Outcome: done; the service processed this request. Do not send it again.';

const created: Handler = (_, response) =>
  void response.writeHead(201, { 'content-type': 'application/json' }).end('{"id":"sd-1"}');

/** A run that `interrupt` ends as a signal does, against a server that `answer` makes. */
async function interrupted(
  answer: (interrupt: () => void) => Handler,
  { args = CREATE, seen = '', ...options }: Parameters<typeof runInProcess>[1] & Interrupted,
) {
  const abort = new AbortController();
  const interrupt = () => abort.abort();
  const server = await serve(answer(interrupt));
  const env = { PAYCTL_BASE_URL: server.origin, PAYCTL_TOKEN: 'opaque', ...options.env };
  const onStderr = (text: string) => void (seen !== '' && text.includes(seen) && interrupt());
  const run = await runInProcess(args, { ...options, env, signal: abort.signal, onStderr });
  const lines = run.stderr.trimEnd().split('\n');
  return {
    ...run,
    lines,
    error: lines.indexOf('Error: Interrupted (aborted)'),
    sent: server.requests.length,
  };
}

type Interrupted = {
  readonly args?: readonly string[];
  /** Interrupts the run when this is printed on stderr. */
  readonly seen?: string;
};

describe('a change that is interrupted', () => {
  it.each([[CREATE], [['api', 'post', '/any', '--data', '{}']], [['api', 'delete', '/any', '--yes']]])(
    'before it is sent says that it was not: %j',
    async (args) => {
      const server = await serve(created);
      const env = { PAYCTL_BASE_URL: server.origin, PAYCTL_TOKEN: 'opaque' };
      const run = await runInProcess(args, { env, signal: AbortSignal.abort() });
      expect(run).toEqual({
        stdout: '',
        stderr: `Error: Interrupted (aborted)\n${NOT_SENT}\n`,
        code: 130,
      });
      expect(server.requests.length).toBe(0);
    },
  );

  it('while its body is read from standard input says that it was not sent', async () => {
    const abort = new AbortController();
    const stdin = (async function* () {
      yield Buffer.from('{');
      abort.abort();
      await new Promise(() => {});
    })();
    const env = { PAYCTL_BASE_URL: 'http://127.0.0.1:1', PAYCTL_TOKEN: 'opaque' };
    const run = await runInProcess([...CREATE, '--data', '-', '--json'], {
      env,
      stdin,
      signal: abort.signal,
    });
    expect(JSON.parse(run.stderr).error).toMatchObject({
      code: 'aborted',
      outcome: 'not_sent',
      exit_code: 130,
    });
  });

  it.each<[string, (interrupt: () => void) => Handler]>([
    ['while the response is awaited', (interrupt) => () => interrupt()],
    [
      'in the middle of the response',
      (interrupt) => (_, response) => {
        response.writeHead(201, { 'content-length': '1000' });
        response.write('{"id":', interrupt);
      },
    ],
  ])('%s leaves its outcome unknown', async (_, answer) => {
    const { lines, code, sent } = await interrupted(answer, { env: {} });
    expect({ lines, code, sent }).toEqual({
      lines: ['Error: Interrupted (aborted)', UNKNOWN],
      code: 130,
      sent: 1,
    });
    const asJson = await interrupted(answer, { env: {}, args: [...CREATE, '--json'] });
    expect(JSON.parse(asJson.stderr).error).toMatchObject({ outcome: 'unknown', outcome_unknown: true });
  });

  it('when its response has arrived prints it, as without the interrupt', async () => {
    const run = await interrupted(() => created, { env: {}, args: [...CREATE, '-v'], seen: '< 201' });
    expect(run).toMatchObject({ stdout: 'id\tsd-1\n', code: 0, error: -1 });
  });

  it('before its response can be shown says that it was done, with the ID', async () => {
    const args = [...CREATE, '-v', '--jq', '[range(1e12)]'];
    const { stdout, code, lines, error } = await interrupted(() => created, { env: {}, args, seen: '< 201' });
    expect({ stdout, code, last: lines.slice(error) }).toEqual({
      stdout: '',
      code: 130,
      last: ['Error: Interrupted (aborted)', DONE, 'ID: sd-1'],
    });
  });

  it('while nobody reads its response says that it was done, with the ID', async () => {
    const server = await serve(created);
    const abort = new AbortController();
    const env = { PAYCTL_BASE_URL: server.origin, PAYCTL_TOKEN: 'opaque' };
    const onStalled = () => void setImmediate(() => abort.abort(new AbortedError()));
    const run = await runInProcess(CREATE, { env, signal: abort.signal, onStalled });
    expect(run).toEqual({
      stdout: '',
      stderr: `Error: Interrupted (aborted)\n${DONE}\nID: sd-1\n`,
      code: 130,
    });
  });

  it.each([
    [429, NOT_PROCESSED],
    [503, UNKNOWN],
  ])('while it waits to be sent again after a %i says what is known: %s', async (status, outcome) => {
    const answer: Handler = (_, response) => void response.writeHead(status, { 'retry-after': '30' }).end();
    const args = ['checkout-sessions', 'update', 's1', '--data', '{}'];
    const { code, lines, error } = await interrupted(() => answer, { env: {}, args, seen: 'Retrying' });
    expect({ code, last: lines.slice(error) }).toEqual({
      code: 130,
      last: ['Error: Interrupted (aborted)', outcome],
    });
  });

  it('says nothing of an outcome where nothing was to be changed', async () => {
    for (const args of [
      ['buyers', 'list'],
      ['api', 'get', '/any'],
      [...CREATE, '--dry-run'],
    ]) {
      const env = { PAYCTL_BASE_URL: 'http://127.0.0.1:1', PAYCTL_TOKEN: 'opaque' };
      const run = await runInProcess(args, { env, signal: AbortSignal.abort() });
      expect(run.stderr, args.join(' ')).not.toContain('Outcome');
    }
  });
});

describe('a change that fails', () => {
  const failed = async (handler: Handler, ...flags: string[]) => {
    const server = await serve(handler);
    const env = { PAYCTL_BASE_URL: server.origin, PAYCTL_TOKEN: 'opaque', PAYCTL_MAX_RETRIES: '0' };
    return await runInProcess([...CREATE, ...flags], { env });
  };

  it.each([
    [301, NOT_PROCESSED],
    [302, UNKNOWN],
    [303, UNKNOWN],
    [307, NOT_PROCESSED],
    [308, NOT_PROCESSED],
    [511, NOT_PROCESSED],
    [500, UNKNOWN],
  ])('with a %i says what became of it: %s', async (status, outcome) => {
    const run = await failed(answers([{ status }]));
    expect(run.code).toBe(status < 400 ? 9 : 8);
    expect(run.stderr.split('\n')).toContain(outcome);
  });

  it('with a redirect says it beside JSON, too', async () => {
    const { stderr } = await failed(answers([{ status: 307 }]), '--json');
    expect(JSON.parse(stderr).error).toMatchObject({ code: 'redirect_refused', outcome: 'not_processed' });
  });

  it('with a 304, which has no meaning for a change, is an error', async () => {
    const server = await serve(answers([{ status: 304 }]));
    const env = { PAYCTL_BASE_URL: server.origin, PAYCTL_TOKEN: 'opaque' };
    const run = await runInProcess(['api', 'put', '/any', '--data', '{}'], { env });
    expect(run.code).toBe(9);
    expect(run.stderr.split('\n')).toContain(UNKNOWN);
  });

  it('because nobody listens says that it was not processed', async () => {
    const env = { PAYCTL_BASE_URL: 'http://127.0.0.1:1', PAYCTL_TOKEN: 'opaque', PAYCTL_MAX_RETRIES: '0' };
    const { stderr, code } = await runInProcess(CREATE, { env });
    expect({ code, outcome: stderr.split('\n').find((line) => line.startsWith('Outcome')) }).toEqual({
      code: 9,
      outcome: NOT_PROCESSED,
    });
  });

  it.each([404, 409, 422])('with a %i leaves it to the exit code to say so', async (status) => {
    const run = await failed(answers([{ status }]));
    expect([run.code < 8, run.stderr.includes('Outcome')]).toEqual([true, false]);
  });
});
