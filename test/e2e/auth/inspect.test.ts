import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { anyText } from '../../harness/any-text.ts';
import '../../harness/fixed-seeds.ts';
import { describe, expect, it } from 'vitest';
import { COMMAND_OPERATIONS } from '../../../src/cli/routing/catalog/operations.ts';
import { wrapWords } from '../../../src/output/width.ts';
import { errorObject } from '../../harness/error-object.ts';
import { lines } from '../../harness/lines.ts';
import { failed, succeeded } from '../../harness/outcome.ts';
import type { RunOptions } from '../../harness/run-payctl.ts';
import { ED25519_KEY, RSA_KEY } from '../../tokens/key-vectors.ts';
import { makeToken, SIGNATURE } from '../../tokens/make-token.ts';
import { quickHomes } from '../quick-homes.ts';

const { freshHome, useHome } = quickHomes();

const home = useHome();
const INSPECT = ['auth', 'inspect'];
const JWT_HINT = 'A JWT has the form HEADER.PAYLOAD.SIGNATURE, each part encoded as base64url.';
const HEADER = { alg: 'ES512', typ: 'JWT', kid: 'key-1' };
const EXPIRED = { iss: 'acme', iat: 999_999_700, exp: 1_000_000_000, scopes: ['buyers.read', 'embed'] };
/** What each command needs one scope each of, by its words; again with --reveal-pii. */
const NEEDED = new Map<string, readonly (readonly string[])[]>(
  Object.entries(COMMAND_OPERATIONS).flatMap(([command, { scopes, piiScope }]) => [
    [command, [scopes]] as const,
    ...(piiScope ? [[`${command} --reveal-pii`, [scopes, [piiScope]]] as const] : []),
  ]),
);
const COMMANDS = [...NEEDED.keys()];
/** The commands that a token for buyers.read and embed allows. */
const GOOD = COMMANDS.filter((command) => lackingOf(command, EXPIRED.scopes) === '');

/** The scopes that a command needs beyond those held, as they are printed; empty when it may be called. */
function lackingOf(command: string, held: readonly string[]): string {
  const lacking = (NEEDED.get(command) ?? []).filter((group) => !group.some((scope) => held.includes(scope)));
  return lacking.map((group) => group.join(' or ')).join(' and ');
}

/** A section of commands at a terminal of 80 columns, in which no name moves the second column beyond the 42nd. */
function rows(entries: readonly (readonly [name: string, text: string])[]): string[] {
  const at = Math.min(Math.max(...entries.map(([name]) => name.length + 2)), 40) + 2;
  return entries.flatMap(([name, text]) => {
    const [first = '', ...others] = wrapWords(text, 80 - at);
    return [`${`  ${name}`.padEnd(at - 2)}  ${first}`, ...others.map((other) => ' '.repeat(at) + other)];
  });
}

/** A token that is good in every respect, unless something of it is changed. */
function freshToken(claims: object = {}, header: object = {}): string {
  const now = Math.floor(Date.now() / 1000);
  const usual = { iat: now, nbf: now, exp: now + 300, scopes: ['buyers.read'] };
  return makeToken({ ...HEADER, ...header }, { ...usual, ...claims });
}

/** Inspects a token given on standard input and checks that its signature is nowhere. */
async function inspect(token: string, flags: readonly string[] = [], options: RunOptions = {}) {
  const run = await home.payctl([...INSPECT, ...flags], { stdin: token, ...options });
  expect(run.stdout + run.stderr).not.toContain(SIGNATURE.slice(0, 18));
  return run;
}

async function issuesOf(token: string, options: RunOptions = {}): Promise<string[]> {
  const { stdout } = await inspect(token, ['--json'], options);
  const { errors } = JSON.parse(stdout) as { errors: readonly { severity: string; code: string }[] };
  return errors.map(({ severity, code }) => `${severity} ${code}`);
}

describe('payctl auth inspect -o json', () => {
  it('is one document of a stable shape', async () => {
    const run = await inspect(makeToken(HEADER, EXPIRED), ['-o', 'json']);
    expect(run).toMatchObject({ stderr: '', code: 0, signal: null });
    const document = JSON.parse(run.stdout);
    const left = 1_000_000_000 - Date.now() / 1000;
    expect(Math.abs(document.expires_in_seconds - left)).toBeLessThan(30);
    expect(document).toEqual({
      header: HEADER,
      claims: EXPIRED,
      scopes: ['buyers.read', 'embed'],
      key_id: 'key-1',
      issued_at: '2001-09-09T01:41:40.000Z',
      not_before: null,
      expires_at: '2001-09-09T01:46:40.000Z',
      expires_in_seconds: document.expires_in_seconds,
      errors: [
        {
          code: 'expired',
          severity: 'error',
          message: expect.stringMatching(/^The token expired \d+ days ago, at 2001-09-09T01:46:40\.000Z\.$/),
        },
      ],
      good_for: GOOD,
      not_good_for: COMMANDS.filter((command) => !GOOD.includes(command)),
      unknown_for: [],
    });
    expect(GOOD).toEqual(expect.arrayContaining(['buyers gift-cards list', 'buyers list']));
    expect(GOOD).not.toContain('buyers list --reveal-pii');
    expect(Object.keys(document).join()).toBe(
      'header,claims,scopes,key_id,issued_at,not_before,expires_at,expires_in_seconds,errors,good_for,not_good_for,unknown_for',
    );
  });

  it('keeps the claims as they were signed: numbers exact, members in their order, secrets of the user too', async () => {
    const claims =
      '{"exp":4000000000.0,"account":12345678901234567890,"2":1.50,"1":1e2,"password":"hunter2"}';
    const { stdout } = await inspect(makeToken(HEADER, claims), ['-o', 'json']);
    expect(stdout).toContain(`,"claims":${claims},"scopes":null,`);
  });

  it('has no times and no key where the token names none', async () => {
    const { stdout, code } = await inspect(makeToken({}, {}), ['--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      header: {},
      claims: {},
      scopes: null,
      key_id: null,
      issued_at: null,
      not_before: null,
      expires_at: null,
      expires_in_seconds: null,
      good_for: [],
      not_good_for: [],
      unknown_for: COMMANDS,
    });
    expect(code).toBe(0);
  });

  it('tells a token without a scope claim from one whose claim is empty', async () => {
    const answer = ['--jq', '[.scopes, (.good_for, .not_good_for, .unknown_for | length)]', '-o', 'json'];
    const without = await inspect(freshToken({ scopes: undefined }), answer);
    expect(JSON.parse(without.stdout)).toEqual([null, 0, 0, COMMANDS.length]);
    const empty = await inspect(freshToken({ scopes: [] }), answer);
    expect(JSON.parse(empty.stdout)).toEqual([[], 0, COMMANDS.length, 0]);
  });

  it('is filtered by --jq, and reduced to --columns', async () => {
    const token = makeToken(HEADER, EXPIRED);
    const codes = await inspect(token, ['--jq', '.errors[].code']);
    expect(codes).toMatchObject({ stdout: 'expired\n', stderr: '', code: 0 });
    const columns = await inspect(token, ['-o', 'csv', '--columns', 'key_id,claims.exp']);
    expect(columns.stdout).toBe('key_id,claims.exp\r\nkey-1,1000000000\r\n');
  });
});

describe('the view of a token', () => {
  it('has sections for a person at a terminal of 80 columns', async () => {
    const file = join(home.path, 'token');
    writeFileSync(file, makeToken({ ...HEADER, alg: 'HS256' }, { ...EXPIRED, nested: { a: [1] } }));
    const run = await home.payctl([...INSPECT, file, '--no-color'], { terminal: { columns: 80 } });
    expect(run).toMatchObject({ stderr: '', code: 0 });
    const [content = '', commands] = run.stdout
      .replaceAll(/\d+ days/g, 'N days')
      .split(/(?=allowed commands)/);
    expect(content).toMatchInlineSnapshot(`
      "header
        alg  HS256
        typ  JWT
        kid  key-1

      claims
        iss     acme
        iat     999999700
        exp     1000000000
        scopes  buyers.read, embed
        nested
          a
            1   1

      summary
        scopes      buyers.read, embed
        issued      2001-09-09 01:41:40Z, N days ago
        not before  -
        expires     2001-09-09 01:46:40Z, N days ago

      errors
        expired                  The token expired N days ago, at
                                 2001-09-09T01:46:40.000Z.
        algorithm_shared_secret  "HS256" signs with a shared secret; the service
                                 expects a key pair.

      warnings  none

      "
    `);
    const held = EXPIRED.scopes;
    const refused = COMMANDS.filter((command) => !GOOD.includes(command));
    expect(commands).toBe(
      lines(
        'allowed commands',
        ...rows(GOOD.map((command) => [command, lackingOf(command, [])])),
        '',
        'commands not allowed',
        ...rows(refused.map((command) => [command, `lacks ${lackingOf(command, held)}`])),
      ),
    );
    expect(commands).toContain(
      lines(
        '  payment-methods list                    lacks payment-methods.read',
        '  payment-methods list --reveal-pii       lacks payment-methods.read and',
        '                                          buyers.billing-details.read',
        '  payment-service-definitions sessions create  lacks transactions.write',
      ),
    );
  });

  it('is one line of path and value for each field in a pipe', async () => {
    const { stdout, stderr } = await inspect(freshToken({ jti: 'a\tb' }));
    expect(stderr).toBe('');
    expect(stdout.replaceAll(/\d{10}|\d{4}-[\dT:.-]+Z|(?<=_seconds\t)\d+/g, '#')).toBe(
      lines(
        'header.alg\tES512',
        'header.typ\tJWT',
        'header.kid\tkey-1',
        'claims.iat\t#',
        'claims.nbf\t#',
        'claims.exp\t#',
        'claims.scopes.0\tbuyers.read',
        'claims.jti\ta\u2409b',
        'scopes.0\tbuyers.read',
        'key_id\tkey-1',
        'issued_at\t#',
        'not_before\t#',
        'expires_at\t#',
        'expires_in_seconds\t#',
        'errors\t[]',
        'good_for.0\tbuyers list',
        ...COMMANDS.filter((name) => name !== 'buyers list').map(
          (name, index) => `not_good_for.${index}\t${name}`,
        ),
        'unknown_for\t[]',
      ),
    );
  });

  it('never gives a terminal the escape sequences and overrides of a hostile token', async () => {
    const evil = '\u001b]0;owned\u0007\u001b[2J\u202egnp\u2028\r\nerrors  none';
    const file = join(home.path, 'hostile');
    const token = makeToken(
      { alg: evil, typ: evil, kid: evil, [evil]: evil },
      { exp: evil, scopes: [evil, 'buyers.read'], [evil]: { [evil]: evil } },
    );
    writeFileSync(file, token);
    for (const flags of [[], ['-o', 'json'], ['-o', 'yaml'], ['-o', 'csv']]) {
      const args = [...INSPECT, file, '--no-color', ...flags];
      const run = await home.payctl(args, { terminal: { columns: 80 } });
      expect(run).toMatchObject({ stderr: '', code: 0 });
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
      expect(run.stdout.replaceAll(/\r?\n/g, '')).not.toMatch(/[\u0000-\u001f\u202e\u2028]/);
      expect(run.stdout).not.toMatch(/^errors {2}none/m);
    }
    const { stdout } = await inspect(token, ['-o', 'json']);
    expect(JSON.parse(stdout).header).toEqual({ alg: evil, typ: evil, kid: evil, [evil]: evil });
  });
});

describe('the input of payctl auth inspect', () => {
  const token = makeToken(HEADER, EXPIRED);
  const CODE = ['--jq', '.errors[].code'];

  it('may be a whole header', async () => {
    const stdin = `Authorization: Bearer ${token}`;
    expect(await inspect(stdin, CODE)).toMatchObject({ stdout: 'expired\n', stderr: '', code: 0 });
    expect(await inspect(stdin, [...CODE, '-'])).toMatchObject({ stdout: 'expired\n', code: 0 });
  });

  it('may be a file', async () => {
    const file = join(home.path, 'production-token.2026.jwt');
    writeFileSync(file, `Bearer ${token}\n`);
    const run = await home.payctl([...INSPECT, file, ...CODE]);
    expect(run).toEqual(succeeded('expired\n'));
  });

  it('is asked for at a terminal, without echo', async () => {
    const wide = makeToken(HEADER, { ...EXPIRED, padding: 'x'.repeat(6100) });
    for (const typed of [token, wide]) {
      const terminal = { columns: 80, withStderr: true };
      const running = home.start([...INSPECT, '--columns', 'key_id,errors.0.code', '-o', 'ndjson'], {
        terminal,
      });
      await running.sees('stdout', 'Token (not shown): ');
      running.type(`${typed}\r`);
      const run = await running.done;
      expect(run.stdout).toBe('Token (not shown): \n{"key_id":"key-1","errors.0.code":"expired"}\n');
      expect(run.code).toBe(0);
    }
  });

  it.each([
    ['', 'No token was given: the input is empty', 'Pass the token in a file or on standard input.'],
    ['Bearer ', 'The token is not a JWT: it does not have three parts separated by dots', JWT_HINT],
  ])('exits with 3 when it is no JWT: %.20s', async (stdin, message, hint) => {
    for (const flags of [[], ['-v']]) {
      expect(await inspect(stdin, flags)).toEqual(failed(3, `Error: ${message} (token_unreadable)`, hint));
    }
  });

  it('exits with 2 when a file cannot be read', async () => {
    const hint =
      'Use a file of at most 64 KiB that you have permission to read, or pass the token on standard input.';
    expect(await home.payctl([...INSPECT, '/nowhere/token'])).toEqual(
      failed(
        2,
        'Error: The file "/nowhere/token" cannot be read: no such file or directory (unreadable_file)',
        hint,
      ),
    );
    const run = await home.payctl([...INSPECT, '/', '--json']);
    expect(errorObject(run.stderr)).toMatchObject({
      code: 'unreadable_file',
      message: 'The file "/" cannot be read: it is a directory',
      exit_code: 2,
    });
  });

  it.each([[[token]], [['Bearer', token]], [[`--token=${token}`]], [[`-t${token}`, '-v']]])(
    'exits with 2 when it stands on the command line, and is not repeated',
    async (args) => {
      const run = await inspect('', args);
      expect(run).toEqual(
        failed(
          2,
          'Error: The command line contains a token instead of the path of a file (token_as_argument)',
          'Every process on this machine can read arguments: pass the token in a file or on standard input.',
        ),
      );
    },
  );
});

describe('the key in use', () => {
  const signed = freshToken({}, { kid: ED25519_KEY.thumbprint });

  it('is compared with the key of the token', async () => {
    const own = { env: { PAYCTL_PRIVATE_KEY: ED25519_KEY.pem } };
    expect(await issuesOf(signed, own)).toEqual([]);
    const other = { env: { PAYCTL_PRIVATE_KEY: RSA_KEY.pem } };
    expect(await issuesOf(signed, other)).toEqual(['warning other_key']);
    const { stderr } = await inspect(signed, ['-v', '--json'], other);
    expect(stderr).toBe(`* key in use: ${RSA_KEY.thumbprint} (PAYCTL_PRIVATE_KEY)\n`);
  });

  it('is not compared where a ready-made token wins over it', async () => {
    const env = { PAYCTL_TOKEN: 'opaque-token', PAYCTL_PRIVATE_KEY: RSA_KEY.pem };
    expect(await issuesOf(signed, { env })).toEqual([]);
  });

  it.each([
    [
      'is none',
      { PAYCTL_PRIVATE_KEY: 'nonsense' },
      'PAYCTL_PRIVATE_KEY is neither PEM nor base64-encoded PEM',
    ],
    [
      'is not there',
      { PAYCTL_PRIVATE_KEY_FILE: '/nowhere/key' },
      'PAYCTL_PRIVATE_KEY_FILE (/nowhere/key) cannot be read: no such file or directory',
    ],
  ])('makes one note and no failure when it %s', async (_, env, reason) => {
    const run = await inspect(signed, ['--jq', '.errors'], { env });
    expect(run).toEqual(
      succeeded('[]\n', `The key of the token could not be compared with the key in use: ${reason}\n`),
    );
  });

  it('makes one note and no failure when the keychain does not give it', async () => {
    const at = freshHome();
    mkdirSync(at.configDirectory, { mode: 0o700 });
    const credentials = { kind: 'key', storage: 'keychain', account: 'acme/nothing-was-ever-stored-here' };
    const document = { version: 1, active: 'acme', profiles: { acme: { credentials } } };
    writeFileSync(join(at.configDirectory, 'profiles.json'), JSON.stringify(document), { mode: 0o600 });
    const run = await at.start([...INSPECT, '--jq', '.errors'], { stdin: signed }).done;
    expect(run).toMatchObject({ stdout: '[]\n', code: 0 });
    expect(run.stderr).toMatch(/^The key of the token could not be compared with the key in use: [^\n]+\n$/);
  });

  it('is that of the emulator with its profile, once there is one', async () => {
    const at = freshHome();
    const EMULATOR = ['--profile', 'emulator'];
    const inspectHere = (stdin: string) =>
      at.payctl([...INSPECT, '--jq', '.errors[].code', ...EMULATOR], { stdin });
    expect(await inspectHere(signed)).toMatchObject({ stdout: '', stderr: '', code: 0 });
    const minted = await at.payctl(['auth', 'token', '--scope', 'buyers.read', ...EMULATOR, '-q']);
    expect(await inspectHere(minted.stdout)).toMatchObject({ stdout: '', stderr: '', code: 0 });
    expect(await inspectHere(signed)).toMatchObject({ stdout: 'other_key\n', stderr: '', code: 0 });
  });
});

describe('a hostile token', () => {
  it('is always one readable document or an error with exit code 3', async () => {
    const part = fc.dictionary(
      fc.oneof(fc.constantFrom('alg', 'kid', 'exp', 'scopes', '__proto__'), anyText()),
      fc.oneof(fc.jsonValue(), anyText()),
    );
    const token = fc.oneof(
      fc.tuple(part, part).map(([header, claims]) => makeToken(header, claims)),
      fc.string().map((text) => `${text}.${SIGNATURE}`),
    );
    await fc.assert(
      fc.asyncProperty(token, async (text) => {
        const { stdout, stderr, code } = await inspect(text, ['--json']);
        if (code === 0) expect(JSON.parse(stdout)).toHaveProperty('errors');
        else
          expect({ code, error: errorObject(stderr).code }).toEqual({ code: 3, error: 'token_unreadable' });
      }),
      { numRuns: 30 },
    );
  });
});
