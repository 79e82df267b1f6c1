import { createPublicKey } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { scopes as knownScopes } from '../../../src/contract/generated/operations.ts';
import { errorObject } from '../../harness/error-object.ts';
import { lines } from '../../harness/lines.ts';
import { failed, succeeded } from '../../harness/outcome.ts';
import type { Home } from '../../harness/run-payctl.ts';
import { ED25519_KEY, KEYS_WITH_LEADING_ZEROS, type KeyVector, RSA_KEY } from '../../tokens/key-vectors.ts';
import { makeToken } from '../../tokens/make-token.ts';
import { quickHomes } from '../quick-homes.ts';
import { useEmulator } from '../shared-emulator.ts';

const { freshHome, useHome } = quickHomes();

const home = useHome();
const TOKEN = ['auth', 'token'];
const READ = [...TOKEN, '--scope', 'buyers.read'];
const WITH_KEY = { PAYCTL_PRIVATE_KEY: ED25519_KEY.pem };
const UNTIL = /^Scopes: (.*)\. Expires: \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z\.\n$/;
const SCOPE_HINT = `For example: --scope buyers.read. Known scopes: ${knownScopes.join(', ')}.`;

/** What jose, which shares no code with payctl's commands, makes of a token and the key that has to have signed it. */
async function verified(token: string, { pem, algorithm }: KeyVector) {
  // A token of one second has expired by now on a busy machine.
  return await jwtVerify(token, createPublicKey(pem), { algorithms: [algorithm], clockTolerance: 60 });
}

function seconds(): number {
  return Math.floor(Date.now() / 1000);
}

function writeProfile(at: Home, name: string, profile: object): void {
  mkdirSync(at.configDirectory, { recursive: true, mode: 0o700 });
  const document = { version: 1, active: name, profiles: { [name]: profile } };
  writeFileSync(join(at.configDirectory, 'profiles.json'), JSON.stringify(document), { mode: 0o600 });
}

describe('payctl auth token', () => {
  const vectors = [...KEYS_WITH_LEADING_ZEROS, ED25519_KEY, RSA_KEY];
  it.each(vectors)('prints one token on stdout that verifies with the key: $name', async (vector) => {
    const before = seconds();
    const run = await home.payctl(READ, { env: { PAYCTL_PRIVATE_KEY: vector.pem } });
    expect(run.stdout).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
    expect(run).toMatchObject({ code: 0, signal: null });
    const { protectedHeader, payload } = await verified(run.stdout.trim(), vector);
    expect(protectedHeader).toEqual({ alg: vector.algorithm, typ: 'JWT', kid: vector.thumbprint });
    const { iat = 0, exp, nbf, jti, iss, ...rest } = payload;
    expect(rest).toEqual({ scopes: ['buyers.read'] });
    expect(iat).toBeGreaterThanOrEqual(before);
    expect({ nbf, exp }).toEqual({ nbf: iat, exp: iat + 300 });
    expect([iss, jti]).toEqual([
      expect.stringMatching(/^payctl\//),
      expect.stringMatching(/^[0-9a-f-]{36}$/),
    ]);
    const until = new Date((iat + 300) * 1000).toISOString();
    expect(run.stderr).toBe(`Scopes: buyers.read. Expires: ${until}.\n`);
  });

  it('takes scopes from every --scope and between commas, each once, and leaves the arguments behind alone', async () => {
    const args = [...READ, '--scope', 'roles.read,buyers.read', '--scope=embed', '-o', 'json'];
    const run = await home.payctl(args, { env: WITH_KEY });
    expect(JSON.parse(run.stdout).scopes).toEqual(['buyers.read', 'roles.read', 'embed']);
    const stray = await home.payctl([...READ, 'roles.read'], { env: WITH_KEY });
    expect(stray).toMatchObject({ stdout: '', code: 2 });
    expect(stray.stderr).toContain('"roles.read" (unexpected_argument)');
  });

  it('warns of unknown scopes and of wildcards, and mints the token all the same', async () => {
    const run = await home.payctl([...TOKEN, '--scope', 'buyer.read,*.read'], { env: WITH_KEY });
    const [first, second, last, end] = run.stderr.split('\n');
    expect([first, second, end]).toEqual([
      'Unknown scope "buyer.read"; the token includes it anyway. Did you mean buyers.read?',
      'The scope *.read is broad: it grants every scope that ends in .read.',
      '',
    ]);
    expect(`${last}\n`).toMatch(UNTIL);
    const { payload } = await verified(run.stdout.trim(), ED25519_KEY);
    expect(payload.scopes).toEqual(['buyer.read', '*.read']);
    expect(run.code).toBe(0);
  });

  it('is valid for longer than a day only with --yes, and never for more than 365 days', async () => {
    const long = [...READ, '--expires-in', '30d'];
    expect(await home.payctl(long, { env: WITH_KEY })).toEqual(
      failed(
        2,
        'Error: --expires-in is "30d", which is more than 24 hours (long_lifetime)',
        'A token cannot be revoked. Add --yes to sign it anyway, or use 24h or less.',
      ),
    );
    const confirmed = await home.payctl([...long, '--yes'], { env: WITH_KEY });
    const { payload } = await verified(confirmed.stdout.trim(), ED25519_KEY);
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(30 * 86_400);
    const eternal = await home.payctl([...READ, '--expires-in', '366d', '--yes'], { env: WITH_KEY });
    expect(eternal).toEqual(
      failed(
        2,
        'Error: --expires-in is "366d", which is longer than 365 days (invalid_duration)',
        'Use 365d or less.',
      ),
    );
  });

  it.each([[[]], [['--scope', ',']]])('needs a scope, and lists the known ones: %j', async (flags) => {
    expect(await home.payctl([...TOKEN, ...flags], { env: WITH_KEY })).toEqual(
      failed(2, 'Error: A token needs at least one scope (scope_missing)', SCOPE_HINT),
    );
  });

  it('exits with 3 where there is no key, and with 3 for a key that cannot sign', async () => {
    expect(await home.payctl(READ)).toEqual(
      failed(
        3,
        'Error: No private key is configured (no_credentials)',
        'Add --profile emulator to try it, set PAYCTL_PRIVATE_KEY or PAYCTL_PRIVATE_KEY_FILE, or log in: payctl auth login',
      ),
    );
    const run = await home.payctl([...READ, '--json'], { env: { PAYCTL_PRIVATE_KEY: 'nonsense' } });
    expect(run).toMatchObject({ stdout: '', code: 3 });
    expect(errorObject(run.stderr)).toMatchObject({ code: 'key_unusable', exit_code: 3 });
  });

  it('gives token, scopes, expiry and key id in formats for programs', async () => {
    const args = [...READ, '--scope', 'embed'];
    const json = await home.payctl([...args, '-o', 'json'], { env: WITH_KEY });
    expect(json).toMatchObject({ stderr: '', code: 0 });
    const record = JSON.parse(json.stdout);
    const { payload } = await verified(record.token, ED25519_KEY);
    expect(record).toEqual({
      token: record.token,
      scopes: ['buyers.read', 'embed'],
      expires_at: new Date((payload.exp ?? 0) * 1000).toISOString(),
      key_id: ED25519_KEY.thumbprint,
    });
    const ndjson = await home.payctl([...args, '-o', 'ndjson'], { env: WITH_KEY });
    expect(Object.keys(JSON.parse(ndjson.stdout))).toEqual(['token', 'scopes', 'expires_at', 'key_id']);
  });

  it('says nothing on stderr with -q, and never the token, not even with -v', async () => {
    const quiet = await home.payctl([...TOKEN, '--scope', '*', '-q'], { env: WITH_KEY });
    expect(quiet).toMatchObject({ stderr: '', code: 0 });
    const verbose = await home.payctl([...READ, '-v'], { env: WITH_KEY });
    const [header = '', claims = '', signature = ''] = verbose.stdout.trim().split('.');
    expect(verbose.stderr).toMatch(/^\* credentials: PAYCTL_PRIVATE_KEY\nScopes: .*\n$/);
    for (const part of [header, claims, signature]) expect(verbose.stderr).not.toContain(part);
  });

  it('signs with the key of the active profile, and an RSA key as the profile says', async () => {
    const at = freshHome();
    const path = join(at.path, 'key.pem');
    writeFileSync(path, RSA_KEY.pem, { mode: 0o600 });
    const credentials = { kind: 'key', storage: 'reference', path };
    writeProfile(at, 'acme', { base_url: 'https://{id}.example.com', rsa_algorithm: 'PS256', credentials });
    const run = await at.payctl([...READ, '-v']);
    const { protectedHeader } = await verified(run.stdout.trim(), { ...RSA_KEY, algorithm: 'PS256' });
    expect(protectedHeader).toMatchObject({ alg: 'PS256', kid: RSA_KEY.thumbprint });
    expect(run.stderr.split('\n')[0]).toBe(`* credentials: profile acme (${path})`);
  });
});

describe('payctl auth token with a ready-made token', () => {
  const claims = { iat: seconds(), exp: 4_000_000_000, scopes: ['buyers.read', 'embed'] };
  const token = makeToken({ alg: 'ES512', kid: 'key-7' }, claims);

  it('prints it as it is', async () => {
    const env = { PAYCTL_TOKEN: ` ${token}\n` };
    expect(await home.payctl(TOKEN, { env })).toEqual(
      succeeded(`${token}\n`, 'Scopes: buyers.read, embed. Expires: 2096-10-02T07:06:40.000Z.\n'),
    );
    const json = await home.payctl([...TOKEN, '--json'], { env });
    expect(json).toMatchObject({ stderr: '', code: 0 });
    expect(JSON.parse(json.stdout)).toEqual({
      token,
      scopes: ['buyers.read', 'embed'],
      expires_at: '2096-10-02T07:06:40.000Z',
      key_id: 'key-7',
    });
  });

  it('prints one that is no JWT too, of which nothing else is known', async () => {
    const env = { PAYCTL_TOKEN: 'opaque-token' };
    expect(await home.payctl(TOKEN, { env })).toEqual(
      succeeded('opaque-token\n', 'The token is not a JWT: only the service knows its scopes and expiry.\n'),
    );
    const json = await home.payctl([...TOKEN, '--json'], { env });
    expect(JSON.parse(json.stdout)).toEqual({
      token: 'opaque-token',
      scopes: null,
      expires_at: null,
      key_id: null,
    });
  });

  it('warns when it has expired', async () => {
    const expired = makeToken({ alg: 'ES512' }, { exp: 1_700_000_000 });
    const run = await home.payctl(TOKEN, { env: { PAYCTL_TOKEN: expired } });
    expect(run).toEqual(
      succeeded(
        `${expired}\n`,
        lines(
          'The token from PAYCTL_TOKEN expired at 2023-11-14T22:13:20.000Z',
          'The token has no scope claim: only the service knows its scopes. Expires: 2023-11-14T22:13:20.000Z.',
        ),
      ),
    );
  });

  it.each([[['--scope', 'roles.read']], [['--expires-in', '5m']]])('cannot change it: %j', async (flags) => {
    expect(await home.payctl([...TOKEN, ...flags], { env: { PAYCTL_TOKEN: token } })).toEqual(
      failed(
        2,
        'Error: PAYCTL_TOKEN is a token, not a key: its scopes and lifetime cannot be changed (ready_token_fixed)',
        'Remove --scope and --expires-in to print it unchanged; choosing scopes requires a private key.',
      ),
    );
  });
});

describe('payctl auth token --profile emulator', () => {
  const served = useHome();
  const emulator = useEmulator(served);

  it('gives a token that the running emulator takes, for its scopes alone', async () => {
    const run = await served.payctl([...READ, '--profile', 'emulator', '-q']);
    expect(run).toMatchObject({ stderr: '', code: 0 });
    const headers = { authorization: `Bearer ${run.stdout.trim()}` };
    const statusOf = async (path: string) =>
      (await fetch(`${emulator().baseUrl}${path}`, { headers })).status;
    expect([await statusOf('/buyers'), await statusOf('/roles')]).toEqual([200, 403]);
  });

  it('works in a home where no emulator has ever run, and whatever the base URL is', async () => {
    const at = freshHome();
    const env = { PAYCTL_BASE_URL: 'https://elsewhere.example.com' };
    const run = await at.payctl([...READ, '--profile', 'emulator', '--json'], { env });
    expect(run).toMatchObject({ stderr: '', code: 0 });
    const { token, key_id: keyId } = JSON.parse(run.stdout);
    const pem = readFileSync(join(at.configDirectory, 'data/emulator/signing-key.pem'), 'utf8');
    const { protectedHeader } = await verified(token, { ...ED25519_KEY, pem, algorithm: 'ES512' });
    expect(protectedHeader.kid).toBe(keyId);
  });
});
