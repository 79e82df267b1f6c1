import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { PLATFORMS } from '../../scripts/package/platforms.ts';
import { makeAuthority, makeCertificate } from '../harness/certificates.ts';
import { builtExecutable, NO_EXECUTABLE } from '../harness/executable.ts';
import { followProcess } from '../harness/follow-process.ts';
import { startServer } from '../harness/http-server.ts';
import { useHome } from '../harness/run-payctl.ts';
import { folderForAll } from '../harness/temporary-folder.ts';
import { against, answeringBuyers, serveBuyers } from './paged-service.ts';

const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
const qemu = join(cache, 'payctl-tests', 'qemu');
const NO_QEMU = existsSync(join(qemu, 'ready')) ? undefined : 'there is no qemu; test/foreign/linux.sh';
const REASON = NO_EXECUTABLE ?? NO_QEMU;

const platform = PLATFORMS.find(({ name }) => name === 'linux-arm64');
const disk = folderForAll();
const program = join(disk, 'payctl');
/** The settings of payctl for this machine, which is quick, and of the executable. */
const home = useHome();

beforeAll(async () => {
  if (REASON === undefined) copyFileSync(await builtExecutable(platform), program);
}, 240_000);

/** qemu takes seconds for each start, so the tests start it for what may depend on the processor, and only for that. */
function start(args: readonly string[], env: Readonly<Record<string, string>> = {}, stdin = '') {
  const child = spawn(join(qemu, 'qemu'), [program, ...args], {
    cwd: disk,
    env: { QEMU_LD_PREFIX: join(qemu, 'root'), PAYCTL_CONFIG_DIR: home.configDirectory, ...env },
  });
  child.stdin.on('error', () => {});
  child.stdin.end(stdin);
  const running = followProcess(child);
  onTestFinished(() => running.kill('SIGKILL'));
  return running;
}

describe.skipIf(REASON)(`payctl for linux-arm64 under qemu${REASON ? ` (${REASON})` : ''}`, () => {
  it('prints its version', async () => {
    const { stdout, stderr, code } = await start(['--version']).done;
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    expect(stdout).toMatch(/^payctl\/\S+ linux-arm64 node-v[0-9.]+\n$/);
  });

  it('lists over https, with an expression that takes so long that it runs in a thread', async () => {
    const authority = makeAuthority({ name: 'Corp Root' });
    const certificate = makeCertificate({ addresses: ['127.0.0.1'], authority });
    const server = await startServer(answeringBuyers(5), certificate);
    onTestFinished(() => server.close());
    const file = join(disk, 'authority.pem');
    writeFileSync(file, authority.cert ?? '');
    const expression = '[.items[].display_name, reduce range(100000) as $i (0; . + 1)]';
    const list = ['buyers', 'list', '--all', '--limit', '2', '-q', '--jq', expression];
    const { stdout, stderr } = await start(list, { ...against(server), NODE_EXTRA_CA_CERTS: file }).done;
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual([...[1, 2, 3, 4, 5].map((number) => `Buyer ${number}`), 100_000]);
  });

  it('serves the emulator from SQLite, and signs for it, until Ctrl-C', async () => {
    const emulator = start(['emulator', 'start', '--buyers', '3', '--yes']);
    await emulator.sees('stdout', '\n');
    const list = ['buyers', 'list', '--profile', 'emulator', '-q', '-o', 'ndjson'];
    expect((await home.payctl(list)).stdout.trim().split('\n')).toHaveLength(3);
    emulator.kill('SIGINT');
    expect(await emulator.done).toMatchObject({ code: 0, signal: null });
  });

  it('exports with zstd what payctl for another processor takes for whole', async () => {
    const server = await serveBuyers(5);
    const copy = join(disk, 'copy');
    const words = ['export', 'buyers', '--to', copy, '-q'];
    const done = await start(words, against(server)).done;
    expect(done, done.stderr).toMatchObject({ code: 0 });
    const { stdout } = await home.payctl(['export', 'verify', copy, '-o', 'json']);
    expect(JSON.parse(stdout).items).toMatchObject([{ resource: 'buyers', rows: 5 }]);
  });

  it('loads the binding of the keychain, and says that there is none', async () => {
    const words = 'auth login --profile dev --base-url https://api.example.com --with-token --no-verify';
    const env = { DBUS_SESSION_BUS_ADDRESS: `unix:path=${join(disk, 'no-bus')}` };
    const run = await start(words.split(' '), env, 'a-token\n').done;
    const expected = await home.payctl(words.split(' '), { env, stdin: 'a-token\n' });
    expect(run).toEqual(expected);
    expect(expected.code).toBe(3);
  });
});
