import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorObject } from '../../harness/error-object.ts';
import { printedError, WORDS } from '../../harness/printed-error.ts';
import { makeToken } from '../../tokens/make-token.ts';
import { against, page, SECRET_TOKEN, serveAnswers } from '../paged-service.ts';
import { quickHomes } from '../quick-homes.ts';

const { useHome } = quickHomes();

const home = useHome();
const LIST = ['buyers', 'list'];
const NOWHERE = { PAYCTL_BASE_URL: 'http://127.0.0.1:1' };

const jwt = (claims: Record<string, unknown>) => makeToken({ alg: 'none', kid: 'key-7' }, claims, 'c2ln');

describe('without usable credentials', () => {
  it.each([
    ['no settings at all', {}, 'not_configured', 'payctl auth login'],
    ['a base URL alone', NOWHERE, 'no_credentials', 'payctl auth login'],
    ['a token of two words', { ...NOWHERE, PAYCTL_TOKEN: 'secret token' }, 'token_unreadable', ''],
    ['a token with its header', { ...NOWHERE, PAYCTL_TOKEN: 'Bearer secret' }, 'token_unreadable', ''],
    [
      'a token file that is not there',
      { ...NOWHERE, PAYCTL_TOKEN_FILE: '/nowhere/token' },
      'credentials_unreadable',
      '',
    ],
    ['a key that is none', { ...NOWHERE, PAYCTL_PRIVATE_KEY: 'secret' }, 'key_unusable', ''],
    [
      'a key file that is a directory',
      { ...NOWHERE, PAYCTL_PRIVATE_KEY_FILE: '/' },
      'credentials_unreadable',
      '',
    ],
  ])('exits with 3 and says in two lines what to do: %s', async (_, env, code, command) => {
    const run = await home.payctl(LIST, { env });
    expect(run).toMatchObject({ stdout: '', code: 3, signal: null });
    const error = printedError(run.stderr);
    expect(error).toEqual({ code, message: WORDS, hints: [expect.stringContaining(command)] });
    const source = Object.keys(env).find((name) => /TOKEN|KEY/.test(name)) ?? '';
    expect(error.message).toContain(source);
    expect(run.stderr).not.toContain('secret');
  });

  it('exits with 3 and one JSON object beside --json', async () => {
    const run = await home.payctl([...LIST, '--json'], { env: NOWHERE });
    expect(errorObject(run.stderr)).toEqual({
      code: 'no_credentials',
      message: WORDS,
      details: [],
      hint: expect.stringContaining('payctl auth login'),
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
    expect(run).toMatchObject({ stdout: '', code: 3, signal: null });
    const error = printedError(run.stderr);
    expect(error).toEqual({
      before: [expect.stringMatching(/PAYCTL_TOKEN.*expired.*2023-11-14T22:13:20/)],
      code: 'http_401',
      status: 401,
      message: 'Unauthorized',
      request: [`GET ${server.origin}/buyers`],
      causes: [WORDS],
      hints: [WORDS],
      commands: ['payctl doctor', 'payctl api-logs list --status 401'],
    });
    expect(error.causes?.[0]).toMatch(/PAYCTL_TOKEN.*key-7.*expired.*2023-11-14T22:13:20/);
  });

  it('is warned of when it lacks the scope, and a 403 names what it needs and has', async () => {
    const server = await serveAnswers({ status: 403, body: '' });
    const token = jwt({ scopes: ['roles.read', 'transactions.*'], exp: 4_000_000_000 });
    const run = await home.payctl(LIST, { env: { ...against(server), PAYCTL_TOKEN: token } });
    expect(run).toMatchObject({ stdout: '', code: 4, signal: null });
    const error = printedError(run.stderr);
    expect(error).toEqual({
      before: [expect.stringMatching(/PAYCTL_TOKEN.*buyers\.read/)],
      code: 'http_403',
      status: 403,
      message: 'Forbidden',
      request: [`GET ${server.origin}/buyers`],
      causes: [WORDS],
      commands: ['payctl doctor'],
    });
    expect(error.causes?.[0]).toMatch(/buyers\.read.*PAYCTL_TOKEN.*roles\.read, transactions\.\*/);
  });

  it('is warned of when --reveal-pii needs a scope that it lacks', async () => {
    const server = await serveAnswers({ body: page([]) });
    const token = jwt({ scope: 'buyers.read', exp: 4_000_000_000 });
    const run = await home.payctl([...LIST, '--reveal-pii'], {
      env: { ...against(server), PAYCTL_TOKEN: token },
    });
    const [warning, note, end] = run.stderr.split('\n');
    expect(warning).toMatch(/PAYCTL_TOKEN.*buyers\.billing-details\.read/);
    expect([note, end]).toEqual([WORDS, '']);
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
    const run = await home.payctl(LIST, {
      env: { PAYCTL_BASE_URL: server.origin, PAYCTL_TOKEN_FILE: path },
    });
    const [warning, note, end] = run.stderr.split('\n');
    expect(warning).toContain(`PAYCTL_TOKEN_FILE (${path})`);
    expect(warning).toContain(`chmod 600 ${path}`);
    expect([note, end]).toEqual([WORDS, '']);
  });
});
