import { spawn, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { buildExecutable } from '../../scripts/package/executable.ts';
import { OWN_PLATFORM } from '../../scripts/package/platforms.ts';
import { builtExecutable, NO_EXECUTABLE } from '../harness/executable.ts';
import { followProcess } from '../harness/follow-process.ts';
import { useHome } from '../harness/run-payctl.ts';
import { freshSecretService } from '../harness/secret-service.ts';
import { folderForAll, folderForTest } from '../harness/temporary-folder.ts';
import { startNetwork } from './network/corporate.ts';
import { SECRET_TOKEN, serve, serveAnswers } from './paged-service.ts';

const root = join(import.meta.dirname, '../..');
const home = useHome();
const folder = folderForAll();
const program = join(folder, OWN_PLATFORM?.program ?? 'payctl');
const LIST = ['buyers', 'list', '--profile', 'emulator', '--limit', '2', '-q'];

beforeAll(async () => {
  if (!NO_EXECUTABLE) copyFileSync(await builtExecutable(), program);
}, 120_000);

/** Starts the executable in its folder, where nothing else is, with no variable but these. */
function start(args: readonly string[], env: Readonly<Record<string, string>> = {}, stdin = '') {
  const variables = { PAYCTL_CONFIG_DIR: join(home.path, 'payctl'), ...env };
  const child = spawn(program, args, { cwd: folder, env: variables });
  // A program that ends without reading its input is no failure of the test.
  child.stdin.on('error', () => {});
  child.stdin.end(stdin);
  const running = followProcess(child);
  onTestFinished(() => running.kill('SIGKILL'));
  return running;
}

const run = (args: readonly string[], env = {}) => runWith('', args, env);

const runWith = (stdin: string, args: readonly string[], env: Readonly<Record<string, string>>) =>
  start(args, env, stdin).done;

describe.skipIf(NO_EXECUTABLE)(
  `payctl as one executable${NO_EXECUTABLE ? ` (${NO_EXECUTABLE})` : ''}`,
  () => {
    it('is the same, byte for byte, when it is built again', { timeout: 120_000 }, async () => {
      if (!OWN_PLATFORM) return;
      const other = folderForTest();
      const again = await buildExecutable(root, OWN_PLATFORM, other);
      expect(readFileSync(again.file).equals(readFileSync(program))).toBe(true);
    });

    it.each([
      [['--version']],
      [[]],
      [['--help']],
      [['help', 'settings']],
      [['help', '--json']],
      [['buyers', 'list', '--help']],
      [['buyers']],
      [['buyers', 'lst']],
      [['api', 'list']],
      [['__complete', '--', 'buyers', 'list', '--columns', 'id,']],
      [['completion', 'zsh']],
      [[...LIST, '-o', 'json']],
      [LIST],
      [[...LIST, '-o', 'yaml']],
      [[...LIST, '-o', 'csv']],
      [[...LIST, '--jq', '.items[].id']],
      [[...LIST, '--jq', '.nothing | error']],
      // Too long for the thread of the program, so it goes into one of its own.
      [[...LIST, '--jq', 'reduce range(1000000) as $i (0; . + $i)']],
      [['buyers', 'list', '--profile', 'nobody']],
    ])('does the same as the program of many files: %j', async (args) => {
      const expected = await home.payctl(args);
      expect(await run(args)).toEqual(expected);
    });

    it('has no code that only Node itself could load', () => {
      const files = globSync('dist/**/*.cjs', { cwd: root });
      expect(files.filter((file) => /\bimport\(/.test(readFileSync(join(root, file), 'utf8')))).toEqual([]);
    });

    it('leaves nothing beside itself', () => {
      expect(readdirSync(folder)).toEqual([OWN_PLATFORM?.program]);
    });

    it('contains no path of the machine that it was built on', () => {
      const bytes = readFileSync(program);
      for (const path of [root, join(tmpdir(), 'payctl-')]) expect(bytes.includes(path), path).toBe(false);
    });

    it('takes no flags for Node from the environment', async () => {
      const file = join(home.path, 'other.cjs');
      writeFileSync(file, 'process.stdout.write("other code\\n");');
      const other = await run(['--version'], { NODE_OPTIONS: `--require ${file}` });
      expect(other.stdout).not.toContain('other code');
      expect(other).toMatchObject({ stderr: '', code: 0 });
    });

    it('trusts the authority of a company from NODE_EXTRA_CA_CERTS', async () => {
      const { server, settings, authorityFile } = await startNetwork(home);
      const env = { ...settings, PAYCTL_BASE_URL: server.origin, NODE_EXTRA_CA_CERTS: authorityFile };
      expect(await run(['buyers', 'list', '-q'], env)).toMatchObject({ stderr: '', code: 0 });
      expect(server.connections()).toBe(1);
    });

    it.skipIf(process.platform === 'win32')(
      'runs without any variable, by a link, under another name and in a folder that is gone',
      async () => {
        const elsewhere = join(home.path, 'ein Ordner für 日本');
        mkdirSync(elsewhere);
        symlinkSync(program, join(elsewhere, 'by link'));
        const { stdout } = await run(['--version']);
        const script = 'mkdir gone && cd gone && rmdir ../gone && "$0" "$@"';
        const args = ['-c', script, join(elsewhere, 'by link'), '--version'];
        const started = spawnSync('/bin/sh', args, { cwd: elsewhere, env: {}, encoding: 'utf8' });
        expect(started).toMatchObject({ stdout, stderr: '', status: 0 });
      },
    );

    it('serves the emulator to other commands', async () => {
      const emulator = start(['emulator', 'start', '--buyers', '3', '--yes']);
      await emulator.sees('stdout', '\n');
      const list = await run(['buyers', 'list', '--profile', 'emulator', '--all', '-q', '-o', 'ndjson']);
      expect(list.stdout.trim().split('\n')).toHaveLength(3);
      emulator.kill('SIGINT');
      expect(await emulator.done).toMatchObject({ code: 0, signal: null });
    });

    it('ends an expression of jq that runs in a thread with Ctrl-C', async () => {
      const asked = Promise.withResolvers<void>();
      const server = await serve((_, response) => {
        response.end('{"items":[]}');
        asked.resolve();
      });
      const env = { PAYCTL_BASE_URL: server.origin, PAYCTL_TOKEN: SECRET_TOKEN };
      const running = start(['buyers', 'list', '-o', 'json', '--jq', '[range(1e12)]'], env);
      await asked.promise;
      // Past the moment that jq may take before it gets a thread.
      await new Promise((resolve) => setTimeout(resolve, 500));
      running.kill('SIGINT');
      expect(await running.done).toMatchObject({ stdout: '', code: 130, signal: null });
    });

    it.skipIf(process.platform !== 'linux').each(['tmp', 'nowhere'])(
      'reaches the keychain, and leaves no file behind, with TMPDIR %s',
      async (name) => {
        const keychain = await freshSecretService();
        const body = { items: [], limit: 1, next_cursor: null, previous_cursor: null };
        const server = await serveAnswers({ body }, { body });
        const config = mkdtempSync(join(home.path, 'config-'));
        const env = { ...keychain.env, TMPDIR: join(home.path, name), PAYCTL_CONFIG_DIR: config };
        const login = ['auth', 'login', '--profile', 'dev', '--base-url', server.origin, '--with-token'];
        const stored = await runWith(SECRET_TOKEN, login, env);
        expect(stored.code, stored.stderr).toBe(0);
        expect(keychain.items()).toHaveLength(1);
        const roles = await run(['roles', 'list', '--profile', 'dev', '-q'], env);
        expect(roles).toMatchObject({ stderr: '', code: 0 });
        expect(server.requests.at(-1)?.headers.authorization).toBe(`Bearer ${SECRET_TOKEN}`);
        expect(readdirSync(join(home.path, 'tmp'))).toEqual([]);
        expect(globSync('**/*binding*', { cwd: config })).toEqual([]);
      },
    );

    it('says that there is no keychain as the program of many files does', async () => {
      const args = 'auth login --profile dev --base-url https://api.example.com --with-token'.split(' ');
      const env = { DBUS_SESSION_BUS_ADDRESS: `unix:path=${join(home.path, 'no-bus')}` };
      const words = [...args, '--no-verify'];
      const expected = await home.payctl(words, { env, stdin: SECRET_TOKEN });
      expect(await runWith(SECRET_TOKEN, words, env)).toEqual(expected);
      expect(expected.code).not.toBe(0);
    });
  },
);
