import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lines } from '../../harness/lines.ts';
import { succeeded } from '../../harness/outcome.ts';
import { KEYS_WITH_LEADING_ZEROS } from '../../tokens/key-vectors.ts';
import { makeToken } from '../../tokens/make-token.ts';
import { quickHomes } from '../quick-homes.ts';

const { freshHome } = quickHomes();

const { pem: KEY = '', thumbprint: KEY_ID = '' } = KEYS_WITH_LEADING_ZEROS[0] ?? {};
const BASE = { PAYCTL_BASE_URL: 'https://api.example.com' };
const NO_PROFILE = {
  profile: null,
  profile_source: 'default',
  environment: null,
  environment_source: null,
  read_only: false,
  read_only_source: 'default',
  base_url: 'https://api.example.com',
  base_url_source: 'PAYCTL_BASE_URL',
  base_url_problem: null,
  merchant_account: null,
  merchant_account_source: 'default',
  merchant_header: 'x-service-merchant-account-id',
};

const jwt = (claims: Record<string, unknown>) => makeToken({ alg: 'ES256', kid: 'key-7' }, claims, 'c2ln');

async function status(env: Record<string, string>, ...flags: string[]) {
  const run = await freshHome().payctl(['auth', 'status', '--json', ...flags], { env });
  return { code: run.code, stderr: run.stderr, status: JSON.parse(run.stdout) };
}

describe('auth status', () => {
  it('has one shape in JSON, whatever there is', async () => {
    const none = await freshHome().payctl(['auth', 'status', '--json']);
    expect(none).toMatchObject({ stderr: '', code: 3 });
    expect(JSON.parse(none.stdout)).toEqual({
      ...NO_PROFILE,
      base_url: null,
      base_url_source: 'default',
      base_url_problem: 'No base URL is configured',
      usable: false,
      credentials: null,
      sources: [],
    });
  });

  it('names every source that is set, and which one wins', async () => {
    const home = freshHome();
    const keyFile = join(home.path, 'key.pem');
    writeFileSync(keyFile, KEY, { mode: 0o600 });
    const login = `auth login --no-verify --key-file ${keyFile} --base-url https://api.example.com`.split(
      ' ',
    );
    expect(await home.payctl(login)).toMatchObject({ code: 0 });
    const env = { PAYCTL_TOKEN_FILE: keyFile, PAYCTL_PRIVATE_KEY: KEY };
    const run = await home.payctl(['auth', 'status', '--json', '-m', 'outlet'], { env });
    expect(JSON.parse(run.stdout)).toMatchObject({
      profile: 'default',
      profile_source: 'the active profile',
      base_url_source: 'profile default',
      merchant_account: 'outlet',
      merchant_account_source: '--merchant-account',
      sources: [
        { source: `PAYCTL_TOKEN_FILE (${keyFile})`, kind: 'token', storage: 'reference', wins: true },
        { source: 'PAYCTL_PRIVATE_KEY', kind: 'key', storage: 'environment', wins: false },
        { source: `profile default (${keyFile})`, kind: 'key', storage: 'reference', wins: false },
      ],
    });
  });

  it('tells key id and algorithm of a key, which has neither scopes nor an end', async () => {
    const { code, stderr, status: shown } = await status({ ...BASE, PAYCTL_PRIVATE_KEY: KEY });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(shown).toEqual({
      ...NO_PROFILE,
      usable: true,
      credentials: {
        kind: 'key',
        source: 'PAYCTL_PRIVATE_KEY',
        storage: 'environment',
        problem: null,
        key_id: KEY_ID,
        algorithm: 'ES512',
        scopes: null,
        expires_at: null,
        expires_in_seconds: null,
        expires: null,
      },
      sources: [
        { source: 'PAYCTL_PRIVATE_KEY', kind: 'key', storage: 'environment', wins: true, problem: null },
      ],
    });
  });

  it('tells scopes and end of a token, in time and in words', async () => {
    const end = Math.floor(Date.now() / 1000) + 3 * 3600 + 30;
    const token = jwt({ scopes: ['buyers.read'], exp: end });
    const { code, status: shown } = await status({ ...BASE, PAYCTL_TOKEN: token });
    expect(code).toBe(0);
    const { expires_in_seconds: left, ...rest } = shown.credentials;
    expect(left).toBeGreaterThan(3 * 3600);
    expect(left).toBeLessThanOrEqual(3 * 3600 + 30);
    expect(rest).toEqual({
      kind: 'token',
      source: 'PAYCTL_TOKEN',
      storage: 'environment',
      problem: null,
      key_id: 'key-7',
      algorithm: 'ES256',
      scopes: ['buyers.read'],
      expires_at: new Date(end * 1000).toISOString(),
      expires: 'in 3 hours',
    });
  });

  it.each([
    [
      'an expired token',
      { PAYCTL_TOKEN: jwt({ exp: 1_700_000_000 }) },
      'the token expired at 2023-11-14T22:13:20.000Z',
    ],
    [
      'a token of the future',
      { PAYCTL_TOKEN: jwt({ nbf: 4_000_000_000 }) },
      'the token is not valid before 2096-10-02T07:06:40.000Z',
    ],
    [
      'a token that no header can carry',
      { PAYCTL_TOKEN: 'a b' },
      'PAYCTL_TOKEN is not a token: character 2 (U+0020) is not allowed',
    ],
    [
      'a key that is none',
      { PAYCTL_PRIVATE_KEY: 'hello' },
      'PAYCTL_PRIVATE_KEY is neither PEM nor base64-encoded PEM',
    ],
    [
      'a file that is not there',
      { PAYCTL_TOKEN_FILE: '/nowhere/token' },
      'PAYCTL_TOKEN_FILE (/nowhere/token) cannot be read: no such file or directory',
    ],
  ])('exits with 3 for %s, and says why', async (_, env, problem) => {
    const run = await freshHome().payctl(['auth', 'status'], { env: { ...BASE, ...env } });
    expect(run).toMatchObject({
      code: 3,
      stderr: lines(`These credentials cannot be used: ${problem}`),
    });
    expect(run.stdout).toContain(`credentials.problem\t${problem}\n`);
  });

  it('takes an opaque token for usable: only the service knows', async () => {
    const { code, status: shown } = await status({ ...BASE, PAYCTL_TOKEN: 'opaque' });
    expect(code).toBe(0);
    expect(shown.credentials).toMatchObject({ key_id: null, scopes: null, expires_at: null });
  });

  it('tells what is wrong with a base URL and goes on', async () => {
    const { code, status: shown } = await status({
      PAYCTL_BASE_URL: 'https://{id}.example.com',
      PAYCTL_TOKEN: 'opaque',
    });
    expect(code).toBe(0);
    expect(shown).toMatchObject({
      base_url: null,
      base_url_problem:
        'PAYCTL_BASE_URL is "https://{id}.example.com", which needs an instance to replace {id}',
    });
  });

  it.each([
    [['auth', 'status']],
    [['auth', 'status', '--instance', 'x']],
    [['doctor', '--instance', 'x']],
    [['buyers', 'list', '--json', '--instance', 'x']],
    [['auth', 'login', '--with-token', '--insecure-storage']],
  ])('never shows a password in a base URL: %j', async (args) => {
    for (const url of ['https://ada:hunter22@example.com', 'https://example.com/?token=hunter22']) {
      const run = await freshHome().payctl(args, {
        env: { PAYCTL_BASE_URL: url, PAYCTL_TOKEN: 'opaque' },
        stdin: 't',
      });
      expect(run.stdout + run.stderr).not.toContain('hunter22');
      expect(run.stdout + run.stderr).toMatch(/PAYCTL_BASE_URL (contains an @|has a query)/);
    }
  });

  it('leaves out on a terminal what has no value', async () => {
    const home = freshHome();
    const env = { ...BASE, PAYCTL_TOKEN: 'opaque', NO_COLOR: '1' };
    const run = await home.payctl(['auth', 'status'], { env, terminal: { columns: 80 } });
    expect(run).toEqual(
      succeeded(
        lines(
          'profile_source           default',
          'read_only                false',
          'read_only_source         default',
          'base_url                 https://api.example.com',
          'base_url_source          PAYCTL_BASE_URL',
          'merchant_account_source  default',
          'merchant_header          x-service-merchant-account-id',
          'usable                   true',
          'credentials',
          '  kind                   token',
          '  source                 PAYCTL_TOKEN',
          '  storage                environment',
          'sources',
          '  1                      PAYCTL_TOKEN: token, in use',
        ),
        lines('The service was not contacted. Check with it: payctl doctor'),
      ),
    );
  });

  it('shows the emulator of the built-in profile and its key', async () => {
    const { code, status: shown } = await status({}, '--profile', 'emulator');
    expect(code).toBe(0);
    expect(shown).toMatchObject({ profile: 'emulator', profile_source: '--profile', usable: true });
    expect(shown.base_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });
});
