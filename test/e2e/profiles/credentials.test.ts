import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failed } from '../../harness/outcome.ts';
import { printedError } from '../../harness/printed-error.ts';
import type { Home } from '../../harness/run-payctl.ts';
import { KEYS_WITH_LEADING_ZEROS } from '../../tokens/key-vectors.ts';
import { SECRET_TOKEN, serveAnswers } from '../paged-service.ts';
import { quickHomes } from '../quick-homes.ts';

const { freshHome } = quickHomes();

const { pem: KEY = '' } = KEYS_WITH_LEADING_ZEROS[0] ?? {};
const ROLES = { body: { items: [], limit: 1, next_cursor: null, previous_cursor: null } };
const VARIABLES = 'PAYCTL_TOKEN, PAYCTL_TOKEN_FILE, PAYCTL_PRIVATE_KEY or PAYCTL_PRIVATE_KEY_FILE';

/** A home that is logged in to a service, and another service that must not see its token. */
async function loggedIn() {
  const home = freshHome();
  const own = await serveAnswers(ROLES, ROLES, ROLES);
  const other = await serveAnswers(ROLES, ROLES, ROLES);
  const login = ['auth', 'login', '--profile', 'acme', '--base-url', own.origin, '--no-verify'];
  const run = await home.payctl([...login, '--with-token', '--insecure-storage'], { stdin: SECRET_TOKEN });
  expect(run).toMatchObject({ code: 0 });
  return { home, own, other };
}

const tokensAt = ({ requests }: Awaited<ReturnType<typeof serveAnswers>>) =>
  requests.map(({ headers }) => headers.authorization);

function profilesFile(home: Home): string {
  return join(home.configDirectory, 'profiles.json');
}

function secrets(home: Home): string[] {
  return readdirSync(join(home.configDirectory, 'secrets'));
}

describe('the credentials of a profile', () => {
  it.each([
    ['PAYCTL_BASE_URL', 'Unset', true, []],
    ['--base-url', 'Remove', false, []],
    ['--base-url', 'Remove', false, ['--profile', 'acme']],
  ])('are sent to its address only: %s', async (name, verb, isVariable, flags) => {
    const { home, own, other } = await loggedIn();
    const away = isVariable ? [] : ['--base-url', other.origin];
    const env = isVariable ? { PAYCTL_BASE_URL: other.origin } : {};
    const run = await home.payctl(['roles', 'list', ...flags, ...away, '-q'], { env });
    expect({ ...run, stderr: run.stderr.replace(/\(\/.*token\)/, '(FILE)') }).toEqual(
      failed(
        3,
        `Error: The token from profile acme (FILE) is for ${own.origin} and is not sent to ${other.origin}, which comes from ${name} (no_credentials)`,
        `${verb} ${name} to use it, or set ${VARIABLES} to credentials for ${other.origin}.`,
      ),
    );
    expect([own.requests, other.requests]).toEqual([[], []]);
  });

  it('stay at home where variables have others', async () => {
    const { home, own, other } = await loggedIn();
    const env = { PAYCTL_TOKEN: 'token-of-the-variable' };
    const args = ['roles', 'list', '--profile', 'acme', '--base-url', other.origin];
    expect(await home.payctl(args, { env })).toMatchObject({ code: 0 });
    expect(tokensAt(other)).toEqual(['Bearer token-of-the-variable']);
    expect(own.requests).toEqual([]);
  });

  it('precede those of variables with --profile, and follow them without', async () => {
    const { home, own, other } = await loggedIn();
    const env = { PAYCTL_TOKEN: 'token-of-the-variable', PAYCTL_BASE_URL: other.origin };
    expect(await home.payctl(['roles', 'list', '--profile', 'acme'], { env })).toMatchObject({ code: 0 });
    expect(await home.payctl(['roles', 'list'], { env: { ...env, PAYCTL_PROFILE: 'acme' } })).toMatchObject({
      code: 0,
    });
    expect(tokensAt(own)).toEqual([`Bearer ${SECRET_TOKEN}`]);
    expect(tokensAt(other)).toEqual(['Bearer token-of-the-variable']);
    const { stdout } = await home.payctl(['auth', 'status', '--json', '--profile', 'acme'], { env });
    expect(JSON.parse(stdout)).toMatchObject({
      base_url: own.origin,
      sources: [
        { source: expect.stringMatching(/^profile acme /), wins: true, problem: null },
        { source: 'PAYCTL_TOKEN', wins: false, problem: null },
      ],
    });
    const verbose = await home.payctl(['roles', 'list', '-v', '--profile', 'acme'], { env });
    expect(verbose.stderr).toContain('* credentials: profile acme (');
  });

  it('are told by auth status and doctor where they are not used', async () => {
    const { home, own, other } = await loggedIn();
    const env = { PAYCTL_BASE_URL: other.origin };
    const status = await home.payctl(['auth', 'status', '--json'], { env });
    expect(status.code).toBe(3);
    const problem = expect.stringContaining(`is for ${own.origin} and is not sent to ${other.origin}`);
    expect(JSON.parse(status.stdout)).toMatchObject({
      usable: false,
      credentials: null,
      sources: [{ kind: 'token', wins: false, problem }],
    });
    const doctor = await home.payctl(['doctor', '--json'], { env });
    const { checks } = JSON.parse(doctor.stdout);
    expect(checks.find(({ name }: { name: string }) => name === 'credentials')).toMatchObject({
      state: 'fail',
      message: problem,
      remedy: expect.stringMatching(/^Unset PAYCTL_BASE_URL /),
    });
  });

  it.each([
    [['--base-url', 'https://new.example.com'], 'the profile now points to https://new.example.com'],
    [['--unset', 'base-url'], 'the profile no longer has an address'],
  ])('are deleted when the profile leads elsewhere: %j', async (change, leads) => {
    const { home, own } = await loggedIn();
    const run = await home.payctl(['profiles', 'set', 'acme', ...change]);
    expect(run.stderr).toBe(
      `Logged out of acme: its token was for ${own.origin}, and ${leads}. Next: payctl auth login --profile acme\n`,
    );
    expect(run.code).toBe(0);
    expect(secrets(home)).toEqual([]);
    expect(JSON.parse(readFileSync(profilesFile(home), 'utf8')).profiles.acme.credentials).toBeUndefined();
  });

  it('stay where the profile changes and its origin does not', async () => {
    const { home, own } = await loggedIn();
    const run = await home.payctl(['profiles', 'set', 'acme', '--base-url', `${own.origin}/v2`, '-m', 'x']);
    expect(run).toMatchObject({ stderr: '', code: 0 });
    expect(secrets(home)).toHaveLength(1);
  });

  it('are deleted when another instance makes another host', async () => {
    const home = freshHome();
    const keyFile = join(home.path, 'key.pem');
    writeFileSync(keyFile, KEY, { mode: 0o600 });
    const login = ['auth', 'login', '--profile', 'acme', '--base-url', 'https://{id}.example.com'];
    await home.payctl([...login, '--instance', 'one', '--no-verify', '--key-file', keyFile]);
    const run = await home.payctl(['profiles', 'set', 'acme', '--instance', 'two']);
    expect(run.stderr).toBe(
      `Logged out of acme: its key was for https://one.example.com, and the profile now points to https://two.example.com. ${keyFile} is your own file and was not deleted. Next: payctl auth login --profile acme\n`,
    );
    expect(readFileSync(keyFile, 'utf8')).toBe(KEY);
    const used = await home.payctl(['roles', 'list', '--profile', 'acme', '--max-retries', '0']);
    expect(printedError(used.stderr)).toMatchObject({ code: 'no_credentials' });
  });

  it('do not follow a profiles file that was edited', async () => {
    const { home, own, other } = await loggedIn();
    const file = profilesFile(home);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(own.origin, other.origin));
    const run = await home.payctl(['roles', 'list']);
    expect(run).toMatchObject({ stdout: '', code: 3 });
    expect(printedError(run.stderr)).toEqual({
      code: 'no_credentials',
      message: expect.stringMatching(/ was stored for http.*, but the profile now points to http/),
      hints: [`Store credentials for ${other.origin}: payctl auth login --profile acme`],
    });
    expect(other.requests).toEqual([]);
  });

  it('of an earlier version are bound to the address when they are first used', async () => {
    const { home, own } = await loggedIn();
    const [name = ''] = secrets(home);
    const file = join(home.configDirectory, 'secrets', name);
    writeFileSync(file, SECRET_TOKEN);
    expect(await home.payctl(['roles', 'list'])).toMatchObject({ code: 0 });
    expect(tokensAt(own)).toEqual([`Bearer ${SECRET_TOKEN}`]);
    expect(readFileSync(file, 'utf8')).toBe(`payctl secret for ${own.origin}\n${SECRET_TOKEN}`);
  });

  it('need an instance when they are stored for one', async () => {
    const home = freshHome();
    const login = ['auth', 'login', '--base-url', 'https://{id}.example.com', '--no-verify', '--with-token'];
    const run = await home.payctl([...login, '--insecure-storage'], { stdin: 'token' });
    expect(printedError(run.stderr)).toMatchObject({ code: 'instance_missing' });
    expect(run).toMatchObject({ stdout: '', code: 2 });
  });
});

describe('where only reading is allowed', () => {
  const CREATE = ['buyers', 'shipping-details', 'create', 'b1', '--first-name', 'Ada'];

  it.each([
    ['PAYCTL_READ_ONLY', { PAYCTL_READ_ONLY: '1' }, 'write'],
    ['the profile acme', {}, 'read'],
  ])('a change is refused and nothing is sent: %s', async (name, variables, access) => {
    const { home, own } = await loggedIn();
    await home.payctl(['profiles', 'set', 'acme', '--access', access]);
    const env = { ...variables, PAYCTL_PRIVATE_KEY: KEY };
    const run = await home.payctl([...CREATE, '--yes'], { env });
    expect(run).toMatchObject({ stdout: '', code: 2 });
    expect(printedError(run.stderr)).toMatchObject({
      code: 'read_only',
      message: `Nothing was sent: this command changes something, and ${name} allows only read access`,
    });
    expect(own.requests).toEqual([]);
    expect(await home.payctl(['roles', 'list'], { env })).toMatchObject({ code: 0 });
    expect(await home.payctl([...CREATE, '--dry-run'], { env })).toMatchObject({ code: 0 });
    const token = await home.payctl(['auth', 'token', '--scope', 'buyers.read,buyers.write'], { env });
    expect(token).toMatchObject({ stdout: '', code: 2 });
    expect(token.stderr).toContain('No token was signed: the scope "buyers.write" allows changes');
    const status = await home.payctl(['auth', 'status', '--json'], { env });
    expect(JSON.parse(status.stdout)).toMatchObject({ read_only: true });
    const doctor = await home.payctl(['doctor', '--jq', '.checks[1].message'], { env });
    expect(doctor.stdout).toContain('; read-only (');
  });
});
