import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, onTestFinished, vi } from 'vitest';
import { PLATFORMS } from '../../scripts/package/platforms.ts';
import { type ForeignOptions, foreignCases } from '../foreign/cases.ts';
import { builtExecutable, NO_EXECUTABLE } from '../harness/executable.ts';
import { followProcess } from '../harness/follow-process.ts';
import { folderForAll } from '../harness/temporary-folder.ts';

const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
const qemu = join(cache, 'payctl-tests', 'qemu');
const NO_QEMU = existsSync(join(qemu, 'ready')) ? undefined : 'there is no qemu; test/foreign/linux.sh';
const REASON = NO_EXECUTABLE ?? NO_QEMU;

const platform = PLATFORMS.find(({ name }) => name === 'linux-arm64');
const disk = folderForAll();
const program = join(disk, 'payctl');
let folder = disk;

beforeAll(async () => {
  if (REASON === undefined) copyFileSync(await builtExecutable(platform), program);
}, 240_000);

/** qemu takes seconds for each start. */
vi.setConfig({ testTimeout: 180_000 });

function start(args: readonly string[], { env = {}, stdin = '', cwd = folder }: ForeignOptions = {}) {
  const child = spawn(join(qemu, 'qemu'), [program, ...args], {
    cwd,
    env: { QEMU_LD_PREFIX: join(qemu, 'root'), PAYCTL_CONFIG_DIR: join(folder, 'payctl'), ...env },
  });
  child.stdin.on('error', () => {});
  child.stdin.end(stdin);
  const running = followProcess(child);
  onTestFinished(() => running.kill('SIGKILL'));
  return running;
}

describe.skipIf(REASON)(`payctl for linux-arm64 under qemu${REASON ? ` (${REASON})` : ''}`, () => {
  beforeEach(() => {
    folder = mkdtempSync(join(disk, 'test-'));
  });

  foreignCases({ platform: 'linux-arm64', folder: () => folder, named: (path) => path, start });
});
