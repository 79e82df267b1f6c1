import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { answering } from '../../harness/answering.ts';
import { lines } from '../../harness/lines.ts';
import { failed } from '../../harness/outcome.ts';
import { freshHome } from '../../harness/run-payctl.ts';
import { freshSecretService } from '../../harness/secret-service.ts';
import { KEYS_WITH_LEADING_ZEROS } from '../../tokens/key-vectors.ts';
import { SECRET_TOKEN, serveAnswers } from '../paged-service.ts';

const { pem: KEY = '' } = KEYS_WITH_LEADING_ZEROS[0] ?? {};
const ROLES = { body: { items: [], limit: 1, next_cursor: null, previous_cursor: null } };

/** A home, a keychain, and a service that `auth login` is answered by. */
async function setUp(answers = 1) {
  const home = freshHome();
  const keychain = await freshSecretService();
  const server = await serveAnswers(...Array.from({ length: answers }, () => ROLES));
  const payctl = (args: readonly string[], stdin = '') => home.payctl(args, { env: keychain.env, stdin });
  const login = ['auth', 'login', '--profile', 'dev', '--base-url', server.origin];
  return { home, keychain, server, payctl, login };
}

/** What an entry holds: the secret and what it is for. */
const stored = (origin: string, secret: string) => `payctl secret for ${origin}\n${secret}`;

describe('a secret in the keychain', () => {
  it('is there and nowhere else, serves every command, and logout takes it away', async () => {
    const { home, keychain, server, payctl, login } = await setUp(2);
    const run = await payctl([...login, '--with-token'], SECRET_TOKEN);
    expect(run).toMatchObject({ code: 0 });
    expect(run.stdout).toContain('credentials.storage\tkeychain\n');
    expect(keychain.items()).toMatchObject([{ secret: stored(server.origin, SECRET_TOKEN) }]);
    expect(readFileSync(join(home.configDirectory, 'profiles.json'), 'utf8')).not.toContain(SECRET_TOKEN);
    expect(existsSync(join(home.configDirectory, 'secrets'))).toBe(false);

    expect(await payctl(['roles', 'list'])).toMatchObject({ code: 0 });
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
      `Bearer ${SECRET_TOKEN}`,
      `Bearer ${SECRET_TOKEN}`,
    ]);
    const status = JSON.parse((await payctl(['auth', 'status', '--json'])).stdout);
    expect(status).toMatchObject({
      usable: true,
      sources: [{ source: 'profile dev (keychain)', kind: 'token', storage: 'keychain', wins: true }],
    });

    const logout = await payctl(['auth', 'logout']);
    expect(logout).toMatchObject({ stdout: lines('profiles.0\tdev', 'removed.0\tkeychain'), code: 0 });
    expect(keychain.items()).toEqual([]);
  });

  it('is apart from that of a profile of the same name in another configuration', async () => {
    const { keychain, server, payctl, login } = await setUp();
    const other = freshHome();
    await payctl([...login, '--with-token', '--no-verify'], 'first-token');
    const args = [...login, '--with-token', '--no-verify'];
    await other.payctl(args, { env: keychain.env, stdin: 'second-token' });
    expect(keychain.items().map(({ secret }) => secret)).toEqual([
      stored(server.origin, 'first-token'),
      stored(server.origin, 'second-token'),
    ]);
    await payctl(['auth', 'logout']);
    expect(keychain.items().map(({ secret }) => secret)).toEqual([stored(server.origin, 'second-token')]);
  });

  it('takes the place of an insecure file', async () => {
    const { home, keychain, server, payctl, login } = await setUp();
    await payctl([...login, '--with-key', '--no-verify', '--insecure-storage'], KEY);
    expect(readdirSync(join(home.configDirectory, 'secrets'))).toHaveLength(1);
    await payctl([...login, '--with-key', '--no-verify'], KEY);
    expect(readdirSync(join(home.configDirectory, 'secrets'))).toEqual([]);
    expect(keychain.items()).toMatchObject([{ secret: stored(server.origin, KEY) }]);
    await payctl([...login, '--with-key', '--no-verify', '--insecure-storage'], KEY);
    expect(keychain.items()).toEqual([]);
  });

  it('goes with its profile', async () => {
    const { keychain, payctl, login } = await setUp();
    await payctl([...login, '--with-token', '--no-verify'], SECRET_TOKEN);
    const run = await payctl(['profiles', 'delete', 'dev', '--yes']);
    expect(run.stdout).toContain('removed_secrets.0\tkeychain\n');
    expect(keychain.items()).toEqual([]);
  });

  it('that somebody else removed is an error that says so', async () => {
    const { home, keychain, payctl, login } = await setUp();
    await payctl([...login, '--with-token', '--no-verify'], SECRET_TOKEN);
    const another = await freshSecretService();
    const run = await home.payctl(['roles', 'list'], { env: another.env });
    expect(run).toEqual(
      failed(
        3,
        'Error: The keychain no longer contains the token from profile dev (keychain) (credentials_missing)',
        'Store it again: payctl auth login --profile dev',
      ),
    );
    expect(keychain.items()).toHaveLength(1);
  });
});

describe('a locked keychain', () => {
  it('is an error of credentials when nobody unlocks it, and logout removes nothing', async () => {
    const { home, keychain, payctl, login } = await setUp();
    await payctl([...login, '--with-token', '--no-verify'], SECRET_TOKEN);
    keychain.lock('dismisses');
    const run = await payctl(['roles', 'list']);
    expect(run).toMatchObject({ stdout: '', code: 3 });
    expect(run.stderr).toContain('it is locked');
    expect(await payctl(['auth', 'logout'])).toMatchObject({ stdout: '', code: 3 });
    const stored = JSON.parse(readFileSync(join(home.configDirectory, 'profiles.json'), 'utf8'));
    expect(stored.profiles.dev.credentials.storage).toBe('keychain');
  });

  it('is waited for, and Ctrl-C ends the waiting', async () => {
    const { home, keychain, payctl, login } = await setUp();
    await payctl([...login, '--with-token', '--no-verify'], SECRET_TOKEN);
    keychain.lock('is away');
    const running = home.start(['roles', 'list'], { env: keychain.env });
    while (!keychain.takeCalls().includes('Prompt')) await new Promise((resolve) => setTimeout(resolve, 20));
    running.kill('SIGINT');
    const { code, signal, stderr } = await running.done;
    expect(stderr).toContain('Interrupted');
    expect([code, signal]).toEqual([null, 'SIGINT']);
  });
});

describe('auth login on a terminal', () => {
  it('takes a pasted key, of which nothing is ever shown', async () => {
    const { home, keychain, server } = await setUp();
    const running = home.start(['auth', 'login', '--no-color'], {
      env: keychain.env,
      terminal: { columns: 80, withStderr: true },
    });
    const answer = answering(running);
    await answer('Profile name [default]: ', 'pasted\r');
    await answer('Base URL ({id} is replaced by the instance): ', 'ftp://nowhere\r');
    await answer('The base URL is "ftp://nowhere", which is not an absolute http or https URL', '');
    await answer('Base URL ({id} is replaced by the instance): ', `${server.origin}\r`);
    await answer('Choose [1]: ', '2\r');
    await answer('Merchant account (optional): ', '\r');
    await answer('Choose [1]: ', '3\r');
    await answer('Private key (not shown): ', KEY.replaceAll('\n', '\r'));
    const run = await running.done;
    expect(run.code, run.stdout).toBe(0);
    expect(run.stdout).toContain('environment  production');
    for (const line of KEY.trim().split('\n')) expect(run.stdout).not.toContain(line);
    expect(keychain.items().map(({ secret }) => secret.trim())).toEqual([stored(server.origin, KEY.trim())]);
  });

  it('says at once where there is no keychain, and offers to leave the key in its file', async () => {
    const { home, server } = await setUp();
    const file = join(home.path, 'my.pem');
    writeFileSync(file, KEY, { mode: 0o600 });
    const running = home.start(['auth', 'login', '--no-color', '--base-url', server.origin], {
      terminal: { columns: 80, withStderr: true },
    });
    const answer = answering(running);
    await answer('Profile name [default]: ', '\r');
    await answer('The keychain (Secret Service) cannot be used: there is no D-Bus session', '');
    await answer('run this again with --insecure-storage.', '');
    await answer('Choose [1]: ', '\r');
    await answer('Merchant account (optional): ', '\r');
    await answer('Private key file: ', '/nowhere/key.pem\r');
    await answer('The file cannot be read: no such file or directory', '');
    await answer('Private key file: ', `${file}\r`);
    const run = await running.done;
    expect(run.code, run.stdout).toBe(0);
    const { profiles } = JSON.parse(readFileSync(join(home.configDirectory, 'profiles.json'), 'utf8'));
    expect(profiles.default.credentials).toEqual({
      kind: 'key',
      storage: 'reference',
      path: file,
      origin: server.origin,
    });
  });

  it('keeps the mark production where Enter is pressed, and asks before it goes', async () => {
    const { home, keychain, server, payctl } = await setUp(2);
    await payctl(['profiles', 'set', 'live', '--base-url', server.origin, '--environment', 'production']);
    const start = () =>
      home.start(['auth', 'login', '--profile', 'live', '--no-color'], {
        env: keychain.env,
        terminal: { columns: 80, withStderr: true },
      });
    const kept = start();
    const answer = answering(kept);
    await answer(`Base URL ({id} is replaced by the instance) [${server.origin}]: `, '\r');
    await answer('Choose [2]: ', '\r');
    await answer('Merchant account (optional): ', '\r');
    await answer('Choose [1]: ', '4\r');
    await answer('Token (not shown): ', `${SECRET_TOKEN}\r`);
    expect((await kept.done).stdout).toContain('environment  production');
    const changed = start();
    const again = answering(changed);
    await again(`Base URL ({id} is replaced by the instance) [${server.origin}]: `, '\r');
    await again('Choose [2]: ', 'Sandbox\r');
    await again('Merchant account (optional): ', '\r');
    await again('The profile live is marked as production. Remove the mark? [y/N]: ', '\r');
    expect(await changed.done).toMatchObject({ code: 2 });
    const { profiles } = JSON.parse(readFileSync(join(home.configDirectory, 'profiles.json'), 'utf8'));
    expect(profiles.live.environment).toBe('production');
  });

  it('stores nothing when it is left with Ctrl-C', async () => {
    const { home, keychain } = await setUp();
    const running = home.start(['auth', 'login'], {
      env: keychain.env,
      terminal: { columns: 80, withStderr: true },
    });
    await answering(running)('Profile name [default]: ', '\u0003');
    expect(await running.done).toMatchObject({ code: 130 });
    expect(existsSync(home.configDirectory)).toBe(false);
  });
});

describe.skipIf(process.platform !== 'linux')('a keychain that never answers', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'does not keep payctl from ending: %s',
    async (signal) => {
      const home = freshHome();
      const socket = join(home.path, 'bus');
      const silent = createServer().listen(socket);
      onTestFinished(() => void silent.close());
      await once(silent, 'listening');
      const login = ['auth', 'login', '--profile', 'dev', '--base-url', 'http://127.0.0.1:9', '--no-verify'];
      const env = { DBUS_SESSION_BUS_ADDRESS: `unix:path=${socket}` };
      const running = home.start([...login, '--with-token'], { env, stdin: SECRET_TOKEN });
      await once(silent, 'connection');
      running.kill(signal);
      expect(await running.done).toMatchObject({ stdout: '', signal });
      expect(existsSync(join(home.configDirectory, 'profiles.json'))).toBe(false);
    },
  );
});
