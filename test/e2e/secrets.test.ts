import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { generateKey } from '../../src/tokens/keys.ts';
import { printedError } from '../harness/printed-error.ts';
import { freshHome, PAYCTL, useHome } from '../harness/run-payctl.ts';
import { folderForTest } from '../harness/temporary-folder.ts';
import { page, serve } from './paged-service.ts';
import { quickHomes } from './quick-homes.ts';

const root = join(dirname(PAYCTL), '..');
const home = useHome();

const TOKEN = 'marked-secret-token-0123456789';
const { privateKeyPem: KEY } = await generateKey();
const KEY_BASE64 = Buffer.from(KEY).toString('base64');
/** Any line of the key gives it away, in PEM or in base64 of PEM. */
const MARKS = [TOKEN, ...KEY.split('\n').slice(1, -2), KEY_BASE64.slice(40, 100)];

/** What makes libraries and Node itself talkative. */
const TALKATIVE = { DEBUG: '*', NODE_DEBUG: '*', NODE_DEBUG_NATIVE: '', OCLIF_DEBUG: '1' };

const SOURCES = [
  ['a token in a variable', { PAYCTL_TOKEN: TOKEN }],
  ['a key in a variable', { PAYCTL_PRIVATE_KEY: KEY }],
  ['a key in base64 in a variable', { PAYCTL_PRIVATE_KEY: KEY_BASE64 }],
  ['a token in a file', { PAYCTL_TOKEN_FILE: secretFile('token', TOKEN) }],
  ['a key in a file', { PAYCTL_PRIVATE_KEY_FILE: secretFile('key.pem', KEY) }],
] as const;

/** Commands whose output depends on what the service answers. */
const ASKING = [
  ['buyers', 'list', '-v'],
  ['buyers', 'list', '-v', '--json'],
  ['auth', 'status', '-v'],
  ['auth', 'status', '--json'],
  ['doctor', '-v'],
  ['doctor', '--json'],
] as const;
const OTHERS = [
  ['roles', 'list', '-v'],
  ['checkout-sessions', 'update', 's1', '--metadata', 'a=b', '--dry-run', '-v'],
  ['profiles', 'list', '-v'],
  ['buyers', 'lst'],
  ['buyers', 'list', '--nonsense', '--json'],
] as const;
const COMMANDS = [...ASKING, ...OTHERS] as const;

function secretFile(name: string, text: string): string {
  const file = join(home.path, name);
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}

/** A service that answers with the status asked for in `status`, and sends back the token that it was shown. */
async function echoing(status: number) {
  const seen: string[] = [];
  const server = await serve((request, response) => {
    const token = request.headers.authorization?.slice('Bearer '.length) ?? '';
    seen.push(token);
    const error = { type: 'error', code: 'echoed', status, message: `Your token was ${token}`, details: [] };
    response.writeHead(status, {
      'content-type': 'application/json',
      'x-request-id': token,
      'x-echo': token,
    });
    response.end(JSON.stringify(status < 400 ? page([]) : error));
  });
  return { origin: server.origin, seen };
}

/** Which marks a text holds: of the secrets, and of the tokens that were signed with them (all but the header). */
function marksIn(text: string, tokens: readonly string[]): string[] {
  const parts = tokens
    .flatMap((token) => [token, ...token.split('.').slice(1)])
    .filter((part) => part.length > 20);
  return [...MARKS, ...parts].filter((mark) => text.includes(mark));
}

/** Of two kinds of runs with these commands, every second one; the next source has the others. */
const everySecond = <T>(commands: readonly T[], kind: number) =>
  commands.filter((_, index) => (index + kind) % 2 === 0);

describe.each(SOURCES.map((source, index) => [...source, index] as const))('%s', (_, source, index) => {
  it.each([
    [200, 'with traces', [...ASKING, ...everySecond(OTHERS, index)], TALKATIVE],
    [401, 'without traces', everySecond(ASKING, index), {}],
    [401, 'with traces', everySecond(ASKING, index + 1), TALKATIVE],
    [500, 'with traces', ASKING.slice(index % 2, (index % 2) + 1), TALKATIVE],
  ] as const)(
    'appears nowhere when the service answers %d and repeats it, %s',
    async (status, _traces, commands, talkative) => {
      const { origin, seen } = await echoing(status);
      for (const command of commands) {
        const env = { PAYCTL_BASE_URL: origin, PAYCTL_MAX_RETRIES: '0', ...source, ...talkative };
        const run = await home.payctl(command, { env });
        expect(marksIn(run.stdout + run.stderr, seen), `${command.join(' ')}: ${run.stderr}`).toEqual([]);
      }
      expect(seen.length).toBeGreaterThanOrEqual(commands.length / 2);
    },
    120_000,
  );

  it.each([
    ['a bug inside of payctl', 'encodeURIComponent = () => { throw new Error(process.env.SECRETS); };'],
    ['an error that nobody catches', 'setTimeout(() => { throw new Error("boom"); }, 1);'],
    ['a rejection that nobody catches', 'Promise.reject(new Error("boom"));'],
  ])('appears nowhere after %s', async (_name, code) => {
    const { origin } = await echoing(200);
    const preload = secretFile('preload.mjs', code);
    const env = {
      ...source,
      ...TALKATIVE,
      PAYCTL_BASE_URL: origin,
      SECRETS: Object.values(source).join(' '),
    };
    const list = ['buyers', 'list', '--limit', '5', '-v'];
    const run = await home.payctl(list, { env, nodeFlags: ['--import', preload] });
    expect(run.code).toBe(1);
    expect(marksIn(run.stdout + run.stderr, [])).toEqual([]);
  });
});

describe('a secret that was stored', () => {
  it.each([
    ['--with-token', TOKEN],
    ['--with-key', KEY],
  ])(
    'appears nowhere but in its file: %s',
    async (flag, secret) => {
      const stored = freshHome();
      const { origin, seen } = await echoing(200);
      const texts: string[] = [];
      const payctl = async (args: readonly string[], stdin = '') => {
        const run = await stored.payctl(args, { stdin, env: TALKATIVE });
        texts.push(run.stdout, run.stderr);
      };
      await payctl(['auth', 'login', '--base-url', origin, flag, '--insecure-storage', '-v'], secret);
      for (const command of [
        ...COMMANDS,
        ['profiles', 'show'],
        ['profiles', 'list', '--json'],
        ['auth', 'logout', '-v'],
      ]) {
        if (command[0] === 'auth' && command[1] === 'logout') {
          texts.push(readFileSync(join(stored.configDirectory, 'profiles.json'), 'utf8'));
        }
        await payctl(command);
      }
      expect(seen.length).toBeGreaterThan(0);
      expect(marksIn(texts.join('\n'), seen)).toEqual([]);
    },
    120_000,
  );
});

describe('what is left of a secret', () => {
  const home = quickHomes().useHome();
  const PARTS = ['eyJhbGciOiJFUzUxMiIsInR5cCI6IkpXVCJ9', claims(), signature()] as const;
  const JWT = PARTS.join('.');
  const BARE_KEY = KEY.split('\n').slice(1, -2).join('');

  function claims(): string {
    return Buffer.from(JSON.stringify({ iss: 'payctl-test', sub: 'x'.repeat(40) })).toString('base64url');
  }
  /** With characters that JSON and URLs escape, which tokens of other kinds have. */
  function signature(): string {
    return `${Buffer.from('signed-by-somebody-else').toString('base64url')}+/+/${'Zq9w'.repeat(12)}==`;
  }
  /** Pieces of 12 characters of a secret that a text holds, escapes read as what they stand for. */
  function piecesIn(text: string, secret: string): string[] {
    const plain = text
      .replaceAll(/\\+u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
      .replaceAll(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
      .replaceAll(/\\+\//g, '/');
    const pieces = Array.from({ length: secret.length - 11 }, (_, place) => secret.slice(place, place + 12));
    return pieces.filter((piece) => text.includes(piece) || plain.includes(piece));
  }
  async function answering(status: number, body: string, type = 'text/html') {
    const { origin } = await serve((_, response) => {
      response.writeHead(status, { 'content-type': type });
      response.end(body);
    });
    return { PAYCTL_BASE_URL: origin, PAYCTL_MAX_RETRIES: '0', PAYCTL_TOKEN: JWT };
  }
  const escaped = JWT.replaceAll('/', '\\/').replaceAll('+', '\\u002B').replaceAll('=', '\\u003d');

  it.each([
    ['cut off by the excerpt', `${'.'.repeat(470)}${JWT}`, `${'.'.repeat(470)}********…`],
    ['escaped as JSON has it', `<${escaped}>`, '<********>'],
    ['escaped as URLs have it', `<${encodeURIComponent(JWT)}>`, '<********>'],
    ['its claims alone', `<${PARTS[1]}>`, '<********>'],
    ['its signature alone', `<${PARTS[2]}>`, '<********>'],
  ])('appears in no report of a body: %s', async (_, body, shown) => {
    const env = await answering(502, body);
    for (const format of [[], ['--json']]) {
      const run = await home.payctl(['buyers', 'list', ...format], { env });
      expect(piecesIn(run.stdout + run.stderr, JWT)).toEqual([]);
      expect(run.stderr).toContain(shown);
    }
  });

  it('appears in no trace of a body, cut off at its end', async () => {
    const message = `${'.'.repeat(1_960)}${JWT}`;
    const env = await answering(200, JSON.stringify({ message, items: [] }), 'application/json');
    const run = await home.payctl(['buyers', 'list', '-v'], { env });
    expect(piecesIn(run.stderr, JWT)).toEqual([]);
    expect(run.stderr).toContain('..********… (');
  });

  const REFUSED: readonly [args: string[], code: string, named: string][] = [
    [['auth', 'login', `--with-token=${JWT}`], 'bad_flag', '--with-token'],
    [['auth', 'login', '--with-token=sk_live_abcdefgh'], 'bad_flag', '--with-token'],
    [['auth', 'login', '--with-token', JWT], 'unexpected_argument', ''],
    [['auth', 'login', '--with-token', 'sk_live_abcdefgh'], 'unexpected_argument', ''],
    [[`--token=${JWT}`], 'flag_first', '--token'],
    [[JWT], 'unknown_command', '"********"'],
    [[`Bearer ${JWT}`], 'unknown_command', '"********"'],
    [['buyers', 'list', '-o', JWT], 'bad_flag', '"********"'],
    [['buyers', 'list', `-o${JWT}`], 'bad_flag', '"********"'],
    [['buyers', 'list', '--limit', JWT], 'bad_flag', '"********"'],
    [['buyers', 'list', `--limit=${BARE_KEY}`], 'bad_flag', '"********"'],
    [['buyers', 'list', '--timeout', JWT], 'invalid_duration', '--timeout is "********..."'],
  ];

  it.each(REFUSED)('is not repeated by what refuses a command line: %j', async (args, code, named) => {
    const run = await home.payctl(args, { env: { PAYCTL_BASE_URL: 'http://127.0.0.1:1' } });
    for (const secret of [JWT, BARE_KEY, 'sk_live_abcdefgh'])
      expect(piecesIn(run.stdout + run.stderr, secret)).toEqual([]);
    expect(printedError(run.stderr)).toMatchObject({ code, message: expect.stringContaining(named) });
    expect(run).toMatchObject({ stdout: '', code: 2 });
  });

  it.each([
    ['PAYCTL_TOKEN_FILE', `Bearer ${JWT}`],
    ['PAYCTL_TOKEN_FILE', `authorization: bearer ${JWT}`],
    ['PAYCTL_PRIVATE_KEY_FILE', BARE_KEY],
  ])('is not shown as the path that %s should hold: %s', async (name, value) => {
    const env = { PAYCTL_BASE_URL: 'http://127.0.0.1:1', [name]: value };
    for (const command of [
      ['buyers', 'list', '-v'],
      ['auth', 'status'],
      ['doctor', '-v'],
    ]) {
      const run = await home.payctl(command, { env });
      expect(piecesIn(run.stdout + run.stderr, value), command.join(' ')).toEqual([]);
      expect(run.stdout + run.stderr).toContain(name);
    }
  });

  it('is no cursor: one that begins like a token is still there to go on with', async () => {
    const cursor = Buffer.from('{"after":"00000000-0000-4000-8000-000000000001"}').toString('base64url');
    const env = await answering(502, '');
    const run = await home.payctl(['buyers', 'list', '--all', '--cursor', cursor], { env });
    expect(run.stderr).toContain(cursor);
  });
});

describe('the program', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8'));

  it('has a manifest that nothing of the environment gets into', () => {
    const folder = folderForTest();
    for (const name of ['bin', 'dist', 'node_modules']) symlinkSync(join(root, name), join(folder, name));
    cpSync(join(root, 'package.json'), join(folder, 'package.json'));
    const env = {
      ...process.env,
      PAYCTL_TOKEN: TOKEN,
      PAYCTL_PRIVATE_KEY: KEY,
      PAYCTL_MERCHANT_ACCOUNT: TOKEN,
      PAYCTL_BASE_URL: `https://${TOKEN}.example.com`,
    };
    const { status, stderr } = spawnSync(join(root, 'node_modules/.bin/oclif'), ['manifest', '.'], {
      cwd: folder,
      env,
      encoding: 'utf8',
    });
    expect({ status, stderr }).toMatchObject({ status: 0 });
    const text = readFileSync(join(folder, 'oclif.manifest.json'), 'utf8');
    expect(Object.keys(JSON.parse(text).commands).sort()).toEqual(Object.keys(manifest.commands).sort());
    expect(marksIn(text, [])).toEqual([]);
  });
});
