import { spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { followProcess, type RunningProcess } from '../harness/follow-process.ts';
import { succeeded } from '../harness/outcome.ts';
import { folderForTest } from '../harness/temporary-folder.ts';

const scripts = join(import.meta.dirname, '../../scripts');
const platform = `node-${process.platform}-${process.arch}`;

/** Replaces npm: notes each call, and says when it is at work, which takes as long as the file `slow` exists. */
const NPM = `#!${process.execPath}
const fs = process.getBuiltinModule('node:fs');
fs.appendFileSync('../npm-calls', process.argv.slice(2).join(' ') + '\\n');
fs.rmSync('node_modules', { recursive: true, force: true });
fs.mkdirSync('node_modules/half-of-it', { recursive: true });
fs.writeFileSync('../at-work', String(process.pid));
while (fs.existsSync('../slow')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
if (fs.existsSync('../unverified')) process.exit(0);
fs.mkdirSync('node_modules/${platform}/bin', { recursive: true });
fs.symlinkSync(process.execPath, 'node_modules/${platform}/bin/node');
`;

const BUILD = `import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
appendFileSync('../builds', 'once\\n');
writeFileSync('../path', process.env.PATH);
mkdirSync('dist', { recursive: true });
writeFileSync('dist/sbom.cdx.json', '');
`;

type Clone = {
  readonly folder: string;
  /** What lies next to the clone: the notes of npm and of the build, and what tells npm how to behave. */
  note(name: string): string;
  order(name: string): void;
  withdraw(name: string): void;
  /** Writes its lock file, which has a name and the package of the platform. */
  lock(name: string): void;
  start(flags?: readonly string[], env?: Readonly<Record<string, string>>): RunningProcess;
};

function freshClone(): Clone {
  const outside = folderForTest();
  const folder = join(outside, 'clone');
  for (const name of ['scripts/runtime', 'src', 'openapi'])
    mkdirSync(join(folder, name), { recursive: true });
  for (const name of ['setup.js', 'one-at-a-time.js', 'own-node.js', 'runtime/package.json']) {
    cpSync(join(scripts, name), join(folder, 'scripts', name));
  }
  writeFileSync(join(folder, 'scripts', 'build.ts'), BUILD);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  mkdirSync(join(outside, 'bin'));
  writeFileSync(join(outside, 'bin', 'npm'), NPM);
  chmodSync(join(outside, 'bin', 'npm'), 0o755);
  const env = { PATH: [join(outside, 'bin'), process.env.PATH].join(delimiter) };
  const lock = (name: string) => {
    const packages = {
      [`node_modules/${platform}`]: { os: [process.platform], cpu: process.arch },
      'node_modules/elsewhere': { os: ['plan9'], cpu: [process.arch] },
    };
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ name, packages }));
  };
  lock('first');
  return {
    folder,
    lock,
    note: (name) => (existsSync(join(outside, name)) ? readFileSync(join(outside, name), 'utf8') : ''),
    order: (name) => writeFileSync(join(outside, name), ''),
    withdraw: (name) => rmSync(join(outside, name)),
    start: (flags = [], more = {}) =>
      followProcess(
        spawn(process.execPath, ['scripts/setup.js', ...flags], { cwd: folder, env: { ...env, ...more } }),
      ),
  };
}

const LOCK = '.setup-lock';
const calls = (clone: Clone) => clone.note('npm-calls').split('\n').length - 1;
const isAtWork = (clone: Clone) => vi.waitUntil(() => clone.note('at-work') !== '', 15_000);

describe.skipIf(process.platform === 'win32')('the set-up', () => {
  it('installs what is locked without running a script of a package, builds, and does neither again', async () => {
    const clone = freshClone();
    expect(await clone.start().done).toMatchObject({ code: 0 });
    expect(clone.note('npm-calls')).toMatch(/^ci --ignore-scripts /);
    expect(await clone.start().done).toEqual(succeeded(''));
    expect(calls(clone)).toBe(1);
    expect(clone.note('builds')).toBe('once\n');
  });

  it('makes its Node the first of npm scripts where npm did not', async () => {
    const clone = freshClone();
    await clone.start().done;
    expect(realpathSync(join(clone.folder, 'node_modules/.bin/node'))).toBe(realpathSync(process.execPath));
  });

  it('has it found first by the programs of the build, also where no npm script runs', async () => {
    const clone = freshClone();
    await clone.start().done;
    const [first] = clone.note('path').split(delimiter);
    expect(first).toBe(join(realpathSync(clone.folder), 'node_modules', platform, 'bin'));
  });

  it.each([
    ['takes what npm ci has installed by hand as installed', 'ci', 0],
    ['does not take what npm install made for what is locked', 'install', 1],
  ])('%s', async (_, command, installations) => {
    const clone = freshClone();
    const node = join(clone.folder, 'node_modules', platform, 'bin/node');
    mkdirSync(dirname(node), { recursive: true });
    symlinkSync(process.execPath, node);
    const taken = await clone.start(['--installed-by-npm'], { npm_command: command }).done;
    expect(taken).toEqual(succeeded(''));
    expect(realpathSync(join(clone.folder, 'node_modules/.bin/node'))).toBe(realpathSync(process.execPath));
    expect(await clone.start().done).toMatchObject({ code: 0 });
    expect(calls(clone)).toBe(installations);
  });

  it('lets a second one wait, which then finds everything done', async () => {
    const clone = freshClone();
    clone.order('slow');
    const first = clone.start();
    await isAtWork(clone);
    const second = clone.start();
    await second.sees('stderr', `waiting for another set-up (process ${first.pid}`);
    clone.withdraw('slow');
    expect(await first.done).toMatchObject({ code: 0 });
    expect(await second.done).toMatchObject({ code: 0 });
    expect(calls(clone)).toBe(1);
    expect(clone.note('builds')).toBe('once\n');
  });

  it('stops npm when it is stopped, and begins again even where the lock file is as before', async () => {
    const clone = freshClone();
    await clone.start().done;
    clone.lock('second');
    clone.order('slow');
    clone.withdraw('at-work');
    const interrupted = clone.start();
    await isAtWork(clone);
    interrupted.kill('SIGTERM');
    expect(await interrupted.done).toMatchObject({ code: 1, stderr: expect.stringContaining('SIGTERM') });
    expect(existsSync(join(clone.folder, LOCK))).toBe(false);
    clone.withdraw('slow');
    clone.lock('first');
    expect(await clone.start().done).toMatchObject({ code: 0 });
    expect(calls(clone)).toBe(3);
  });

  it('waits for the npm of one that was killed, and does not trust what that leaves', async () => {
    const clone = freshClone();
    clone.order('slow');
    const killed = clone.start();
    await isAtWork(clone);
    killed.kill('SIGKILL');
    const second = clone.start();
    await second.sees('stderr', `waiting for another set-up (process ${clone.note('at-work')}`);
    clone.withdraw('slow');
    expect(await second.done).toMatchObject({ code: 0 });
    expect(calls(clone)).toBe(2);
  });

  it('takes a lock away whose owners have died', async () => {
    const clone = freshClone();
    writeFileSync(join(clone.folder, LOCK), '999999998\n999999999\n');
    expect(await clone.start().done).toMatchObject({ code: 0 });
  });

  it('fails where npm passed over a package of the platform, and does not take that for an installation', async () => {
    const clone = freshClone();
    clone.order('unverified');
    const failed = await clone.start().done;
    expect(failed).toMatchObject({ code: 1 });
    expect(failed.stderr).toMatch(
      `payctl: npm did not install these packages of package-lock.json: node_modules/${platform};`,
    );
    clone.withdraw('unverified');
    expect(await clone.start().done).toMatchObject({ code: 0 });
    expect(calls(clone)).toBe(2);
  });
});
