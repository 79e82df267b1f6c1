import { describe, expect, it } from 'vitest';
import { useHome } from '../../harness/run-payctl.ts';
import { answeringBuyers, SECRET_TOKEN, serveBuyers } from '../paged-service.ts';
import { HOST, startNetwork } from './corporate.ts';

const home = useHome();
const PASSWORD = 'open-sesame-1234';
const idsOf = (stdout: string) => stdout.trim().split('\n').length;

describe('a machine whose only way out is a proxy', () => {
  it.each(['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy', 'PAYCTL_PROXY'])(
    'lists buyers through the proxy of %s',
    async (name) => {
      const { settings, proxy, authorityFile } = await startNetwork(home);
      const env = { ...settings, NODE_EXTRA_CA_CERTS: authorityFile, [name]: proxy.url };
      const run = await home.payctl(['buyers', 'list', '-q', '-o', 'ndjson'], { env });
      expect({ ...run, stdout: idsOf(run.stdout) }).toMatchObject({ stdout: 2, stderr: '', code: 0 });
      expect(proxy.connects).toHaveLength(1);
    },
  );

  it('takes the proxy of a flag and of a profile, too', async () => {
    const { settings, proxy, authorityFile } = await startNetwork(home);
    const { PAYCTL_BASE_URL: url, ...env } = { ...settings, NODE_EXTRA_CA_CERTS: authorityFile };
    const set = await home.payctl(['profiles', 'set', 'corp', '--base-url', url, '--proxy', proxy.url]);
    expect(set).toMatchObject({ code: 0 });
    const named = await home.payctl(['buyers', 'list', '-q', '-o', 'ndjson', '--profile', 'corp'], {
      env: { ...env, HTTPS_PROXY: 'http://127.0.0.1:1' },
    });
    expect(named).toMatchObject({ stderr: '', code: 0 });
    const flag = await home.payctl(
      ['buyers', 'list', '-q', '-o', 'ndjson', '--base-url', url, '--proxy', proxy.url],
      { env },
    );
    expect(flag).toMatchObject({ stderr: '', code: 0 });
    expect(proxy.connects).toHaveLength(2);
  });

  it('exports 100,000 buyers through one tunnel', async () => {
    const { env, proxy, server } = await startNetwork(home, { handler: answeringBuyers(100_000) });
    const run = await home.shell('$PAYCTL buyers list --all -o ndjson | wc -l', { env });
    expect(run).toMatchObject({ stdout: '100000\n', code: 0 });
    expect([proxy.connects.length, server.requests.length]).toEqual([1, 1000]);
  }, 60_000);
  it('survives a restart of the proxy between two pages', async () => {
    let restart: () => Promise<unknown> = async () => {};
    const answer = answeringBuyers(250);
    let requests = 0;
    const network = await startNetwork(home, {
      handler: (request, response) => {
        requests += 1;
        if (requests !== 2) return answer(request, response);
        void restart().then(() => answer(request, response));
      },
    });
    restart = network.restartProxy;
    const run = await home.payctl(['buyers', 'list', '--all', '-o', 'ndjson'], { env: network.env });
    expect({ items: idsOf(run.stdout), code: run.code }).toEqual({ items: 250, code: 0 });
    expect(run.stderr).toMatch(/^\{"warning":\{"code":"retry",/);
  });
});

describe('the credentials of a proxy', () => {
  it('are sent to the proxy and printed nowhere', async () => {
    const { env, proxy, server } = await startNetwork(home, { proxy: { credentials: `ann:${PASSWORD}` } });
    const withPassword = proxy.url.replace('://', `://ann:${PASSWORD}@`);
    for (const args of [
      ['buyers', 'list', '-v'],
      ['doctor', '-v', '--json'],
      ['doctor'],
      ['auth', 'status'],
    ]) {
      const { stdout, stderr, code } = await home.payctl(args, {
        env: { ...env, HTTPS_PROXY: withPassword, NODE_DEBUG: 'http,tls,net' },
      });
      expect(code).toBe(0);
      const ours = stderr.replace(/^(HTTP|TLS|NET) \d+: .*$/gm, '');
      expect(`${stdout}${ours}`).not.toContain(PASSWORD);
      expect(`${stdout}${ours}`).not.toContain(Buffer.from(`ann:${PASSWORD}`).toString('base64'));
    }
    expect(JSON.stringify(server.requests)).not.toMatch(/proxy-auth|sesame/i);
    expect(proxy.carried()).not.toContain(SECRET_TOKEN);
    expect(JSON.stringify(proxy.connects)).not.toContain(SECRET_TOKEN);
  });

  it('are missing: the error names the variable and says how to give them', async () => {
    const { env, proxy } = await startNetwork(home, { proxy: { credentials: `ann:${PASSWORD}` } });
    expect(await home.payctl(['buyers', 'list'], { env })).toMatchObject({
      stdout: '',
      stderr: [
        `Error: No response from https://${HOST}: the proxy ${proxy.url} (HTTPS_PROXY) requires a user name and a password (407) (proxy_credentials)`,
        `Request: GET https://${HOST}/buyers`,
        `Set them in a variable, with special characters percent-encoded: export HTTPS_PROXY=${proxy.url.replace('://', '://USER:PASSWORD@')}`,
        'Try: payctl doctor',
        '',
      ].join('\n'),
      code: 9,
    });
  });

  it.each([
    ['--proxy', ['buyers', 'list', '--proxy', `http://ann:${PASSWORD}@proxy:3128`], {}],
    ['--proxy', ['profiles', 'set', 'corp', '--proxy', `http://ann:${PASSWORD}@proxy:3128`], {}],
    ['HTTPS_PROXY', ['buyers', 'list'], { HTTPS_PROXY: `http://ann:${PASSWORD}#@proxy:3128` }],
    ['ALL_PROXY', ['buyers', 'list'], { ALL_PROXY: `socks5://ann:${PASSWORD}@proxy:3128` }],
  ])('are not shown where they cannot be used: %s', async (name, args, env) => {
    const settings = { PAYCTL_BASE_URL: `https://${HOST}`, PAYCTL_TOKEN: SECRET_TOKEN };
    const { stdout, stderr, code } = await home.payctl(args, { env: { ...settings, ...env } });
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
    expect(stderr).toMatch(new RegExp(`^Error: ${name} `));
    expect(stderr).not.toContain(PASSWORD);
  });
});

describe('a proxy is not used', () => {
  it.each([
    ['HTTP_PROXY', { HTTP_PROXY: 'http://127.0.0.1:1', http_proxy: 'http://127.0.0.1:1' }],
    ['on this machine', { HTTPS_PROXY: 'http://127.0.0.1:1', ALL_PROXY: 'socks5://127.0.0.1:1' }],
  ])('for a service on loopback: %s', async (_, env) => {
    const server = await serveBuyers(1);
    const settings = { PAYCTL_BASE_URL: server.origin, PAYCTL_TOKEN: SECRET_TOKEN };
    const run = await home.payctl(['buyers', 'list', '-q', '-o', 'ndjson'], { env: { ...settings, ...env } });
    expect(run).toMatchObject({ stderr: '', code: 0 });
  });

  it('for a service on loopback over TLS', async () => {
    const { server, env, proxy } = await startNetwork(home);
    const run = await home.payctl(['buyers', 'list', '-q', '-o', 'ndjson'], {
      env: { ...env, PAYCTL_BASE_URL: server.origin },
    });
    expect(run).toMatchObject({ stderr: '', code: 0 });
    expect(proxy.connects).toEqual([]);
  });

  it('for the emulator', async () => {
    const env = { ALL_PROXY: 'socks5://127.0.0.1:1', HTTPS_PROXY: 'nonsense proxy' };
    const run = await home.payctl(['buyers', 'list', '--limit', '1', '-o', 'json', '--profile', 'emulator'], {
      env,
    });
    expect(run).toMatchObject({ code: 0 });
  });

  it('for a host that NO_PROXY excludes, which the error says', async () => {
    const { env, proxy } = await startNetwork(home);
    const run = await home.payctl(['buyers', 'list', '--max-retries', '0', '--json'], {
      env: { ...env, NO_PROXY: 'localhost,.corp.invalid' },
    });
    expect(JSON.parse(run.stderr)).toMatchObject({
      error: {
        code: 'dns',
        message: expect.stringContaining(
          `; the proxy of HTTPS_PROXY was not used, because NO_PROXY excludes ${HOST} (".corp.invalid")`,
        ),
      },
    });
    expect([run.code, proxy.connects.length]).toEqual([9, 0]);
  });

  it('where an empty variable in lower case is set: the one in upper case counts', async () => {
    const { env, proxy } = await startNetwork(home);
    const run = await home.payctl(['buyers', 'list', '-q', '-o', 'ndjson'], {
      env: { ...env, https_proxy: '', no_proxy: '', NO_PROXY: '' },
    });
    expect([run.code, proxy.connects.length]).toEqual([0, 1]);
  });
});

it('--verbose names the proxy and what chose it', async () => {
  const { env, proxy } = await startNetwork(home);
  const { stderr } = await home.payctl(['buyers', 'list', '-v'], { env });
  expect(stderr).toContain(`* proxy: ${proxy.url} (HTTPS_PROXY)\n`);
  const excluded = await home.payctl(['buyers', 'list', '-v', '--max-retries', '0'], {
    env: { ...env, NO_PROXY: '*' },
  });
  expect(excluded.stderr).toContain(
    `* proxy: the proxy of HTTPS_PROXY was not used, because NO_PROXY excludes ${HOST} ("*")\n`,
  );
});
