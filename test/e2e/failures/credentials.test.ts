import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorObject } from '../../harness/error-object.ts';
import { lines } from '../../harness/lines.ts';
import { useHome } from '../../harness/run-payctl.ts';
import { makeToken } from '../../tokens/make-token.ts';
import { against, page, SECRET_TOKEN, serveAnswers } from '../paged-service.ts';

const home = useHome();
const LIST = ['buyers', 'list'];
const NOWHERE = { PAYCTL_BASE_URL: 'http://127.0.0.1:1' };
const KEY_HINT =
  'Give a private key in PEM form, or base64 of it: an EC key on P-521, P-384 or P-256, an Ed25519 key, or an RSA key of 2048 bits or more.';
const FILE_HINT = 'Give the path of a file of at most 64 KiB that you may read.';
const TOKEN_HINT = 'Give the token alone, as it stands behind "Authorization: Bearer ".';

const jwt = (claims: Record<string, unknown>) => makeToken({ alg: 'none', kid: 'key-7' }, claims, 'c2ln');

describe('without usable credentials', () => {
  it.each([
    [
      'no settings at all',
      {},
      'payctl does not know yet which service to talk to (not_configured)',
      'Run payctl auth login, or add --profile emulator to try it without an account.',
    ],
    [
      'a base URL alone',
      NOWHERE,
      'There is no token and no key to sign one with (no_credentials)',
      'Run payctl auth login, or set PAYCTL_TOKEN, PAYCTL_TOKEN_FILE, PAYCTL_PRIVATE_KEY or PAYCTL_PRIVATE_KEY_FILE.',
    ],
    [
      'a token of two words',
      { ...NOWHERE, PAYCTL_TOKEN: 'secret token' },
      'PAYCTL_TOKEN holds no token: character 7 (U+0020) cannot be part of one (token_unreadable)',
      TOKEN_HINT,
    ],
    [
      'a token with its header',
      { ...NOWHERE, PAYCTL_TOKEN: 'Bearer secret' },
      'PAYCTL_TOKEN begins with the word Bearer (token_unreadable)',
      TOKEN_HINT,
    ],
    [
      'a token file that is not there',
      { ...NOWHERE, PAYCTL_TOKEN_FILE: '/nowhere/token' },
      'PAYCTL_TOKEN_FILE (/nowhere/token) cannot be read: there is no such file or directory (credentials_unreadable)',
      FILE_HINT,
    ],
    [
      'a key that is none',
      { ...NOWHERE, PAYCTL_PRIVATE_KEY: 'secret' },
      'PAYCTL_PRIVATE_KEY is neither PEM nor base64 of PEM (key_unusable)',
      KEY_HINT,
    ],
    [
      'a key file that is a directory',
      { ...NOWHERE, PAYCTL_PRIVATE_KEY_FILE: '/' },
      'PAYCTL_PRIVATE_KEY_FILE (/) cannot be read: it is a directory (credentials_unreadable)',
      FILE_HINT,
    ],
  ])('exits with 3 and says in two lines what to do: %s', async (_, env, message, hint) => {
    const run = await home.payctl(LIST, { env });
    expect(run).toEqual({ stdout: '', stderr: lines(`Error: ${message}`, hint), code: 3, signal: null });
  });

  it('exits with 3 and one JSON object beside --json', async () => {
    const run = await home.payctl([...LIST, '--json'], { env: NOWHERE });
    expect(errorObject(run.stderr)).toEqual({
      code: 'no_credentials',
      message: 'There is no token and no key to sign one with',
      details: [],
      hint: 'Run payctl auth login, or set PAYCTL_TOKEN, PAYCTL_TOKEN_FILE, PAYCTL_PRIVATE_KEY or PAYCTL_PRIVATE_KEY_FILE.',
      exit_code: 3,
    });
    expect(run).toMatchObject({ stdout: '', code: 3 });
  });
});

describe('a token that the service will refuse', () => {
  it('is warned of before the request, and a 401 names its source, expiry and key id', async () => {
    const server = await serveAnswers({ status: 401, body: '' });
    const token = jwt({ scopes: ['buyers.read'], exp: 1_700_000_000 });
    const run = await home.payctl(LIST, { env: { ...against(server), PAYCTL_TOKEN: token } });
    expect(run).toEqual({
      stdout: '',
      stderr: lines(
        'The token of PAYCTL_TOKEN expired at 2023-11-14T22:13:20.000Z',
        'Error: Unauthorized (401 http_401)',
        `Request: GET ${server.origin}/buyers`,
        'Probably: the token of PAYCTL_TOKEN is not valid for this service; its key id is key-7; it expired at 2023-11-14T22:13:20.000Z',
        'Try: payctl doctor',
        'Try: payctl api-logs list --status 401',
      ),
      code: 3,
      signal: null,
    });
  });

  it('is warned of when it lacks the scope, and a 403 names what it needs and has', async () => {
    const server = await serveAnswers({ status: 403, body: '' });
    const token = jwt({ scopes: ['roles.read', 'transactions.*'], exp: 4_000_000_000 });
    const run = await home.payctl(LIST, { env: { ...against(server), PAYCTL_TOKEN: token } });
    expect(run).toEqual({
      stdout: '',
      stderr: lines(
        'The token of PAYCTL_TOKEN lacks the scope buyers.read',
        'Error: Forbidden (403 http_403)',
        `Request: GET ${server.origin}/buyers`,
        'Probably: the command needs the scope buyers.read; the token of PAYCTL_TOKEN has roles.read, transactions.*',
        'Try: payctl doctor',
      ),
      code: 4,
      signal: null,
    });
  });

  it('is warned of when --reveal-pii needs a scope that it lacks', async () => {
    const server = await serveAnswers({ body: page([]) });
    const token = jwt({ scope: 'buyers.read', exp: 4_000_000_000 });
    const run = await home.payctl([...LIST, '--reveal-pii'], {
      env: { ...against(server), PAYCTL_TOKEN: token },
    });
    expect(run.stderr).toBe(
      lines('The token of PAYCTL_TOKEN lacks the scope buyers.billing-details.read', 'No buyers found.'),
    );
    expect(run.code).toBe(0);
  });
});

describe('the source of credentials', () => {
  const { privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { format: 'pem', type: 'pkcs8' },
    publicKeyEncoding: { format: 'pem', type: 'spki' },
  });

  function secretFile(name: string, text: string): string {
    const path = join(home.path, name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  }

  it('is the first of token, token file, key and key file that is set', async () => {
    const PAYCTL_TOKEN_FILE = secretFile('token', 'token-of-the-file\n');
    const PAYCTL_PRIVATE_KEY_FILE = secretFile('key.pem', privateKey);
    const PAYCTL_PRIVATE_KEY = Buffer.from(privateKey).toString('base64');
    const everything = {
      PAYCTL_TOKEN: SECRET_TOKEN,
      PAYCTL_TOKEN_FILE,
      PAYCTL_PRIVATE_KEY,
      PAYCTL_PRIVATE_KEY_FILE,
    };
    const empty = { body: page([]) };
    const server = await serveAnswers(empty, empty, empty, empty);
    const sources: string[] = [];
    for (const name of Object.keys(everything)) {
      const later = Object.entries(everything).slice(Object.keys(everything).indexOf(name));
      const env = { PAYCTL_BASE_URL: server.origin, ...Object.fromEntries(later) };
      const run = await home.payctl([...LIST, '-v'], { env });
      sources.push(/^\* credentials: (.*)$/m.exec(run.stderr)?.[1] ?? run.stderr);
    }
    expect(sources).toEqual([
      'PAYCTL_TOKEN',
      `PAYCTL_TOKEN_FILE (${PAYCTL_TOKEN_FILE})`,
      'PAYCTL_PRIVATE_KEY',
      `PAYCTL_PRIVATE_KEY_FILE (${PAYCTL_PRIVATE_KEY_FILE})`,
    ]);
    const headers = server.requests.map(({ headers }) => headers.authorization ?? '');
    expect(headers.slice(0, 2)).toEqual([`Bearer ${SECRET_TOKEN}`, 'Bearer token-of-the-file']);
    const issued = headers.slice(2).map((header) => header.split('.')[1] ?? '');
    expect(issued.map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()).scopes)).toEqual([
      ['buyers.read'],
      ['buyers.read'],
    ]);
  });

  it('is warned of when it is a file that others can read', async () => {
    const path = secretFile('open-token', 'token');
    chmodSync(path, 0o644);
    const server = await serveAnswers({ body: page([]) });
    const run = await home.payctl(LIST, { env: { PAYCTL_BASE_URL: server.origin, PAYCTL_TOKEN_FILE: path } });
    expect(run.stderr).toBe(
      lines(
        `PAYCTL_TOKEN_FILE (${path}) can be read by other users (mode 644); close it with: chmod 600 ${path}`,
        'No buyers found.',
      ),
    );
  });
});
