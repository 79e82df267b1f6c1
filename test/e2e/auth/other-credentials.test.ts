import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { answer, document } from '../../descriptions/describe.ts';
import type { Home } from '../../harness/run-payctl.ts';
import { serveAnswers } from '../paged-service.ts';
import { quickHomes } from '../quick-homes.ts';

const { freshHome } = quickHomes();

const KEY = 'marked-api-key-0123456789';
const SECOND = 'marked-second-key-9876543210';
const PAIR = 'ada:marked-password-98765';
const MARKS = [KEY, SECOND, 'marked-password', Buffer.from(PAIR).toString('base64')];

/** What makes libraries and Node itself talkative. */
const TALKATIVE = { DEBUG: '*', NODE_DEBUG: '*', OCLIF_DEBUG: '1' };

const pet = { type: 'object', properties: { id: { type: 'string' }, name: { type: 'string' } } };
const id = { name: 'petId', in: 'path', required: true, schema: { type: 'string' } };

const SCHEMES = {
  header: { type: 'apiKey', in: 'header', name: 'api_key' },
  query: { type: 'apiKey', in: 'query', name: 'k' },
  cookie: { type: 'apiKey', in: 'cookie', name: 'sid' },
  second: { type: 'apiKey', in: 'header', name: 'X-App' },
  login: { type: 'http', scheme: 'basic' },
};

/** A home with a running emulator of a shop of pets that takes these credentials, and a profile `shop` for it without any. */
async function shopOf(...names: readonly (keyof typeof SCHEMES)[]) {
  const home = freshHome();
  const securitySchemes = Object.fromEntries(names.map((name) => [name, SCHEMES[name]]));
  const security = [Object.fromEntries(names.map((name) => [name, []]))];
  const paths = {
    '/pets': { get: { responses: answer({ type: 'array', items: pet }) } },
    '/pets/{petId}': { get: { parameters: [id], responses: answer(pet) } },
  };
  const file = join(home.path, 'shop.json');
  const info = { title: 'Shop', version: '1' };
  writeFileSync(file, JSON.stringify(document(paths, { info, security, components: { securitySchemes } })));
  const running = home.start(['emulator', 'start', '--description', file, '-v']);
  const origin = (await running.sees('stdout', '\n')).trim();
  await home.payctl(['profiles', 'set', 'shop', '--base-url', origin]);
  const imported = await home.payctl(['api', 'import', file, '--profile', 'shop']);
  return { home, origin, running, imported };
}

const LISTED = { code: 0, stderr: '' };
const list = ['pets', 'list', '--profile', 'shop', '-q'];

describe('auth login', () => {
  it.each([
    ['with-api-key', 'an API key (header api_key)', KEY, ['header'], 'API key'],
    ['with-api-key', 'an API key (query parameter k)', KEY, ['query'], 'API key'],
    ['with-api-key', 'an API key (cookie sid)', KEY, ['cookie'], 'API key'],
    [
      'with-api-key',
      'an API key (header api_key) and an API key (header x-app)',
      `{"api_key":"${KEY}","X-App":"${SECOND}"}`,
      ['header', 'second'],
      'API key',
    ],
    ['with-basic', 'a user name and password (HTTP Basic)', `${PAIR}\n`, ['login'], 'password'],
  ] as const)(
    '--%s stores what the description needs: %s',
    async (flag, needs, secret, names, name) => {
      const { home, origin, running, imported } = await shopOf(...names);
      const remedy = `payctl auth login --profile shop --${flag}`;
      expect(imported.stdout).toContain(`credentials.0\t${needs}: 2 operations\n`);
      expect(imported.stderr).toContain(`2 operations cannot be called without ${needs}. Set PAYCTL_`);
      expect(imported.stderr).toContain(`or log in: ${remedy}\n`);
      expect(
        (await home.payctl(['api', 'show', 'pets', 'list', '--profile', 'shop'])).stdout.replace(
          /\n +/g,
          ' ',
        ),
      ).toContain(`Credentials  ${needs}\n`);
      const without = await home.payctl(list);
      expect(without).toMatchObject({ code: 3, stdout: '' });
      expect(without.stderr).toContain(
        `Error: The request needs ${needs}; no credentials are configured (no_credentials)\n`,
      );
      const unready = await home.payctl(['doctor', '--profile', 'shop', '--json']);
      const failed = { state: 'fail', message: `no credentials are configured; Shop needs ${needs}` };
      const { checks } = JSON.parse(unready.stdout) as {
        readonly checks: readonly { readonly state: string }[];
      };
      expect(checks.filter(({ state }) => state === 'fail')).toMatchObject([failed]);
      expect(checks).toContainEqual(
        expect.objectContaining({ ...failed, remedy: expect.stringContaining(`: ${remedy}`) }),
      );
      expect(unready.code).toBe(3);

      const login = ['auth', 'login', '--profile', 'shop', `--${flag}`, '--insecure-storage'];
      const done = await home.payctl(login, { stdin: secret });
      const sent =
        flag === 'with-basic'
          ? 'user name and password are sent only with requests that need them'
          : 'API key is sent only with requests that need it';
      expect(done).toMatchObject({
        code: 0,
        stderr: `The service accepted the credentials.\nThe ${sent}, as the API description says.\n`,
      });
      expect(await home.payctl(list)).toMatchObject(LISTED);
      const ready = await home.payctl(['doctor', '--profile', 'shop']);
      expect(ready.stdout).toContain(
        `pass\tcredentials\tthe service accepts the ${name} from profile shop (`,
      );
      expect(ready.stdout).toContain('pass\tdescription\tthe credentials suffice for 2 operations of Shop\t');
      expect(ready.code).toBe(0);
      await expectBound(home, { origin, name });

      const missing = ['pets', 'get', 'none', '--profile', 'shop', '-v'];
      const seen = [
        ...(await outputs(home, [missing, list, ['auth', 'status', '--profile', 'shop', '-v']], TALKATIVE)),
        done,
      ];
      const logs = await home.payctl(['api-logs', 'list', '-o', 'json', '--profile', 'emulator']);
      expect(logs.stdout).toContain('/pets/none');
      const report = await home.payctl(['api-logs', 'report', '--profile', 'emulator']);
      running.kill('SIGINT');
      const ended = await running.done;
      for (const { stdout, stderr } of [...seen, logs, report, ended])
        for (const mark of MARKS) expect(stdout + stderr).not.toContain(mark);
    },
    60_000,
  );

  it('reads secrets from variables and their files, and a profile beats them where it is named', async () => {
    const { home } = await shopOf('header');
    const file = join(home.path, 'key');
    writeFileSync(file, `${KEY}\n`, { mode: 0o600 });
    const active = ['pets', 'list', '-v'];
    await home.payctl(['profiles', 'use', 'shop']);
    const used = async (env: Readonly<Record<string, string>>, ...flags: string[]) =>
      /credentials: (.*)/.exec((await home.payctl([...active, ...flags], { env })).stderr)?.[1];
    expect(await used({ PAYCTL_API_KEY_FILE: file })).toBe(`PAYCTL_API_KEY_FILE (${file})`);
    expect(await used({ PAYCTL_API_KEY: KEY, PAYCTL_API_KEY_FILE: file })).toBe('PAYCTL_API_KEY');
    await home.payctl(['auth', 'login', '--with-api-key', '--insecure-storage'], { stdin: KEY });
    expect(await used({ PAYCTL_API_KEY: KEY })).toBe('PAYCTL_API_KEY');
    expect(await used({ PAYCTL_API_KEY: KEY }, '--profile', 'shop')).toMatch(/^profile shop \(/);
    const secrets = join(home.configDirectory, 'secrets');
    // As a login leaves them that was killed.
    for (const left of ['shop.0123abcd.basic', 'gone.0123abcd.api-key'])
      writeFileSync(join(secrets, left), 'x');
    expect(await home.payctl(['auth', 'logout', '--all'])).toMatchObject({ code: 0 });
    expect(readdirSync(secrets)).toEqual([]);
  });

  it('stores nothing where the service refuses the credentials, and says that they were not checked where nothing says how', async () => {
    const { home } = await shopOf('login');
    const refusing = await serveAnswers({
      status: 401,
      body: { type: 'error', code: 'unauthorized', status: 401 },
    });
    await home.payctl(['profiles', 'set', 'shop', '--base-url', refusing.origin]);
    const login = ['auth', 'login', '--insecure-storage', '--with-basic', '--profile'];
    const refused = await home.payctl([...login, 'shop'], { stdin: PAIR });
    expect(refused).toMatchObject({ code: 3, stdout: '' });
    expect(refused.stderr).toContain(
      'Likely cause: the service does not accept the password from standard input\n',
    );
    expect(refusing.requests.map(({ headers }) => headers.authorization)).toEqual([
      `Basic ${Buffer.from(PAIR).toString('base64')}`,
    ]);
    expect((await home.payctl(['profiles', 'show', 'shop', '--jq', '.credentials'])).stdout).toBe('null\n');
    const bare = await home.payctl([...login, 'bare', '--base-url', refusing.origin], { stdin: PAIR });
    expect(bare.code).toBe(0);
    expect(bare.stderr).toContain(
      'The credentials were not checked: without an API description, payctl does not know where to send them. Import it: payctl api import FILE --profile bare\n',
    );
    expect(refusing.requests).toHaveLength(1);
    const unusable = await home.payctl([...login, 'bare'], { stdin: 'no-colon' });
    expect(unusable).toMatchObject({ code: 3, stdout: '' });
    expect(unusable.stderr).toContain(
      'standard input is not a user name and a password with a colon between them',
    );
  });
});

/** The secret names its origin, only its owner can read it, and it goes nowhere else. */
async function expectBound(home: Home, { origin, name }: { readonly origin: string; readonly name: string }) {
  const folder = join(home.configDirectory, 'secrets');
  const [file = ''] = readdirSync(folder);
  expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(folder, file), 'utf8')).toMatch(new RegExp(`^payctl secret for ${origin}\\n`));
  const other = await serveAnswers();
  const away = await home.payctl([...list, '--base-url', other.origin]);
  expect(away).toMatchObject({ code: 3, stdout: '' });
  expect(away.stderr).toContain(`Error: The ${name} from profile shop (`);
  expect(away.stderr).toContain(
    ` is for ${origin} and is not sent to ${other.origin}, which comes from --base-url`,
  );
  expect(other.requests).toEqual([]);
}

async function outputs(
  home: Home,
  commands: readonly (readonly string[])[],
  env: Readonly<Record<string, string>>,
) {
  return await Promise.all(commands.map(async (command) => await home.start(command, { env }).done));
}
