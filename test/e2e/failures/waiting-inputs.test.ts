import { execFileSync, spawn } from 'node:child_process';
import { closeSync, constants, mkdirSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { constants as osConstants } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { followProcess, type RunningProcess } from '../../harness/follow-process.ts';
import { printedError, WORDS } from '../../harness/printed-error.ts';
import { PROMPTLY } from '../../harness/promptly.ts';
import { PAYCTL } from '../../harness/run-payctl.ts';
import { quickHomes } from '../quick-homes.ts';

const { freshHome, useHome } = quickHomes();

const SIGNALS = [
  ['SIGINT', 130],
  ['SIGTERM', expect.toBeOneOf([130, 143])],
] as const;
const UPDATE = ['checkout-sessions', 'update', 's-1', '--profile', 'emulator'];
const LOGIN = ['auth', 'login', '--profile', 'x', '--base-url', 'http://127.0.0.1:1'];
const ROLES = ['roles', 'list', '--base-url', 'http://127.0.0.1:1'];

const home = useHome();

function makePipe(): string {
  const path = join(home.path, `pipe-${Math.random()}`);
  execFileSync('mkfifo', [path]);
  onTestFinished(() => rmSync(path));
  return path;
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 10));

/** Opens a named pipe for writing, which is possible as soon as payctl has opened it. */
async function openWriter(path: string): Promise<void> {
  for (;;) {
    try {
      const writer = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
      onTestFinished(() => closeSync(writer));
      return;
    } catch {
      await pause();
    }
  }
}

/** Resolves when the event loop of a process watches its standard input. */
async function readsStandardInput({ pid }: RunningProcess): Promise<void> {
  const folder = `/proc/${pid}/fdinfo`;
  const watchesIt = (name: string) => {
    try {
      return /^tfd:\s+0\s/m.test(readFileSync(join(folder, name), 'utf8'));
    } catch {
      return false;
    }
  };
  while (!readdirSync(folder).some(watchesIt)) await pause();
}

/** Resolves when a process has a handler for a signal: a busy machine may need a while after it has opened its input. */
async function handles({ pid }: RunningProcess, signal: NodeJS.Signals): Promise<void> {
  if (process.platform !== 'linux') return;
  const bit = 1n << BigInt(osConstants.signals[signal] - 1);
  const caught = () => /^SigCgt:\s+([0-9a-f]+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  while ((BigInt(`0x${caught()}`) & bit) === 0n) await pause();
}

async function endPromptly(running: RunningProcess, signal: NodeJS.Signals) {
  await handles(running, signal);
  const started = performance.now();
  running.kill(signal);
  const run = await running.done;
  expect(performance.now() - started).toBeLessThan(PROMPTLY);
  return run;
}

/** The message about an interrupted change whose body has not been read yet. */
function outcomeOf(args: readonly string[]) {
  const isChange = args[0] === UPDATE[0] && args[1] === UPDATE[1];
  return isChange ? { outcome: ['not done; the change was not sent.'] } : {};
}

describe.skipIf(process.platform === 'win32')('a named pipe that nobody writes to', () => {
  const readers: [name: string, args: (pipe: string) => string[], variable?: string][] = [
    ['--data', (pipe) => [...UPDATE, '--data', `@${pipe}`]],
    ['--cart-items', (pipe) => [...UPDATE, '--cart-items', `@${pipe}`]],
    ['--faults', (pipe) => ['emulator', 'start', '--faults', pipe]],
    ['auth inspect', (pipe) => ['auth', 'inspect', pipe]],
    ['auth login --key-file', (pipe) => [...LOGIN, '--key-file', pipe]],
    ['PAYCTL_TOKEN_FILE', () => ROLES, 'PAYCTL_TOKEN_FILE'],
    ['PAYCTL_PRIVATE_KEY_FILE', () => ROLES, 'PAYCTL_PRIVATE_KEY_FILE'],
    ['auth status', () => ['auth', 'status'], 'PAYCTL_PRIVATE_KEY_FILE'],
    ['auth token', () => ['auth', 'token', '--scope', 'roles.read'], 'PAYCTL_PRIVATE_KEY_FILE'],
    ['doctor', () => ['doctor', '--base-url', 'http://127.0.0.1:1'], 'PAYCTL_TOKEN_FILE'],
  ];

  it.each(readers.flatMap((reader) => SIGNALS.map((signal) => [reader[0], ...signal, reader] as const)))(
    'does not keep %s from ending at the first %s',
    async (_, signal, code, [, args, variable]) => {
      const pipe = makePipe();
      const running = home.start([...args(pipe), '-q'], { env: variable ? { [variable]: pipe } : {} });
      await openWriter(pipe);
      const run = await endPromptly(running, signal);
      expect(run).toMatchObject({ stdout: '', code, signal: null });
      expect(printedError(run.stderr)).toEqual({ code: 'aborted', message: WORDS, ...outcomeOf(args(pipe)) });
    },
  );

  it('is refused at once as the profiles file', async () => {
    const { configDirectory, payctl } = freshHome();
    mkdirSync(configDirectory, { mode: 0o700 });
    const path = join(configDirectory, 'profiles.json');
    execFileSync('mkfifo', [path]);
    const run = await payctl(ROLES);
    expect(run).toMatchObject({ stdout: '', code: 2, signal: null });
    expect(run.stderr).toBe(
      `Error: ${path} cannot be read: it is a pipe, not a regular file (profiles_unreadable)\nMake it a file that you can read, or set PAYCTL_CONFIG_DIR to another directory.\n`,
    );
  });

  it.each([
    ['running.json', 0],
    ['signing-key.pem', 3],
    ['emulator.sqlite', 2],
  ])('does not keep the emulator waiting as its %s', async (name, code) => {
    const { configDirectory, payctl } = freshHome();
    const directory = join(configDirectory, 'data/emulator');
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    execFileSync('mkfifo', [join(directory, name)]);
    expect(await payctl(['roles', 'list', '--profile', 'emulator', '-q'])).toMatchObject({
      code,
      signal: null,
    });
  });
});

describe.skipIf(process.platform !== 'linux')('standard input that does not end', () => {
  it.each(
    [
      [...UPDATE, '--data', '-'],
      [...UPDATE, '--cart-items', '@-'],
      [...UPDATE, '--data', '@/dev/stdin'],
      ['auth', 'inspect'],
      [...LOGIN, '--with-token', '--insecure-storage'],
      [...LOGIN, '--with-key', '--insecure-storage'],
    ].flatMap((args) => SIGNALS.map((signal) => [args.join(' '), ...signal, args] as const)),
  )('does not keep %s from ending at the first %s', async (_, signal, code, args) => {
    const child = spawn(process.execPath, [PAYCTL, ...args], { env: home.env });
    const running = followProcess(child);
    onTestFinished(() => running.kill('SIGKILL'));
    await readsStandardInput(running);
    const run = await endPromptly(running, signal);
    expect(run).toMatchObject({ stdout: '', code, signal: null });
    expect(printedError(run.stderr)).toEqual({ code: 'aborted', message: WORDS, ...outcomeOf(args) });
  });
});
