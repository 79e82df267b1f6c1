import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorObject } from '../../harness/error-object.ts';
import type { RunningProcess } from '../../harness/follow-process.ts';
import type { TestServer } from '../../harness/http-server.ts';
import { lines } from '../../harness/lines.ts';
import { printedError, WORDS } from '../../harness/printed-error.ts';
import { PROMPTLY } from '../../harness/promptly.ts';
import { useHome } from '../../harness/run-payctl.ts';
import { against, buyer, serve, serveBuyers } from '../paged-service.ts';

const home = useHome();
const ALL = ['buyers', 'list', '--all', '--limit', '2', '--columns', 'id'];

/** Resolves when so many requests have arrived. */
async function requestsOf(server: TestServer, count: number): Promise<void> {
  while (server.requests.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** An interrupt as it is printed where nothing else is known. */
const ABORTED = { code: 'aborted', message: WORDS };

async function endPromptly(running: RunningProcess, end: () => void) {
  const started = performance.now();
  end();
  const run = await running.done;
  expect(performance.now() - started).toBeLessThan(PROMPTLY);
  return run;
}

const SIGNALS = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const;

describe('an interrupt', () => {
  it.each(SIGNALS)('ends a run that waits for an answer: %s with %i', async (signal, code) => {
    const server = await serve(() => {});
    const running = home.start(['buyers', 'list'], { env: against(server) });
    await requestsOf(server, 1);
    const run = await endPromptly(running, () => running.kill(signal));
    expect(run).toMatchObject({ stdout: '', code, signal: null });
    expect(printedError(run.stderr)).toEqual(ABORTED);
  });

  it.each(SIGNALS)('ends an endless --jq: %s with %i', async (signal, code) => {
    const server = await serve((_, response) => void response.end('{"items":[]}'));
    const endless = ['buyers', 'list', '-o', 'json', '--jq', '[range(1e12)]'];
    const running = home.start(endless, { env: against(server) });
    await requestsOf(server, 1);
    // Past the moment that jq may take before it gets a thread.
    await new Promise((resolve) => setTimeout(resolve, 500));
    const run = await endPromptly(running, () => running.kill(signal));
    expect(run).toMatchObject({ stdout: '', code, signal: null });
    expect(errorObject(run.stderr)).toMatchObject({ code: 'aborted', exit_code: code });
  });

  it('of a --jq that has printed nothing names no page, and no command that would skip one', async () => {
    const server = await serveBuyers(4);
    const endless = ['buyers', 'list', '--limit', '2', '--jq', 'def f: f; .items[0].id, f'];
    const running = home.start(endless, { env: against(server) });
    await requestsOf(server, 1);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const run = await endPromptly(running, () => running.kill('SIGINT'));
    expect(run).toMatchObject({ stdout: '', code: 130 });
    expect(printedError(run.stderr)).toEqual(ABORTED);
  });

  it.each([
    ['def f: 1 + f; f', 'jq_out_of_memory'],
    ['last(range(3e6)) | error', 'jq_failed'],
  ])('is not needed where --jq breaks down: %s', async (expression, code) => {
    const server = await serve((_, response) => void response.end('{"items":[]}'));
    const run = await home.payctl(['buyers', 'list', '-o', 'json', '--jq', expression], {
      env: against(server),
    });
    expect(run).toMatchObject({ stdout: '', code: 1, signal: null });
    expect(errorObject(run.stderr)).toMatchObject({ code, exit_code: 1 });
  });

  it('ends a run whose reader has stopped to read', async () => {
    const server = await serve((_, response) => {
      response.end(JSON.stringify({ items: Array(5000).fill(buyer(1)), next_cursor: null }));
    });
    const script = `
      mkfifo pipe; exec 3<>pipe
      $PAYCTL buyers list -o json >&3 & pid=$!
      sleep 2; kill -TERM $pid; wait $pid; echo "code $?"`;
    const started = performance.now();
    const run = await home.shell(script, { env: against(server), cwd: home.path });
    expect(performance.now() - started).toBeLessThan(2_000 + PROMPTLY);
    expect(run.stdout).toBe('code 143\n');
  });

  it('of a change says that its outcome is unknown', async () => {
    const server = await serve(() => {});
    const change = ['checkout-sessions', 'update', 's-1', '--metadata', 'a=b'];
    const interrupt = async (...flags: string[]) => {
      const before = server.requests.length;
      const running = home.start([...change, '-q', ...flags], { env: against(server) });
      await requestsOf(server, before + 1);
      const run = await endPromptly(running, () => running.kill('SIGINT'));
      expect(run).toMatchObject({ stdout: '', code: 130 });
      return run.stderr;
    };
    expect(printedError(await interrupt())).toEqual({ ...ABORTED, outcomeUnknown: [WORDS] });
    expect(errorObject(await interrupt('--json'))).toMatchObject({ outcome_unknown: true });
  });

  it('ends a run that waits for its next try', async () => {
    const server = await serve((_, response) => void response.writeHead(503, { 'retry-after': '30' }).end());
    const running = home.start(['buyers', 'list'], { env: against(server) });
    await running.sees('stderr', '30.0 s');
    const run = await endPromptly(running, () => running.kill('SIGINT'));
    expect(run).toMatchObject({ stdout: '', code: 130 });
    expect(printedError(run.stderr)).toEqual({ ...ABORTED, before: [WORDS] });
  });

  it('ends a run over many pages with what it has printed and where to resume', async () => {
    const server = await serveBuyers(9, { 3: () => {} });
    const running = home.start(ALL, { env: against(server) });
    await requestsOf(server, 3);
    await running.sees('stdout', String(buyer(4).id));
    const run = await endPromptly(running, () => running.kill('SIGINT'));
    expect(run).toMatchObject({
      stdout: lines('ID', ...[1, 2, 3, 4].map((number) => String(buyer(number).id))),
      code: 130,
      signal: null,
    });
    expect(printedError(run.stderr)).toEqual({
      ...ABORTED,
      resume: ['payctl buyers list --all --limit 2 --columns id --no-header --cursor from-4'],
      hints: ['Append the output of the resume command with >>.'],
    });
    expect(printedError(run.stderr).message).toContain('2 pages (4 items)');
  });

  it.each(SIGNALS)('leaves one whole JSON document: %s', async (signal, code) => {
    const server = await serveBuyers(9, { 3: () => {} });
    const running = home.start([...ALL, '-o', 'json'], { env: against(server) });
    await requestsOf(server, 3);
    await running.sees('stdout', String(buyer(4).id));
    const run = await endPromptly(running, () => running.kill(signal));
    expect(JSON.parse(run.stdout)).toEqual({
      items: [1, 2, 3, 4].map((number) => ({ id: buyer(number).id })),
      limit: 2,
      next_cursor: 'from-4',
      previous_cursor: null,
    });
    expect(errorObject(run.stderr)).toMatchObject({
      code: 'aborted',
      resume_cursor: 'from-4',
      exit_code: code,
    });
    expect(run.code).toBe(code);
  });

  it.each(SIGNALS)(
    'may come several times for one reason, as from timeout and npm: %s',
    async (signal, code) => {
      const server = await serveBuyers(9, { 3: () => {} });
      const running = home.start([...ALL, '-o', 'json'], { env: against(server) });
      await requestsOf(server, 3);
      await running.sees('stdout', String(buyer(4).id));
      running.kill(signal);
      // Apart, because two that wait to be delivered are one.
      await new Promise((resolve) => setTimeout(resolve, 2));
      running.kill(signal);
      const run = await running.done;
      expect(JSON.parse(run.stdout)).toMatchObject({ items: { length: 4 }, next_cursor: 'from-4' });
      expect(errorObject(run.stderr)).toMatchObject({ code: 'aborted', resume_cursor: 'from-4' });
      expect(run).toMatchObject({ code, signal: null });
    },
  );

  // Each signal that is one too many would end the process by itself.
  it.each([
    ['an export', ['buyers', 'list', '--all', '-o', 'ndjson']],
    ['a change without content in its response', ['api', 'delete', '/x', '--yes', '-o', 'json']],
  ])('after the work of %s never ends it without a word', async (_, args) => {
    for (const [signal, code] of SIGNALS) {
      const server = await serve(({ method }, response) => {
        response.once('close', () => void storm());
        if (method === 'DELETE') response.writeHead(204).end();
        else response.end(JSON.stringify({ items: [buyer(1)], next_cursor: null }));
      });
      const running = home.start(args, { env: against(server) });
      let ended = false;
      const storm = async () => {
        // A signal that comes more than 200 ms after the first one kills.
        const end = Date.now() + 100;
        while (!ended && Date.now() < end) {
          running.kill(signal);
          await new Promise((resolve) => setImmediate(resolve));
        }
      };
      const run = await running.done;
      ended = true;
      expect(run.signal, run.stderr).toBeNull();
      if (run.code === 0) expect(run.stdout === '').toBe(args.includes('delete'));
      else
        expect({ code: run.code, error: errorObject(run.stderr) }).toMatchObject({
          code,
          error: { code: 'aborted' },
        });
    }
  });

  it('of an export whose reader has stopped to read says how far that came', async () => {
    const server = await serveBuyers(100_000);
    const script = `
      mkfifo stopped; exec 3<>stopped
      $PAYCTL buyers list --all --limit 50 -o ndjson >&3 & pid=$!
      echo $pid > pid; wait $pid; echo "code $?"`;
    const running = home.shell(script, { env: against(server), cwd: home.path });
    // More than a pipe holds.
    await requestsOf(server, 9);
    process.kill(Number(readFileSync(join(home.path, 'pid'), 'utf8')), 'SIGTERM');
    const run = await running;
    expect(run.stdout).toBe('code 143\n');
    const error = errorObject(run.stderr);
    const [, items = ''] = /\((\d+) items\)/.exec(String(error.message)) ?? [];
    expect(error).toMatchObject({
      code: 'aborted',
      hint: `Keep only the first ${items} lines of the output, and append the output of the resume command.`,
      resume_command: `payctl buyers list --all --limit 50 -o ndjson --cursor from-${items}`,
      exit_code: 143,
    });
  });

  it('comes from Ctrl-C on a terminal, where the progress line is erased first', async () => {
    const server = await serve(() => {});
    const terminal = { columns: 80, withStderr: true };
    const running = home.start(['buyers', 'list', '--no-color'], { env: against(server), terminal });
    await running.sees('stdout', 'Waiting for the service, 1 s');
    const run = await endPromptly(running, () => running.type('\u0003'));
    const [last] = run.stdout.split('\r\u001b[2K').slice(-1);
    expect(printedError(last ?? '')).toEqual(ABORTED);
    expect(run.code).toBe(130);
  });
});
