import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROBE_IDS } from '../../../src/cli/routing/catalog/probes.ts';
import { operations } from '../../../src/contract/generated/operations.ts';
import {
  answering,
  COMMANDS,
  doctor,
  HEADER,
  serviceOf,
  steady,
  TRIED,
  UNTRIED,
} from '../../features/doctor/run-doctor.ts';
import { lines } from '../../harness/lines.ts';
import { failed, succeeded } from '../../harness/outcome.ts';
import { against, SECRET_TOKEN, serve } from '../paged-service.ts';
import { quickHomes } from '../quick-homes.ts';

const { freshHome } = quickHomes();

describe('where nothing is wrong', () => {
  it('has nine good lines and exits with 0', async () => {
    const server = await serviceOf();
    expect(await doctor(freshHome(), [], against(server))).toEqual({
      stdout: lines(
        HEADER,
        'pass\tconfiguration\tno profiles yet\t',
        'pass\tsettings\tno profile; base URL http://127.0.0.1:PORT5 (PAYCTL_BASE_URL)\t',
        'pass\thost\t127.0.0.1 is an IP address; no lookup is needed\t',
        'pass\ttls\tplain http to this machine; no certificate is needed\t',
        'pass\tanswer\tthe service responds in N ms\t',
        'pass\tclock\tmatches the clock of the service\t',
        'pass\tcredentials\tthe service accepts the token from PAYCTL_TOKEN\t',
        `pass\tscopes\t${TRIED} of ${TRIED} testable commands are allowed; ${UNTRIED}\t`,
        'pass\tmerchant-account\tnot set; the header is not sent\t',
      ),
      stderr: 'No problems.\n',
      code: 0,
    });
  });

  it('asks one list, then each of them once, and changes nothing', async () => {
    const server = await serviceOf();
    await doctor(freshHome(), [], against(server));
    const [roles, ...lists] = server.requests.map(
      ({ method, url, headers }) => `${method} ${url} ${headers.authorization ?? 'no token'}`,
    );
    expect(roles).toBe(`GET /roles?limit=1 Bearer ${SECRET_TOKEN}`);
    const paths = PROBE_IDS.map(
      (id) => `${operations[id].path}${operations[id].paginated ? '?limit=1' : ''}`,
    );
    expect(lists.sort()).toEqual(paths.map((path) => `GET ${path} Bearer ${SECRET_TOKEN}`).sort());
  });

  it('leaves no entry in the logs of the service, whatever the scopes of a token are', async () => {
    const home = freshHome();
    const emulator = ['--profile', 'emulator', '--json'];
    const logs = async () => {
      const run = await home.payctl(['api-logs', 'list', ...emulator, '--jq', '.items | length']);
      return Number(run.stdout);
    };
    const before = await logs();
    expect((await home.payctl(['doctor', ...emulator])).code).toBe(0);
    const scopes = ['--scope', 'buyers.read', '--scope', 'audit-logs.read'];
    const token = await home.payctl(['auth', 'token', '--profile', 'emulator', ...scopes]);
    const env = { PAYCTL_PROFILE: 'emulator', PAYCTL_TOKEN: token.stdout.trim() };
    const run = await home.payctl(['doctor', '--json'], { env });
    const { checks } = JSON.parse(run.stdout);
    expect(checks[7]).toMatchObject({ state: 'warn', allowed: 2 });
    expect(await logs()).toBe(before);
  });

  it('asks without a token where there is none', async () => {
    const server = await serviceOf({ '/prefix/roles': answering(401) });
    const env = { PAYCTL_BASE_URL: `${server.origin}/prefix/` };
    const run = await freshHome().payctl(['doctor', '--json'], { env });
    const seen = server.requests.map(({ url, headers }) => [url, headers.authorization]);
    expect(seen).toEqual([['/prefix/roles?limit=1', undefined]]);
    expect(JSON.parse(run.stdout).checks[4]).toMatchObject({ state: 'pass', status: 401 });
  });

  it('says which lists the service does not have', async () => {
    const missing = answering(404, { type: 'error', code: 'not_found', message: 'No' });
    const server = await serviceOf({ '/roles': missing, '/api-logs': answering(405) });
    const run = await freshHome().payctl(['doctor', '--json'], { env: against(server) });
    const { checks, problems } = JSON.parse(run.stdout);
    expect([checks[6].state, problems]).toEqual(['pass', 0]);
    expect(checks[7]).toMatchObject({
      state: 'warn',
      message: `${TRIED - 2} of ${TRIED} testable commands are allowed; not offered by the service: api-logs list, roles list; ${UNTRIED}`,
      remedy: 'These commands do not work with this service.',
    });
  });

  it('runs the emulator itself where a profile asks for it', async () => {
    const home = freshHome();
    const run = await doctor(home, [
      '--profile',
      'emulator',
      '--columns',
      'state,name,message',
      '--no-header',
    ]);
    expect(run.stdout.split('\n').slice(0, 2)).toEqual([
      'pass\tconfiguration\tno profiles yet',
      'pass\tsettings\tprofile emulator (--profile); base URL http://127.0.0.1:PORT5 (profile emulator)',
    ]);
    const key = join(home.configDirectory, 'data/emulator/signing-key.pem');
    expect(run.stdout).toMatch(
      `pass\tcredentials\tthe service accepts the key from profile emulator (${key}); key ID `,
    );
    expect(run).toMatchObject({ stderr: 'No problems.\n', code: 0 });
  });

  it('is wrapped on a terminal of 80 columns', async () => {
    const server = await serviceOf();
    const env = { ...against(server), PAYCTL_TOKEN_FILE: '/run/token' };
    const terminal = { columns: 80 };
    const run = await freshHome().payctl(['doctor', '--no-color'], { env, terminal });
    expect({ ...run, stdout: steady(run.stdout) }).toEqual(
      succeeded(
        lines(
          'pass  configuration     no profiles yet',
          'pass  settings          no profile; base URL http://127.0.0.1:PORT5',
          '                        (PAYCTL_BASE_URL)',
          'pass  host              127.0.0.1 is an IP address; no lookup is needed',
          'pass  tls               plain http to this machine; no certificate is needed',
          'pass  answer            the service responds in N ms',
          'pass  clock             matches the clock of the service',
          'pass  credentials       the service accepts the token from PAYCTL_TOKEN; not',
          '                        used: PAYCTL_TOKEN_FILE (/run/token)',
          `pass  scopes            ${TRIED} of ${TRIED} testable commands are allowed; ${COMMANDS - TRIED} not tested (they`,
          '                        change data or need an ID)',
          'pass  merchant-account  not set; the header is not sent',
        ),
        'No problems.\n',
      ),
    );
  });
});

describe('formats', () => {
  it('is one document of a stable shape with --json, and nothing beside it', async () => {
    const server = await serviceOf();
    const run = await doctor(freshHome(), ['--json', '-m', 'outlet'], against(server));
    const document = JSON.parse(run.stdout);
    expect(Object.keys(document)).toEqual(['checks', 'problems', 'warnings']);
    expect(document).toMatchObject({ problems: 0, warnings: 0 });
    const members = document.checks.map((found: object) => Object.keys(found).join(' '));
    const common = 'name state message remedy';
    expect(members).toEqual([
      `${common} file profiles open`,
      `${common} profile profile_source environment environment_source read_only base_url base_url_source`,
      `${common} addresses`,
      common,
      `${common} status milliseconds`,
      `${common} skew_seconds`,
      `${common} source kind others key_id expires_at scopes accepted`,
      `${common} allowed refused commands`,
      `${common} merchant_account source accepted`,
    ]);
    expect(document.checks[7].commands).toContainEqual({
      command: 'buyers list',
      scope: 'buyers.read',
      state: 'allowed',
      by: 'service',
    });
    expect(document.checks[7].commands).toContainEqual({
      command: 'checkout-sessions update',
      scope: 'checkout-sessions.write',
      state: 'not_tried',
      by: null,
    });
    expect(run).toMatchObject({ stderr: '', code: 0 });
  });

  it('is a line for each check with ndjson, and can be cut down and filtered', async () => {
    const env = {};
    const home = freshHome();
    const columns = ['--columns', 'name,state'];
    const ndjson = await doctor(home, ['-o', 'ndjson', ...columns], env);
    expect(ndjson.stdout.split('\n').slice(0, 2)).toEqual([
      '{"name":"configuration","state":"pass"}',
      '{"name":"settings","state":"fail"}',
    ]);
    const json = await doctor(home, ['-o', 'json', ...columns], env);
    expect(JSON.parse(json.stdout).checks[1]).toEqual({ name: 'settings', state: 'fail' });
    const jq = await doctor(home, ['--jq', '.problems, .checks[1].name'], env);
    expect(jq).toEqual({ stdout: '1\nsettings\n', stderr: '1 problem.\n', code: 2 });
    for (const format of ['table', 'csv', 'markdown']) {
      const filtered = await doctor(home, ['-o', format, ...columns, '--jq', '.checks[1].name'], env);
      expect(filtered.stdout).toMatch(/\bsettings\b/);
    }
  });

  it('checks nothing when the filter is wrong', async () => {
    const server = await serviceOf();
    const run = await doctor(freshHome(), ['--jq', '.['], against(server));
    expect(run).toMatchObject({ stdout: '', code: 2 });
    expect(server.requests).toEqual([]);
  });
});

describe('an interrupt', () => {
  it('ends a run that waits for an answer with 130', async () => {
    const server = await serve(() => {});
    const running = freshHome().start(['doctor'], { env: against(server) });
    while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    running.kill('SIGINT');
    const run = await running.done;
    expect(run).toEqual(failed(130, 'Error: Interrupted (aborted)'));
  });

  it('leaves what was found so far on a terminal', async () => {
    const server = await serve(() => {});
    const terminal = { columns: 80 };
    const running = freshHome().start(['doctor', '--no-color'], { env: against(server), terminal });
    await running.sees('stdout', 'tls');
    while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    running.type('\u0003');
    const run = await running.done;
    expect(run.stdout).toMatch(/^pass {2}configuration[\s\S]*no certificate is needed\n$/);
    expect(run).toMatchObject({ stderr: 'Error: Interrupted (aborted)\n', code: 130 });
  });
});
