import { string } from '@oclif/core/args';
import { beforeEach, describe, expect, it } from 'vitest';
import { splitWatch } from '../../src/cli/flags/parser.ts';
import { createRuntime, type Runtime } from '../../src/cli/runtime.ts';
import { createDisplay } from '../../src/cli/show/display.ts';
import { watch } from '../../src/cli/watch.ts';
import { ApiError, ConnectionError } from '../../src/client/errors.ts';
import { AbortedError, UsageError } from '../../src/errors.ts';
import type { OutputName } from '../../src/output/formats.ts';
import { ReceivedSignalError } from '../../src/signals.ts';
import { inZone } from '../harness/in-zone.ts';
import { stopClock } from '../harness/stop-clock.ts';
import { MemoryStream } from '../output/memory-stream.ts';

type Poll = (runtime: Runtime) => void | Promise<void>;
type Options = {
  readonly format?: OutputName;
  readonly terminal?: { readonly columns: number; readonly rows: number };
  readonly interval?: string;
  readonly flags?: Readonly<Record<string, unknown>>;
};

beforeEach(() => inZone('UTC'));

/** Watches these polls, one after the other; then a signal comes. */
async function run(
  polls: readonly Poll[],
  { format = 'table', terminal, interval = '5s', flags = {} }: Options = {},
) {
  stopClock('2026-03-01T10:00:00Z');
  const stdout = new MemoryStream(terminal ? { isTTY: true, ...terminal } : {});
  const stderr = new MemoryStream(terminal ? { isTTY: true, ...terminal } : {});
  const controller = new AbortController();
  const stdin = () => {
    throw new Error('there is no standard input');
  };
  const env = { NO_COLOR: '1', TERM: 'xterm' };
  const runtime = createRuntime({ stdout, stderr, stdin, env, signal: controller.signal, version: '0' });
  const display = createDisplay({ format, verbose: false, quiet: false, noColor: true }, runtime);
  const waits: number[] = [];
  let next = 0;
  const error: unknown = await watch({
    runtime,
    display,
    interval,
    flags,
    poll: async (own) => {
      await polls[next++]?.(own);
      await own.stdout.end();
      await own.stderr.end();
    },
    wait: async (milliseconds) => {
      waits.push(milliseconds);
      if (next < polls.length) return;
      controller.abort(new ReceivedSignalError('SIGINT'));
      throw new AbortedError();
    },
  }).catch((thrown: unknown) => thrown);
  await display.stderr.end();
  return { stdout: stdout.text, stderr: stderr.text, waits, error, polls: next };
}

const prints =
  (stdout: string, stderr = ''): Poll =>
  async (runtime) => {
    await runtime.stdout.write(stdout);
    await runtime.stderr.write(stderr);
  };
const fails = (error: Error): Poll => {
  return async (runtime) => {
    await runtime.stdout.write('a part');
    throw error;
  };
};
const request = { method: 'GET', path: '/things', origin: 'https://api.example.com' };
const down = new ConnectionError('connection_refused', 'The connection was refused', {
  request,
  attempts: 1,
  outcomeUnknown: false,
});

describe('--watch in a pipe', () => {
  it('prints what has changed, in full, and nothing else', async () => {
    const polls = [prints('1\n2\n', 'note\n'), prints('1\n2\n', 'note\n'), prints('1\n3\n', 'other\n')];
    expect(await run(polls)).toMatchObject({
      stdout: '1\n2\n\n1\n3\n',
      stderr: 'note\nother\n',
      waits: [5000, 5000, 5000],
      error: expect.any(AbortedError),
    });
  });

  it('does not take another cursor for a change', async () => {
    const page = (id: number, cursor: string) => prints(`{"items":[${id}],"next_cursor":"${cursor}"}\n`);
    const { stdout } = await run([page(1, 'a'), page(1, 'b'), page(2, 'c')], { format: 'json' });
    expect(stdout).toBe('{"items":[1],"next_cursor":"a"}\n{"items":[2],"next_cursor":"c"}\n');
    const yaml = await run([prints('a: 1\n'), prints('a: 2\n')], { format: 'yaml' });
    expect(yaml.stdout).toBe('a: 1\n---\na: 2\n');
  });

  it('reports a failure that can pass, and tries again, later and later', async () => {
    const busy = new ApiError('too_many_requests', 'Busy', {
      status: 429,
      request,
      attempts: 1,
      retryAfter: '30',
    });
    const polls = [prints('1\n'), fails(down), fails(busy), prints('1\n'), prints('2\n')];
    const { stdout, stderr, waits } = await run(polls, { format: 'ndjson' });
    expect(stdout).toBe('1\n2\n');
    expect(waits).toEqual([5000, 5000, 30_000, 5000, 5000]);
    const warnings = stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).warning);
    expect(warnings).toMatchObject([
      { code: 'poll_failed', cause: 'connection_refused', failures: 1 },
      { code: 'poll_failed', cause: 'too_many_requests', failures: 2 },
      { code: 'poll_recovered', failures: 2 },
    ]);
  });

  it('keeps a character whole that comes in two pieces, and refuses what is not text', async () => {
    const bytes =
      (...pieces: readonly (readonly number[])[]): Poll =>
      async ({ stdout }) => {
        for (const piece of pieces) await stdout.writeBytes(Uint8Array.from(piece));
      };
    expect(await run([bytes([0xe2, 0x82], [0xac, 0x0a])])).toMatchObject({ stdout: '€\n' });
    const { stdout, error } = await run([prints('1\n'), bytes([0xff, 0xfe])]);
    expect({ stdout, error }).toMatchObject({ stdout: '1\n', error: { code: 'binary_watched' } });
  });

  it('masks the secrets of a run in what is reported about its failure', async () => {
    const echo: Poll = ({ onSecret }) => {
      onSecret?.('eyJ.sesame.open');
      throw new ConnectionError('connection_lost', 'lost after eyJ.sesame.open', {
        request,
        attempts: 1,
        outcomeUnknown: false,
      });
    };
    const { stderr } = await run([prints('1\n'), echo]);
    expect(stderr).toMatch(/^lost after (?!eyJ)\S+\. Trying again in 5\.0 s\n$/);
  });

  it.each([
    ['the first run', [fails(down), prints('1\n')], down],
    ['a failure for good', [prints('1\n'), fails(new UsageError('x', 'y')), prints('2\n')], UsageError],
  ])('ends with %s that fails', async (_what, polls, error) => {
    const ended = await run(polls);
    expect(ended.error).toEqual(typeof error === 'function' ? expect.any(error) : error);
    expect(ended.polls).toBe(polls.length - 1);
  });

  it.each([
    ['999ms', {}, '--watch is "999ms", which is not a duration'],
    ['0s', {}, '--watch is "0s", which is not longer than zero'],
    ['soon', {}, '--watch is "soon", which is not a duration'],
    ['5s', { flags: { all: true } }, '--watch and --all cannot be used together'],
    ['5s', { flags: { 'output-file': 'x' } }, '--watch and --output-file cannot be used together'],
    ['5s', { format: 'csv' as const }, '--watch and --output csv cannot be used together'],
  ])('refuses %s with %j, and runs nothing', async (interval, options, message) => {
    expect(await run([prints('1\n')], { ...options, interval })).toMatchObject({
      error: { problem: message },
      polls: 0,
      stdout: '',
    });
  });
});

describe('--watch on a terminal', () => {
  it('redraws another screen of the terminal, and leaves the last state', async () => {
    const polls = [prints('HEAD\n1\n', 'a note\n'), prints('HEAD\n2\n', 'a note\n')];
    const { stdout, stderr } = await run(polls, { terminal: { columns: 40, rows: 10 } });
    const screen = (...lines: string[]) =>
      `\u001B[H${lines.map((line) => `\u001B[K${line}\n`).join('')}\u001B[J`;
    const status = 'Every 5s; last run: 2026-03-01 10:00:00Z';
    expect(stdout).toBe(
      `\u001B[?1049h\u001B[?7l${screen(status, '', 'HEAD', '1', 'a note')}` +
        `${screen(status, '', 'HEAD', '2', 'a note')}\u001B[?7h\u001B[?1049lHEAD\n2\n`,
    );
    expect(stderr).toBe('a note\n');
  });

  it('shows the beginning of what is longer than the screen, and leaves all of it', async () => {
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index}\n`).join('');
    const { stdout } = await run([prints(lines)], { terminal: { columns: 40, rows: 8 } });
    expect(stdout).toContain('line 3\n\u001B[K16 more lines\n\u001B[J\u001B[?7h');
    expect(stdout.endsWith(`\u001B[?1049l${lines}`)).toBe(true);
  });

  it('cuts a line that is too long with an ellipsis, and leaves the whole command', async () => {
    const next = 'payctl buyers list --cursor 0123456789abcdef';
    const polls = [prints(`\u001B[1mNAME\u001B[22m\n\u001B[2m${'é'.repeat(41)}\u001B[22m\n`, `${next}\n`)];
    const { stdout, stderr } = await run(polls, { terminal: { columns: 40, rows: 10 } });
    expect(stdout).toContain(
      `\u001B[1mNAME\u001B[22m\n\u001B[K\u001B[2m${'é'.repeat(39)}…\u001B[22m\n\u001B[K${next.slice(0, 39)}…\n`,
    );
    expect(stderr).toBe(`${next}\n`);
  });

  it('leaves the terminal as it was where a run fails for good', async () => {
    const polls = [prints('1\n'), fails(new UsageError('x', 'y'))];
    const { stdout } = await run(polls, { terminal: { columns: 40, rows: 8 } });
    expect(stdout.endsWith('\u001B[?7h\u001B[?1049l1\n')).toBe(true);
    const { stdout: nothing } = await run([fails(down)], { terminal: { columns: 40, rows: 8 } });
    expect(nothing).toBe('');
  });

  it('gives runs the size of the terminal, and neither progress nor a pager', async () => {
    const seen: unknown[] = [];
    const look: Poll = ({ stdout, stderr, isHidden, signal }) => {
      seen.push([
        stdout.isTerminal,
        stdout.columns,
        stdout.rows,
        stderr.isTerminal,
        isHidden,
        signal.aborted,
      ]);
    };
    await run([look], { terminal: { columns: 40, rows: 8 } });
    expect(seen).toEqual([[true, 40, 8, true, true, false]]);
  });
});

describe('the words of --watch', () => {
  it.each([
    ['list --watch', 'list', '5s'],
    ['list --watch 10s --json', 'list --json', '10s'],
    ['list --watch=2m', 'list', '2m'],
    ['list --watch --json', 'list --json', '5s'],
    ['list --watch 5', 'list', '5'],
    ['get --watch 10s 12345678', 'get 12345678', '10s'],
    ['get --watch 12345678', 'get 12345678', '5s'],
    ['get --watch 1234567d', 'get 1234567d', '5s'],
    ['get --watch 5041a892-fb00', 'get 5041a892-fb00', '5s'],
  ])('%s', (words, rest, interval) => {
    const args = words.startsWith('get') ? { id: string() } : {};
    expect(splitWatch(words.split(' '), args)).toEqual({ argv: rest.split(' '), interval });
  });

  it.each(['list', 'get -- --watch', 'list --watches'])('are none: %s', (words) => {
    expect(splitWatch(words.split(' '), {})).toBeUndefined();
  });
});
