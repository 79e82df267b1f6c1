import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { filesOf } from '../../src/emulator/data-files.ts';
import { claimServing, findServing, resetEmulator } from '../../src/emulator/serving.ts';
import { prepareDatabase, type SeedOptions } from '../../src/emulator/store/prepare.ts';
import { temporaryDirectory } from './test-emulator.ts';

const isPosix = process.platform !== 'win32';

/** An emulator that another process serves, as far as it has come. */
class OtherProcess {
  readonly child: ChildProcess;
  output = '';

  constructor(directory: string, options: object) {
    const script = join(import.meta.dirname, 'hold-and-report.ts');
    this.child = spawn(process.execPath, [script, directory, JSON.stringify(options)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.child.stdout?.on('data', (text) => {
      this.output += text;
    });
    onTestFinished(() => void this.child.kill('SIGKILL'));
  }

  async prints(text: RegExp): Promise<void> {
    while (!text.test(this.output))
      await once(this.child.stdout as NonNullable<ChildProcess['stdout']>, 'data');
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    const exit = once(this.child, 'exit');
    this.child.kill(signal);
    await exit;
  }
}

async function buyerCount(directory: string, options: SeedOptions = {}): Promise<unknown> {
  const database = await prepareDatabase(directory, options);
  try {
    return database.prepare('SELECT count(*) AS total FROM buyers').get()?.total;
  } finally {
    database.close();
  }
}

it.runIf(isPosix)(
  'keeps its data while it is stopped, whoever resets it or starts on another seed',
  async () => {
    using directory = temporaryDirectory();
    const other = new OtherProcess(directory.path, { buyers: 7, port: 0 });
    await other.prints(/running/);
    const { baseUrl } = JSON.parse(readFileSync(filesOf(directory.path).running, 'utf8')) as {
      baseUrl: string;
    };
    other.child.kill('SIGSTOP');
    expect(() => resetEmulator(directory.path)).toThrow(
      expect.objectContaining({
        code: 'emulator_running',
        message: `An emulator is serving this data at ${baseUrl} (process ${other.child.pid})`,
        hint: 'Stop it first: payctl emulator stop',
      }),
    );
    expect(() => claimServing(directory.path)).toThrow(
      expect.objectContaining({
        code: 'emulator_running',
        message: `An emulator is already running at ${baseUrl} (process ${other.child.pid})`,
        hint: 'Choose another directory with --directory or PAYCTL_CONFIG_DIR, or stop it: payctl emulator stop',
      }),
    );
    expect(findServing(directory.path)).toMatchObject({ pid: other.child.pid, baseUrl });
    expect(await buyerCount(directory.path)).toBe(7);
    other.child.kill('SIGCONT');
    await other.end('SIGKILL');
  },
);

it('is free as soon as the process that held it is killed', async () => {
  using directory = temporaryDirectory();
  const other = new OtherProcess(directory.path, { buyers: 7 });
  await other.prints(/running/);
  await other.end('SIGKILL');
  expect(findServing(directory.path)).toBeUndefined();
  expect(await buyerCount(directory.path, { buyers: 8, replace: true })).toBe(8);
  const serving = claimServing(directory.path);
  serving.release();
  expect(resetEmulator(directory.path)).toEqual([
    filesOf(directory.path).database,
    filesOf(directory.path).signingKey,
    filesOf(directory.path).restrictedKey,
  ]);
});

it('has one process serve when three start on it with other seeds at the same moment', async () => {
  using directory = temporaryDirectory();
  const others = [1, 2, 3].map((seed) => new OtherProcess(directory.path, { seed, buyers: 20_000 }));
  await Promise.all(others.map((other) => other.prints(/running|emulator_/)));
  const served = others.filter(({ output }) => output === 'claimed\nrunning\n');
  expect(served).toHaveLength(1);
  const [{ child }] = served as [OtherProcess];
  for (const { output } of others.filter((other) => other !== served[0])) {
    expect(output).toMatch(/^emulator_running An emulator is already running (in|at) /);
  }
  expect(findServing(directory.path)).toMatchObject({ pid: child.pid });
});

it('obeys a signal while it seeds, and leaves the old data', async () => {
  using directory = temporaryDirectory();
  expect(await buyerCount(directory.path, { buyers: 5 })).toBe(5);
  const other = new OtherProcess(directory.path, { buyers: 10_000_000, replace: true });
  await other.prints(/claimed/);
  const { draft } = filesOf(directory.path);
  while (!existsSync(draft)) await new Promise((resolve) => setTimeout(resolve, 5));
  if (isPosix) {
    await other.end('SIGTERM');
    expect(other.output).toBe('claimed\naborted Interrupted\n');
    expect(existsSync(draft)).toBe(false);
  } else await other.end('SIGKILL');
  expect(await buyerCount(directory.path)).toBe(5);
}, 20_000);

it('leaves nothing that is taken for the whole when it is killed while it seeds', async () => {
  using directory = temporaryDirectory();
  const other = new OtherProcess(directory.path, { buyers: 10_000_000 });
  const { draft, database } = filesOf(directory.path);
  while (!existsSync(draft)) await new Promise((resolve) => setTimeout(resolve, 5));
  await other.end('SIGKILL');
  expect(existsSync(database)).toBe(false);
  expect(await buyerCount(directory.path, { buyers: 3 })).toBe(3);
  expect(readdirSync(directory.path)).not.toContain('emulator.sqlite.new');
}, 20_000);

it('ends its wait for a process that seeds when it is no longer wanted', async () => {
  using directory = temporaryDirectory();
  const other = new OtherProcess(directory.path, { buyers: 10_000_000 });
  const { draft } = filesOf(directory.path);
  while (!existsSync(draft)) await new Promise((resolve) => setTimeout(resolve, 5));
  const interrupt = new AbortController();
  const waiting = prepareDatabase(directory.path, { signal: interrupt.signal });
  setTimeout(() => interrupt.abort(), 50);
  await expect(waiting).rejects.toMatchObject({ code: 'aborted' });
  await other.end('SIGKILL');
}, 20_000);

it('does not take a stale write-ahead log for one of the new data', async () => {
  using directory = temporaryDirectory();
  const other = new OtherProcess(directory.path, { buyers: 7 });
  await other.prints(/running/);
  await other.end('SIGKILL');
  const { database } = filesOf(directory.path);
  const wal = readFileSync(`${database}-wal`);
  expect(await buyerCount(directory.path, { buyers: 9, replace: true })).toBe(9);
  expect(existsSync(`${database}-wal`)).toBe(false);
  expect(wal.length).toBeGreaterThanOrEqual(0);
});
