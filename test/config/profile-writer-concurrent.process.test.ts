import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { changeProfiles } from '../../src/config/profile-writer.ts';
import { profilesFile, readProfiles } from '../../src/config/profiles.ts';
import { compiledSources } from '../harness/compiled-sources.ts';
import { followProcess, type RunningProcess } from '../harness/follow-process.ts';
import { freshDirectory, modeOf } from './config-directory.ts';

const SCRIPT = join(import.meta.dirname, 'profile-writing.ts');

/** Starts a process that changes profiles; `shell` is a line that sets limits for it. */
function startWriter(args: readonly string[], shell = ''): RunningProcess {
  const line = `${shell}\nexec "$0" "$@"`;
  const words = shell === '' ? [] : ['-c', line, process.execPath];
  // Limits of files hold for a cache, too.
  const env = { ...process.env, ...(shell === '' && compiledSources()) };
  const child = spawn(shell === '' ? process.execPath : 'bash', [...words, SCRIPT, ...args], { env });
  child.stdin.end();
  const running = followProcess(child);
  onTestFinished(() => running.kill('SIGKILL'));
  return running;
}

function contentOf(directory: string): { profiles: Record<string, Record<string, unknown>> } {
  return JSON.parse(readFileSync(profilesFile(directory), 'utf8'));
}

const WELL = { stdout: '', stderr: '', code: 0, signal: null };

describe('processes that change the profiles at the same time', () => {
  it('lose nothing, and leave neither a lock nor a draft', async () => {
    const directory = join(freshDirectory(), 'payctl');
    const names = Array.from({ length: 12 }, (_, number) => `p${number}`);
    const runs = await Promise.all(names.map((name) => startWriter([directory, name, '3']).done));
    expect(runs).toEqual(names.map(() => WELL));
    const { shared, ...own } = contentOf(directory).profiles;
    expect(shared).toEqual({ count: 36 });
    expect(own).toEqual(
      Object.fromEntries(names.map((name) => [name, { instance: name.repeat(40), later: 3 }])),
    );
    expect(readdirSync(directory)).toEqual(['profiles.json']);
  }, 60_000);

  it('always leave a whole file for those who read', async () => {
    const directory = freshDirectory('{"version":1,"profiles":{"shared":{}}}');
    const writers = ['a', 'b'].map((name) => startWriter([directory, name, '60']));
    let finished = false;
    const runs = Promise.all(writers.map(({ done }) => done)).finally(() => {
      finished = true;
    });
    let reads = 0;
    while (!finished) {
      expect(readProfiles(directory).profiles.has('shared')).toBe(true);
      reads += 1;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    expect(await runs).toEqual([WELL, WELL]);
    expect(reads).toBeGreaterThan(20);
    expect(contentOf(directory).profiles.shared).toEqual({ count: 120 });
  }, 60_000);
});

describe('a process that is killed while it changes the profiles', () => {
  it('leaves a whole file, and at most its lock and one draft, which hold up nobody', async () => {
    const directory = freshDirectory('{"version":1,"profiles":{"shared":{}}}');
    const file = profilesFile(directory);
    let locksLeft = 0;
    for (let round = 0; round < 12; round += 1) {
      const before = statSync(file).ino;
      const running = startWriter([directory, 'victim', '100000']);
      while (statSync(file).ino === before) await new Promise((resolve) => setTimeout(resolve, 1));
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 8));
      running.kill('SIGKILL');
      expect(await running.done).toMatchObject({ stderr: '', signal: 'SIGKILL' });
      expect(readProfiles(directory).profiles.get('victim')?.instance).toBe('victim'.repeat(40));
      const left = readdirSync(directory).filter((name) => name !== 'profiles.json');
      expect(['profiles.lock', 'profiles.json.new']).toEqual(expect.arrayContaining(left));
      if (left.includes('profiles.lock')) locksLeft += 1;
      await changeProfiles(directory, (document) => document, { timeoutMs: 0 });
      expect(readdirSync(directory)).toEqual(['profiles.json']);
    }
    expect(locksLeft).toBeGreaterThan(0);
  }, 60_000);
});

describe.skipIf(process.platform === 'win32')('a disk that takes only a part', () => {
  it('leaves the profiles as they were, and no lock', async () => {
    const profiles = Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [`p${n}`, { instance: 'a'.repeat(60) }]),
    );
    const content = JSON.stringify({ version: 1, profiles });
    const directory = freshDirectory(content);
    // Files of at most 1 KiB.
    const run = await startWriter([directory, 'new'], 'ulimit -f 1').done;
    expect(run).toMatchObject({ stdout: '', code: 1 });
    expect(run.stderr).toContain(
      `UsageError: ${profilesFile(directory)} cannot be written: only part of it was written to the disk`,
    );
    expect(readFileSync(profilesFile(directory), 'utf8')).toBe(content);
    expect(readdirSync(directory)).toEqual(['profiles.json']);
    expect(modeOf(profilesFile(directory))).toBe('600');
  });

  it('is told where nothing can be written, and leaves no lock', async () => {
    const directory = freshDirectory('{"version":1,"profiles":{}}');
    const run = await startWriter([directory, 'new'], 'ulimit -f 0').done;
    expect(run).toMatchObject({ stdout: '', code: 1 });
    expect(run.stderr).toContain(
      `UsageError: ${profilesFile(directory)} cannot be written: the file would be too large`,
    );
    expect(readdirSync(directory)).toEqual(['profiles.json']);
  });
});
