import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { calculateJwkThumbprint } from 'jose';
import { describe, expect, it } from 'vitest';
import { runInProcess } from '../../commands/run-in-process.ts';
import { lines } from '../../harness/lines.ts';
import { folderForTest } from '../../harness/temporary-folder.ts';

const [anna, bob] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ec', { namedCurve: 'P-256' })];
const jwkOf = (key: KeyObject) => key.export({ format: 'jwk' });
const [annaId, bobId] = await Promise.all(
  [anna, bob].map(({ publicKey }) => calculateJwkThumbprint(jwkOf(publicKey))),
);
const SET = ['profiles', 'set', 'live', '--base-url', 'https://api.example.com'];

/** A home with one file, and payctl in it. */
function home(content = '') {
  const folder = folderForTest();
  const file = join(folder, 'approvers');
  writeFileSync(file, content);
  const payctl = async (...argv: readonly string[]) =>
    await runInProcess(argv, { env: { PAYCTL_CONFIG_DIR: join(folder, 'config'), NO_COLOR: '1' } });
  const stored = () => readFileSync(join(folder, 'config', 'profiles.json'), 'utf8');
  return { file, payctl, stored };
}

const jwks = (...keys: readonly object[]) => JSON.stringify({ keys });
const publicPem = ({ publicKey }: { publicKey: KeyObject }) =>
  publicKey.export({ type: 'spki', format: 'pem' }).toString();

describe('profiles set --approvers', () => {
  it('copies public keys with their thumbprints into the profile', { tags: 'slow' }, async () => {
    const keys = [{ ...jwkOf(anna.publicKey), kid: 'anna', use: 'sig' }, jwkOf(bob.publicKey)];
    const { file, payctl, stored } = home(jwks(...keys));
    const run = await payctl(...SET, '--approvers', file, '--json');
    expect(JSON.parse(run.stdout)).toMatchObject({
      approvers: [
        { name: 'anna', key_id: annaId },
        { name: null, key_id: bobId },
      ],
    });
    expect(JSON.parse(stored()).profiles.live.approvers).toEqual([
      { ...jwkOf(anna.publicKey), kid: annaId, name: 'anna' },
      { ...jwkOf(bob.publicKey), kid: bobId },
    ]);
    const list = await payctl('profiles', 'list', '--columns', 'NAME,APPROVERS');
    expect(list.stdout).toContain(`live\tanna, ${bobId}\n`);
    const gone = await payctl(...SET, '--unset', 'approvers', '--yes');
    expect(gone).toEqual({
      code: 2,
      stdout: '',
      stderr: lines(
        'Error: The profile live and its limits are unchanged (not_confirmed)',
        'Only a person at a terminal can loosen limits, even with --yes. Run the command at a terminal.',
      ),
    });
  });

  it.each([
    ['PEM', publicPem(anna) + publicPem(bob)],
    ['one JWK', JSON.stringify(jwkOf(anna.publicKey))],
    ['a key that is there twice', jwks(jwkOf(anna.publicKey), { ...jwkOf(anna.publicKey), kid: 'again' })],
  ])('takes %s', async (_, content) => {
    const { file, payctl } = home(content);
    const run = await payctl(...SET, '--approvers', file, '--json');
    const ids = JSON.parse(run.stdout).approvers.map(({ key_id: id }: { key_id: string }) => id);
    expect(ids).toEqual(content.startsWith('-') ? [annaId, bobId] : [annaId]);
  });

  const PRIVATE =
    'Use the public key alone. To write it to a file: openssl pkey -in KEY.pem -pubout -out PUBLIC.pem';
  const FORM = 'Use a JWK Set of public keys, {"keys": [...]}, or public keys in PEM format.';
  const short = generateKeyPairSync('rsa', { modulusLength: 1024 });
  const otherCurve = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });

  it.each([
    ['a private JWK', jwks(jwkOf(bob.publicKey), jwkOf(anna.privateKey)), 'key 2 is a private key', PRIVATE],
    [
      'a private PEM',
      anna.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      'key 1 is a private key',
      PRIVATE,
    ],
    ['a shared secret', jwks({ kty: 'oct', k: 'c2VjcmV0' }), 'key 1 is a private key', PRIVATE],
    ['an empty set', jwks(), 'it is not a JWK Set: it has no keys', FORM],
    ['another object', '{}', 'it is not a JWK Set: it has no keys', FORM],
    ['a set with a text', '{"keys":["x"]}', 'key 1 is not a JSON object', FORM],
    ['damaged JSON', '{"keys":', 'it is not JSON', FORM],
    ['another text', 'hello', 'it is neither a JWK Set nor PEM', FORM],
    ['nothing', '', 'it is neither a JWK Set nor PEM', FORM],
    [
      'a point that is not on the curve',
      jwks({ ...jwkOf(bob.publicKey), x: jwkOf(bob.publicKey).y }),
      'key 1 is damaged, or of an unsupported type',
      FORM,
    ],
    [
      'a short RSA key',
      jwks(jwkOf(short.publicKey)),
      'key 1 is an RSA key of 1024 bits, which is too short',
      'Use an EC key on P-521, P-384 or P-256, an Ed25519 key, or an RSA key of 2048 bits or more.',
    ],
    [
      'a key on another curve',
      publicPem(otherCurve),
      'key 1 is an EC key on an unsupported curve (secp256k1)',
      'Use an EC key on P-521, P-384 or P-256, an Ed25519 key, or an RSA key of 2048 bits or more.',
    ],
  ])('refuses %s, and stores nothing', async (_, content, why, hint) => {
    const { file, payctl, stored } = home(content);
    await payctl(...SET);
    const before = stored();
    expect(await payctl('profiles', 'set', 'live', '--approvers', file)).toEqual({
      code: 2,
      stdout: '',
      stderr: lines(
        `Error: --approvers is ${JSON.stringify(file)}, which cannot be used: ${why} (bad_flag)`,
        hint,
      ),
    });
    expect(stored()).toBe(before);
  });

  it('refuses a file that is not there, and a profile without an address', async () => {
    const { file, payctl } = home(publicPem(anna));
    const missing = await payctl(...SET, '--approvers', `${file}.gone`);
    expect(missing).toMatchObject({
      code: 2,
      stderr: lines(
        `Error: --approvers is ${JSON.stringify(`${file}.gone`)}, which cannot be used: no such file or directory (bad_flag)`,
      ),
    });
    const nowhere = await payctl('profiles', 'set', 'live', '--approvers', file);
    expect(nowhere.stderr).toContain('(limit_without_address)');
  });
});

describe('profiles set --max-total', () => {
  it('is stored apart from the limits of one change, which it adds to', async () => {
    const { payctl, stored } = home();
    const flags = ['--max-amount', 'EUR=500.00', '--max-total', 'EUR=5000.00', '--max-total', 'JPY=60000'];
    const run = await payctl(...SET, ...flags, '--json');
    const limits = { max_amounts: { EUR: '500.00' }, max_totals: { EUR: '5000.00', JPY: '60000' } };
    expect(JSON.parse(run.stdout)).toMatchObject(limits);
    expect(JSON.parse(stored()).profiles.live).toMatchObject(limits);
    const lower = await payctl('profiles', 'set', 'live', '--max-total', 'JPY=1', '--json');
    expect(JSON.parse(lower.stdout)).toMatchObject({ max_totals: { EUR: '5000.00', JPY: '1' } });
    const raise = await payctl('profiles', 'set', 'live', '--max-total', 'EUR=5000.01', '--yes');
    expect(raise.stderr).toContain('The profile live and its limits are unchanged (not_confirmed)');
    const list = await payctl('profiles', 'list', '--columns', 'NAME,TOTAL LIMITS');
    expect(list.stdout).toContain('live\t5000.00 EUR, 1 JPY\n');
  });
});

it('a token that changes something is not printed where plans need an approval', async () => {
  const { file, payctl } = home(publicPem(anna));
  await payctl(...SET, '--approvers', file);
  const folder = join(file, '..');
  const key = join(folder, 'key.pem');
  writeFileSync(key, bob.privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  const run = await runInProcess(['auth', 'token', '--scope', 'transactions.write', '--profile', 'live'], {
    env: { PAYCTL_CONFIG_DIR: join(folder, 'config'), PAYCTL_PRIVATE_KEY_FILE: key },
  });
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(run.stderr).toContain('the limits of the profile live would not hold for it (not_confirmed)');
});
