import { randomInt } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Run, RunningProcess } from '../../harness/follow-process.ts';
import { PROMPTLY } from '../../harness/promptly.ts';
import { freshHome, type Home } from '../../harness/run-payctl.ts';
import { against, buyer, page, SECRET_TOKEN, serve } from '../paged-service.ts';

/** What every signal that can be handled ends a command with. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

type Signal = keyof typeof EXIT_CODES;

const SIGNALS = Object.keys(EXIT_CODES) as Signal[];

/** Instants per kind of command; there are five kinds. */
const INSTANTS = process.env.PAYCTL_LONG_TESTS === '1' ? 40 : 5;

type Interrupted = { readonly run: Run; readonly instant: string };

/** What a run left, short enough for the message of a test that fails. */
const summary = ({ stdout, stderr, ...end }: Run) =>
  JSON.stringify({ ...end, stderr, stdout: `${stdout.slice(0, 80)} ... ${stdout.slice(-80)}` });

/** Sends a random signal at a random instant within so many milliseconds, and waits for the end. */
async function interrupt(
  running: RunningProcess,
  milliseconds: number,
  { mayHaveEnded = false } = {},
): Promise<Interrupted> {
  const signal = SIGNALS[randomInt(SIGNALS.length)] as Signal;
  const delay = randomInt(milliseconds);
  await Promise.race([sleep(delay), running.done]);
  const sent = performance.now();
  running.kill(signal);
  const run = await running.done;
  const instant = `${signal} after ${delay} ms: ${summary(run)}`;
  expect(performance.now() - sent, instant).toBeLessThan(PROMPTLY);
  // Before the program is loaded and after it has done its work, the signal itself ends the process.
  if (run.signal !== null) expect(run.signal, instant).toBe(signal);
  else if (!mayHaveEnded || run.code !== 0) expect(run.code, instant).toBe(EXIT_CODES[signal]);
  return { run, instant };
}

async function atRandomInstants(check: (home: Home) => Promise<void>): Promise<void> {
  for (let count = 0; count < INSTANTS; count += 1) await check(freshHome());
}

/** Answers pages of 100 buyers without end, each after some milliseconds. */
function serveSlowly(milliseconds: number) {
  return serve((request, response) => {
    const start = Number(
      new URL(request.url, 'http://service').searchParams.get('cursor')?.slice('from-'.length) ?? 0,
    );
    const items = Array.from({ length: 100 }, (_, index) => buyer(start + index));
    const timer = setTimeout(() => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(page(items, { limit: 100, next: `from-${start + 100}` })));
    }, milliseconds);
    response.on('close', () => clearTimeout(timer));
  });
}

/** The numbers of the buyers in NDJSON; a line that is cut fails the test. */
function numbersOf(ndjson: string): number[] {
  if (ndjson === '') return [];
  expect(ndjson.endsWith('\n')).toBe(true);
  return ndjson
    .slice(0, -1)
    .split('\n')
    .map((line) => Number(JSON.parse(line).id.slice(-12)));
}

it('at any instant of a list leaves stdout empty or one whole document', async () => {
  const server = await serveSlowly(300);
  await atRandomInstants(async (home) => {
    const running = home.start(['buyers', 'list', '--all', '-o', 'json'], { env: against(server) });
    const { run, instant } = await interrupt(running, 900);
    if (run.stdout !== '') expect(JSON.parse(run.stdout), instant).toHaveProperty('next_cursor');
  });
}, 60_000);

it('at any instant of an export leaves whole lines, and the cursor of the first page that is missing', async () => {
  const server = await serveSlowly(5);
  await atRandomInstants(async (home) => {
    const running = home.start(['buyers', 'list', '--all', '-o', 'ndjson'], { env: against(server) });
    const { run, instant } = await interrupt(running, 900);
    const numbers = numbersOf(run.stdout);
    expect(numbers, instant).toEqual(numbers.map((_, index) => index));
    if (numbers.length === 0) return;
    const last = run.stderr.trimEnd().split('\n').at(-1) ?? '';
    expect(JSON.parse(last).error, instant).toMatchObject({
      code: 'aborted',
      resume_cursor: `from-${numbers.length}`,
    });
  });
}, 60_000);

it('at any instant of a change sends it at most once, and never says that an open outcome is known', async () => {
  const server = await serve((_, response) => {
    const timer = setTimeout(() => response.writeHead(201).end('{"id":"s-1"}'), 5_000);
    response.on('close', () => clearTimeout(timer));
  });
  const create = ['buyers', 'shipping-details', 'create', 'b-1', '--first-name', 'Ada', '--json'];
  await atRandomInstants(async (home) => {
    const before = server.requests.length;
    const { run, instant } = await interrupt(home.start(create, { env: against(server) }), 700);
    const sent = server.requests.length - before;
    expect(sent, instant).toBeLessThanOrEqual(1);
    expect(run.stdout, instant).toBe('');
    if (sent === 1 && run.signal === null)
      expect(JSON.parse(run.stderr).error, instant).toMatchObject({ outcome_unknown: true });
  });
}, 60_000);

it('at any instant of a login leaves a profile with its secret, or neither', async () => {
  const server = await serve((_, response) => {
    const timer = setTimeout(() => response.writeHead(200).end(JSON.stringify(page([]))), 100);
    response.on('close', () => clearTimeout(timer));
  });
  const login = ['auth', 'login', '--profile', 'acme', '--with-token', '--insecure-storage'];
  await atRandomInstants(async (home) => {
    const args = [...login, '--base-url', server.origin];
    const { run, instant } = await interruptOrEnd(home.start(args, { stdin: SECRET_TOKEN }));
    const file = join(home.configDirectory, 'profiles.json');
    const profile = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).profiles?.acme : undefined;
    if (run.code === 0) expect(profile, instant).toBeDefined();
    const list = await home.payctl(['buyers', 'list', '--profile', 'acme', '-o', 'json']);
    // A profile that is there works; one that is not is an unknown profile.
    expect(list.code, `${instant}, then ${list.stderr}`).toBe(profile === undefined ? 2 : 0);
  });
}, 60_000);

/** Like `interrupt`, for a command that may have ended before the signal. */
async function interruptOrEnd(running: RunningProcess): Promise<Interrupted> {
  const delay = randomInt(900);
  const ended = await Promise.race([sleep(delay, undefined), running.done]);
  if (ended) return { run: ended, instant: `ended within ${delay} ms: ${summary(ended)}` };
  // It may end before the signal arrives.
  return await interrupt(running, 1, { mayHaveEnded: true });
}

it('at any instant of seeding leaves the records of before', async () => {
  const home = freshHome();
  const records = async () => {
    const run = await home.payctl('buyers list --all --profile emulator -o ndjson -q'.split(' '));
    expect(run.code, run.stderr).toBe(0);
    return run.stdout;
  };
  const before = await records();
  const start = ['emulator', 'start', '--port', '0', '--seed', '9', '--buyers', '500000', '--yes'];
  await atRandomInstants(async () => {
    const { instant } = await interrupt(home.start(start), 1_000);
    expect(await records(), instant).toBe(before);
  });
}, 120_000);
