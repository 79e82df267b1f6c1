import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, relative } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type ForeignOptions, foreignCases } from '../foreign/cases.ts';
import { builtExecutable, NO_EXECUTABLE } from '../harness/executable.ts';
import { followProcess } from '../harness/follow-process.ts';
import { folderForAll } from '../harness/temporary-folder.ts';

const program = join(import.meta.dirname, '../..');
const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
const musl = join(cache, 'payctl-tests', 'musl');
const REASON =
  process.getuid?.() !== 0
    ? 'its root is entered as root'
    : existsSync(join(musl, 'ready'))
      ? undefined
      : 'there is no musl; test/foreign/linux.sh';

/** Enters a root in which musl is the only libc, with the folder of the program and that of the tests, and nothing else of this machine. */
const ENTER = `set -e
root=$1 program=$2 disk=$3 cwd=$4
shift 4
mount --rbind /dev "$root/dev"
mount -t proc proc "$root/proc"
mount -t tmpfs tmpfs "$root/tmp"
mount -t tmpfs tmpfs "$root/mnt"
mkdir "$root/mnt/program" "$root/mnt/disk"
mount --bind "$program" "$root/mnt/program"
mount --bind "$disk" "$root/mnt/disk"
exec chroot "$root" /bin/sh -c 'cd "$0"; exec "$@"' "$cwd" "$@"`;

const disk = folderForAll();
let folder = disk;

const named = (path: string) => join('/mnt/disk', relative(disk, path));

function enter(words: readonly string[], { env = {}, stdin = '', cwd = folder }: ForeignOptions) {
  const place = [musl, program, disk, named(cwd)];
  const child = spawn('unshare', ['--mount', 'sh', '-c', ENTER, 'sh', ...place, ...words], {
    env: { PATH: process.env.PATH, PAYCTL_CONFIG_DIR: named(join(folder, 'payctl')), ...env },
  });
  child.stdin.on('error', () => {});
  child.stdin.end(stdin);
  const running = followProcess(child);
  onTestFinished(() => running.kill('SIGKILL'));
  return running;
}

function start(args: readonly string[], options: ForeignOptions = {}) {
  return enter(['/bin/node', '/mnt/program/bin/run.js', ...args], options);
}

describe.skipIf(REASON)(`payctl on musl${REASON ? ` (${REASON})` : ''}`, () => {
  beforeEach(() => {
    folder = mkdtempSync(join(disk, 'test-'));
  });

  foreignCases({ platform: 'linux-x64', folder: () => folder, named, start });

  it('says that it has no keychain there, and what to do', async () => {
    const words = 'auth login --profile dev --base-url https://api.example.com --with-token'.split(' ');
    const run = await start([...words, '--no-verify'], { stdin: 'a-token\n' }).done;
    expect(run).toMatchObject({ stdout: '', code: 3 });
    expect(run.stderr).toContain('--insecure-storage');
  });

  it.skipIf(NO_EXECUTABLE)('is not what the executable for Linux runs on', { timeout: 240_000 }, async () => {
    mkdirSync(join(folder, 'bin'));
    copyFileSync(await builtExecutable(), join(folder, 'bin/payctl'));
    const run = await enter(['/bin/sh', '-c', './bin/payctl --version'], {}).done;
    expect(run).toMatchObject({ stdout: '', stderr: '/bin/sh: ./bin/payctl: not found\n', code: 127 });
  });
});
