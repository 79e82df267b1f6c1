import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMAND_OPERATIONS } from '../../../src/cli/routing/catalog/operations.ts';
import { lockAlone } from '../../../src/files/kernel-lock.ts';
import { readClaims } from '../../../src/tokens/claims.ts';
import { errorObject } from '../../harness/error-object.ts';
import { lines } from '../../harness/lines.ts';
import { failed, succeeded } from '../../harness/outcome.ts';
import type { Home } from '../../harness/run-payctl.ts';
import { KEYS_WITH_LEADING_ZEROS } from '../../tokens/key-vectors.ts';
import { makeToken } from '../../tokens/make-token.ts';
import { SECRET_TOKEN, serve, serveAnswers } from '../paged-service.ts';
import { UNSET_SETTINGS } from '../profiles/unset-settings.ts';
import { quickHomes } from '../quick-homes.ts';

const { freshHome } = quickHomes();

const { pem: KEY = '', thumbprint: KEY_ID = '' } = KEYS_WITH_LEADING_ZEROS[0] ?? {};
const ROLES = { body: { items: [], limit: 1, next_cursor: null, previous_cursor: null } };
const NO_KEYCHAIN = { DBUS_SESSION_BUS_ADDRESS: undefined };

const jwt = (claims: Record<string, unknown>) => makeToken({ alg: 'none', kid: 'key-7' }, claims, 'c2ln');

function stored(home: Home) {
  return JSON.parse(readFileSync(join(home.configDirectory, 'profiles.json'), 'utf8'));
}

/** Where the secret of a profile is kept; its name is another one with each login. */
function secretFile(home: Home, name: string): string {
  const { path } = stored(home).profiles[name].credentials;
  expect(path).toMatch(new RegExp(`/secrets/${name}\\.[0-9a-f]{8}\\.(key|token)$`));
  return path;
}

const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe('auth login --insecure-storage', () => {
  it('tries the key with one call, keeps it in a file of its owner, and makes the first profile active', async () => {
    const home = freshHome();
    const server = await serveAnswers(ROLES);
    const flags = ['--profile', 'dev', '--base-url', server.origin, '--environment', 'sandbox'];
    const run = await home.payctl(['auth', 'login', ...flags, '--with-key', '--insecure-storage'], {
      stdin: KEY,
    });
    const file = secretFile(home, 'dev');
    expect(run).toEqual(
      succeeded(
        lines(
          'name\tdev',
          'active\ttrue',
          'environment\tsandbox',
          'access\twrite',
          `base_url\t${server.origin}`,
          'instance\t',
          'merchant_account\t',
          ...UNSET_SETTINGS,
          'credentials.kind\tkey',
          'credentials.storage\tfile',
          `credentials.path\t${file}`,
        ),
        lines(
          'The service accepted the credentials.',
          `The key ${KEY_ID} (ES512) signs a token for each command, with only the scopes that it needs.`,
        ),
      ),
    );
    expect([mode(file), mode(join(home.configDirectory, 'secrets'))]).toEqual(['600', '700']);
    expect(readFileSync(file, 'utf8')).toBe(`payctl secret for ${server.origin}\n${KEY}`);
    expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /roles?limit=1']);
    const token = server.requests[0]?.headers.authorization?.slice('Bearer '.length) ?? '';
    expect(readClaims(token)).toMatchObject({ scopes: ['roles.read'], keyId: KEY_ID });
  });

  it('serves every later command, and auth status says that the storage is insecure', async () => {
    const home = freshHome();
    const server = await serveAnswers(ROLES, ROLES);
    const login = ['auth', 'login', '--base-url', server.origin, '--with-token', '--insecure-storage'];
    expect(await home.payctl(login, { stdin: `${SECRET_TOKEN}\n` })).toMatchObject({ code: 0 });
    expect(await home.payctl(['roles', 'list'])).toMatchObject({ code: 0 });
    expect(server.requests.at(-1)?.headers.authorization).toBe(`Bearer ${SECRET_TOKEN}`);
    const status = await home.payctl(['auth', 'status']);
    const file = secretFile(home, 'default');
    expect(status.stdout).toContain(
      `sources.0\tprofile default (${file}): token, insecure storage, in use\n`,
    );
    expect(status.stderr).toBe(
      lines(
        `Insecure storage: the token is in ${file}, not in a keychain.`,
        'The service was not contacted. Check with it: payctl doctor --profile default',
      ),
    );
  });

  it('replaces what was there, whatever kind it was', async () => {
    const home = freshHome();
    const login = ['auth', 'login', '--base-url', 'http://127.0.0.1:1', '--no-verify', '--insecure-storage'];
    await home.payctl([...login, '--with-key'], { stdin: KEY });
    const before = secretFile(home, 'default');
    await home.payctl([...login, '--with-token'], { stdin: 'a-token' });
    expect(existsSync(before)).toBe(false);
    const path = secretFile(home, 'default');
    expect(stored(home).profiles.default.credentials).toEqual({ kind: 'token', storage: 'file', path });
    expect(readFileSync(path, 'utf8')).toBe('payctl secret for http://127.0.0.1:1\na-token');
  });
});

describe('auth login --key-file', () => {
  it('keeps the path and copies nothing', async () => {
    const home = freshHome();
    writeFileSync(join(home.path, 'my.pem'), KEY, { mode: 0o600 });
    const server = await serveAnswers(ROLES, ROLES);
    const login = ['auth', 'login', '--base-url', server.origin, '--key-file', 'my.pem'];
    const run = await home.payctl(login, { cwd: home.path });
    expect(run).toMatchObject({ code: 0 });
    expect(stored(home)).toEqual({
      version: 1,
      active: 'default',
      profiles: {
        default: {
          base_url: server.origin,
          credentials: {
            kind: 'key',
            storage: 'reference',
            path: join(home.path, 'my.pem'),
            origin: server.origin,
          },
        },
      },
    });
    expect(existsSync(join(home.configDirectory, 'secrets'))).toBe(false);
    expect(await home.payctl(['roles', 'list'], { cwd: '/' })).toMatchObject({ code: 0 });
  });

  it('has nothing to store with --insecure-storage', async () => {
    const run = await freshHome().payctl([
      ...['auth', 'login', '--base-url', 'http://127.0.0.1:1', '--key-file', 'x.pem', '--insecure-storage'],
    ]);
    expect(run).toEqual(
      failed(
        2,
        'Error: --insecure-storage has nothing to store: the key stays in its file (bad_usage)',
        'Remove --insecure-storage, or store a copy of the key: payctl auth login --with-key < FILE',
      ),
    );
  });
});

describe('auth login without a keychain', () => {
  it('refuses to keep a secret, before it is asked for, and names the way out', async () => {
    const home = freshHome();
    const login = ['auth', 'login', '--base-url', 'http://127.0.0.1:1', '--with-key'];
    const run = await home.start(login, { stdin: KEY, env: NO_KEYCHAIN }).done;
    expect(run).toMatchObject({ stdout: '', code: 3 });
    expect(run.stderr).toMatch(/^Error: .*keychain.*\(keychain_unavailable\)\n.*--insecure-storage/);
    expect(existsSync(join(home.configDirectory, 'profiles.json'))).toBe(false);
  });
});

describe('auth login refuses, and stores nothing', () => {
  it.each([
    ['a key that is none', ['--with-key'], 'hello', 'key_unusable'],
    [
      'a public key',
      ['--with-key'],
      '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA\n-----END PUBLIC KEY-----\n',
      'key_unusable',
    ],
    ['an empty key', ['--with-key'], '', 'key_unusable'],
    ['an empty token', ['--with-token'], '\n', 'token_unreadable'],
    ['a token of two words', ['--with-token'], 'a b', 'token_unreadable'],
    ['an expired token', ['--with-token'], jwt({ exp: 1_700_000_000 }), 'token_expired'],
  ])('%s', async (_, flags, stdin, code) => {
    const home = freshHome();
    const server = await serveAnswers();
    const login = ['auth', 'login', '--base-url', server.origin, '--insecure-storage', ...flags];
    const run = await home.payctl(login, { stdin });
    expect(run).toMatchObject({ stdout: '', code: 3 });
    // The error and what to do about it.
    expect(run.stderr).toMatch(new RegExp(`^Error: .+ \\(${code}\\)\\n.+\\n$`));
    expect(existsSync(home.configDirectory)).toBe(false);
    expect(server.requests).toEqual([]);
  });

  it('a token that the service refuses', async () => {
    const home = freshHome();
    const server = await serveAnswers({ status: 401, body: '' });
    const login = `auth login --base-url ${server.origin} --insecure-storage --with-token --json`.split(' ');
    const run = await home.payctl(login, { stdin: SECRET_TOKEN });
    expect(run).toMatchObject({ stdout: '', code: 3 });
    expect(errorObject(run.stderr)).toMatchObject({ status: 401 });
    expect(existsSync(home.configDirectory)).toBe(false);
  });

  it('a service that does not answer, unless --no-verify', async () => {
    const home = freshHome();
    const login = ['auth', 'login', '--base-url', 'http://127.0.0.1:1', '--insecure-storage', '--with-token'];
    const run = await home.payctl([...login, '--max-retries', '0'], { stdin: SECRET_TOKEN });
    expect(run).toMatchObject({ stdout: '', code: 9 });
    expect(existsSync(home.configDirectory)).toBe(false);
    expect(await home.payctl([...login, '--no-verify'], { stdin: SECRET_TOKEN })).toMatchObject({ code: 0 });
  });

  it.each([
    [['--with-key'], 'auth login needs a base URL, but cannot prompt for it (base_url_missing)'],
    [
      ['--base-url', 'http://127.0.0.1:1'],
      'auth login needs a secret, but cannot prompt for it (no_secret_source)',
    ],
    [['--with-key', '--with-token'], '--with-token and --with-key cannot be used together (bad_usage)'],
    [
      ['--with-key', '--profile', 'emulator'],
      'The profile emulator is built in and cannot be changed (built_in_profile)',
    ],
    [['--with-key', '--profile', 'A B'], '"A B" is not a valid profile name (invalid_profile_name)'],
  ])('%j', async (flags, message) => {
    const home = freshHome();
    const run = await home.payctl(['auth', 'login', ...flags], { stdin: KEY });
    expect(run).toMatchObject({ stdout: '', code: 2 });
    expect(run.stderr).toContain(`Error: ${message}`);
    expect(existsSync(home.configDirectory)).toBe(false);
  });
});

describe('auth login says', () => {
  const login = ['auth', 'login', '--insecure-storage', '--with-token', '--profile', 'dev'];

  it('what a token may do, and calls what it may call', async () => {
    const home = freshHome();
    const server = await serveAnswers(ROLES);
    const token = jwt({ scopes: ['audit-logs.read', 'buyers.write'], exp: 4_000_000_000 });
    const run = await home.payctl([...login, '--base-url', server.origin], { stdin: token });
    expect(run.stderr).toBe(
      lines(
        'The service accepted the credentials.',
        `The token allows 2 of ${Object.keys(COMMAND_OPERATIONS).length} commands until 2096-10-02T07:06:40.000Z: audit-logs list, buyers shipping-details create.`,
      ),
    );
    expect(server.requests.map(({ url }) => url)).toEqual(['/audit-logs?limit=1']);
  });

  it.each([
    ['api-logs.read', '/api-logs'],
    ['embed', '/buyers/gift-cards'],
  ])('that a token accepted for %s is, after a call that this scope allows', async (scope, path) => {
    const home = freshHome();
    const server = await serveAnswers(ROLES);
    const token = jwt({ scopes: [scope], exp: 4_000_000_000 });
    const run = await home.payctl([...login, '--base-url', server.origin], { stdin: token });
    expect(run).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('The service accepted the credentials.\n'),
    });
    expect(server.requests.map(({ url }) => url)).toEqual([path]);
  });

  it.each([
    [{}, 'The token has no scope claim: only the service knows what it allows'],
    [{ scopes: [] }, `The token allows 0 of ${Object.keys(COMMAND_OPERATIONS).length} commands`],
  ])('what is known of a token with the claims %j, and tries it all the same', async (claims, sentence) => {
    const home = freshHome();
    const server = await serveAnswers(ROLES);
    const token = jwt({ ...claims, exp: 4_000_000_000 });
    const run = await home.payctl([...login, '--base-url', server.origin], { stdin: token });
    expect(run).toMatchObject({ code: 0 });
    expect(run.stderr).toContain(`\n${sentence}`);
    expect(server.requests.map(({ url }) => url)).toEqual(['/roles?limit=1']);
  });

  it('that a token is accepted which may not make the call', async () => {
    const home = freshHome();
    const server = await serveAnswers({ status: 403, body: '' });
    const run = await home.payctl([...login, '--base-url', server.origin], { stdin: SECRET_TOKEN });
    expect(run).toMatchObject({ code: 0 });
    expect(run.stderr).toBe(
      lines(
        'The service accepted the credentials, but they do not allow the test request GET /roles.',
        'The token is not a JWT: only the service knows what it allows.',
      ),
    );
  });

  it('that another profile stays active, and that a variable wins', async () => {
    const home = freshHome();
    await home.payctl(['profiles', 'set', 'live', '--base-url', 'https://x.example.com']);
    await home.payctl(['profiles', 'use', 'live']);
    const run = await home.payctl([...login, '--base-url', 'http://127.0.0.1:1', '--no-verify'], {
      stdin: SECRET_TOKEN,
      env: { PAYCTL_TOKEN: 'another-token' },
    });
    expect(run.stderr).toBe(
      lines(
        'The token is not a JWT: only the service knows what it allows.',
        'The active profile is still live. Next: payctl profiles use dev',
        'PAYCTL_TOKEN is set and overrides the stored credentials, except with --profile dev.',
      ),
    );
  });
});

describe('a login that fails, or is overtaken', () => {
  const at = (port: number) => ['--base-url', `http://127.0.0.1:${port}`];
  const login = ['auth', 'login', '--profile', 'acme', '--with-token', '--insecure-storage'];

  it('leaves the profile with the secret that it had', async () => {
    const home = freshHome();
    await home.payctl([...login, ...at(1), '--no-verify'], { stdin: 'token-for-a' });
    const before = stored(home);
    const lock = lockAlone(join(home.configDirectory, 'profiles.lock'));
    const running = home.start([...login, ...at(2), '--no-verify'], { stdin: 'token-for-b' });
    expect(await running.done).toMatchObject({ stdout: '', code: 2 });
    lock?.release();
    expect(stored(home)).toEqual(before);
    const folder = join(home.configDirectory, 'secrets');
    expect(readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))).toEqual([
      'payctl secret for http://127.0.0.1:1\ntoken-for-a',
    ]);
  }, 30_000);

  it('never pairs the secret of one with the service of another', async () => {
    const home = freshHome();
    for (let round = 0; round < 4; round += 1) {
      await Promise.all(
        [1, 2].map((port) => {
          return home.start([...login, ...at(port), '--no-verify'], { stdin: `token-for-${port}` }).done;
        }),
      );
      const { base_url: baseUrl } = stored(home).profiles.acme;
      const token = readFileSync(secretFile(home, 'acme'), 'utf8');
      expect(token).toBe(`payctl secret for ${baseUrl}\ntoken-for-${new URL(baseUrl).port}`);
      await home.payctl(['profiles', 'delete', 'acme', '--yes']);
    }
  }, 30_000);

  it('keeps what somebody else changed meanwhile, the mark production above all', async () => {
    const home = freshHome();
    const server = await serve((_, response) => {
      const change = ['profiles', 'set', 'acme', '--environment', 'production', '-m', 'new'];
      void home.start(change).done.then(() => response.writeHead(200).end(JSON.stringify(ROLES.body)));
    });
    await home.payctl(['profiles', 'set', 'acme', '--base-url', server.origin, '--environment', 'sandbox']);
    expect(await home.payctl(login, { stdin: SECRET_TOKEN })).toMatchObject({ code: 0 });
    expect(stored(home).profiles.acme).toMatchObject({
      base_url: server.origin,
      environment: 'production',
      merchant_account: 'new',
    });
  });

  it('stores nothing when the profile leads elsewhere by then', async () => {
    const home = freshHome();
    const server = await serve((_, response) => {
      const change = ['profiles', 'set', 'acme', '--base-url', 'https://elsewhere.example.com'];
      void home.start(change).done.then(() => response.writeHead(200).end(JSON.stringify(ROLES.body)));
    });
    await home.payctl(['profiles', 'set', 'acme', '--base-url', server.origin]);
    const run = await home.payctl(login, { stdin: SECRET_TOKEN });
    expect(run).toMatchObject({ stdout: '', code: 2 });
    expect(run.stderr).toContain(
      lines(
        'Error: The profile acme was changed while you were logging in (profile_changed)',
        'Nothing was stored. Before you log in again, check the profile: payctl profiles show acme',
      ),
    );
    expect(stored(home).profiles.acme).toEqual({ base_url: 'https://elsewhere.example.com' });
    expect(readdirSync(join(home.configDirectory, 'secrets'))).toEqual([]);
  });
});

describe('auth logout', () => {
  const login = ['auth', 'login', '--base-url', 'http://127.0.0.1:1', '--no-verify', '--insecure-storage'];

  it('removes the secret and keeps the rest of the profile', async () => {
    const home = freshHome();
    await home.payctl([...login, '--with-token', '--profile', 'dev'], { stdin: SECRET_TOKEN });
    const file = secretFile(home, 'dev');
    const run = await home.payctl(['auth', 'logout']);
    expect(run).toEqual(
      succeeded(lines('profiles.0\tdev', `removed.0\t${file}`), lines('Logged out of dev.')),
    );
    expect(existsSync(file)).toBe(false);
    expect(stored(home)).toEqual({
      version: 1,
      active: 'dev',
      profiles: { dev: { base_url: 'http://127.0.0.1:1' } },
    });
    expect((await home.payctl(['auth', 'status'])).code).toBe(3);
  });

  it('leaves a file that is the user’s own, and says so; and says what is still set', async () => {
    const home = freshHome();
    const file = join(home.path, 'my.pem');
    writeFileSync(file, KEY, { mode: 0o600 });
    await home.payctl(`auth login --base-url http://127.0.0.1:1 --no-verify --key-file ${file}`.split(' '));
    const run = await home.payctl(['auth', 'logout'], { env: { PAYCTL_TOKEN: SECRET_TOKEN } });
    expect(run).toEqual(
      succeeded(
        lines('profiles.0\tdefault', 'removed\t[]'),
        lines(
          'Logged out of default.',
          `${file} is your own file and was not deleted.`,
          'PAYCTL_TOKEN is still set.',
        ),
      ),
    );
    expect(existsSync(file)).toBe(true);
  });

  it('takes every profile with --all', async () => {
    const home = freshHome();
    for (const name of ['a', 'b']) {
      await home.payctl([...login, '--with-token', '--profile', name], { stdin: SECRET_TOKEN });
    }
    const removed = ['a', 'b'].map((name) => secretFile(home, name));
    const stray = join(home.configDirectory, 'secrets/gone.0123abcd.token');
    writeFileSync(stray, SECRET_TOKEN);
    const run = await home.payctl(['auth', 'logout', '--all', '--json']);
    expect(JSON.parse(run.stdout)).toEqual({ profiles: ['a', 'b'], removed: [...removed, stray] });
    expect(readdirSync(join(home.configDirectory, 'secrets'))).toEqual([]);
  });

  it.each([
    [[], 'No profile is active (no_active_profile)'],
    [['--profile', 'x'], 'There is no profile "x" (unknown_profile)'],
    [
      ['--profile', 'emulator'],
      'Error: The profile emulator is built in and has no credentials to remove (built_in_profile)\nName another profile with --profile, or log out of all profiles with --all.\n',
    ],
    [['--all', '--profile', 'x'], '--all'],
  ])('refuses %j', async (flags, message) => {
    const run = await freshHome().payctl(['auth', 'logout', ...flags]);
    expect(run).toMatchObject({ stdout: '', code: 2 });
    expect(run.stderr).toContain(message);
  });

  it('says that the active profile is built in', async () => {
    const home = freshHome();
    await home.payctl(['profiles', 'use', 'emulator']);
    expect(await home.payctl(['auth', 'logout'])).toMatchObject({
      stdout: '',
      stderr:
        'Error: The active profile emulator is built in and has no credentials to remove (built_in_profile)\nName another profile with --profile, or log out of all profiles with --all.\n',
      code: 2,
    });
  });

  it('says that a profile held no credentials', async () => {
    const home = freshHome();
    await home.payctl(['profiles', 'set', 'a', '--base-url', 'http://127.0.0.1:1']);
    const run = await home.payctl(['auth', 'logout', '--profile', 'a']);
    expect(run).toMatchObject({ stderr: 'The profile a had no credentials.\n', code: 0 });
  });
});
