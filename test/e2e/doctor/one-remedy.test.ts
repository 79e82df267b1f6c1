import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { emulatorDirectory } from '../../../src/config/environment.ts';
import { answering, doctor, serviceOf, TRIED, UNTRIED } from '../../features/doctor/run-doctor.ts';
import type { Handler } from '../../harness/http-server.ts';
import { against } from '../paged-service.ts';
import { quickHomes } from '../quick-homes.ts';
import { useEmulator } from '../shared-emulator.ts';

const { freshHome, useHome } = quickHomes();

/** The findings other than `pass`, without those that could not be made. */
const problemsOf = (stdout: string) =>
  stdout.split('\n').filter((line) => line.startsWith('fail\t') || line.startsWith('warn\t'));

/** What a run finds where every list gives the same response, and how it ends. */
async function found(handler: Handler, env?: Readonly<Record<string, string>>) {
  const server = await serviceOf({ '*': handler });
  const { stdout, stderr, code } = await doctor(
    freshHome(),
    [],
    env ? { PAYCTL_BASE_URL: server.origin, ...env } : against(server),
  );
  return { problems: problemsOf(stdout), stderr, code };
}

const html = { 'content-type': 'text/html' };
const page = '<!doctype html><title>Sign in</title>';
const elsewhere = (what: string, status: number, remedy: string) => ({
  problems: [`fail\tanswer\t${what} responds in N ms instead of the service (${status})\t${remedy}`],
  stderr: '1 problem.\n',
  code: 9,
});

describe('something other than the service', () => {
  it.each([302, 307])(
    'is a sign-in page, and never the base URL to set: a %i to another origin',
    async (status) => {
      const portal = answering(status, page, { ...html, location: 'https://portal.example/login' });
      expect(await found(portal)).toEqual(
        elsewhere(
          'a redirect',
          status,
          'Open http://127.0.0.1:PORT5 in a browser and sign in: the network or a proxy in front of the service requires it.',
        ),
      );
    },
  );

  it('is an address that the service has left: a 301 to another origin', async () => {
    const moved = answering(301, '', { location: 'https://new.example/roles' });
    expect(await found(moved)).toEqual(
      elsewhere(
        'a redirect',
        301,
        'If you know that https://new.example is the service, set the base URL to it.',
      ),
    );
  });

  it.each([
    [
      200,
      page,
      html,
      'Open the base URL in a browser: the network may require you to sign in, or the base URL is wrong.',
    ],
    [
      200,
      page,
      {},
      'Open the base URL in a browser: the network may require you to sign in, or the base URL is wrong.',
    ],
    [
      403,
      page,
      html,
      'Ask the operator of the proxy or firewall in front of the service to let this machine through.',
    ],
    [404, page, {}, 'Check that the base URL points to the service.'],
  ])('is a web page: %i %s', async (status, body, headers, remedy) => {
    expect(await found(answering(status, body, headers))).toEqual(elsewhere('a web page', status, remedy));
  });

  it('is another server: a response that is not JSON', async () => {
    expect(await found(answering(200, 'OK'))).toEqual(
      elsewhere('another server', 200, 'Check that the base URL points to the service.'),
    );
  });

  it('is below the base URL: a 404 of every list', async () => {
    const missing = {
      type: 'error',
      code: 'not_found',
      status: 404,
      message: 'The resource could not be found',
    };
    expect(await found(answering(404, missing))).toEqual({
      problems: [
        'fail\tcredentials\tthe token from PAYCTL_TOKEN can be used; GET /digital-wallets failed: The resource could not be found (404)\tCheck that the base URL points to the service.',
      ],
      stderr: '1 problem.\n',
      code: 9,
    });
  });
});

const PRIVATE_KEY = generateKeyPairSync('ed25519')
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();
const withKey = { PAYCTL_PRIVATE_KEY: PRIVATE_KEY };
const unauthorized = (type: string, message: string) => ({
  type: 'error',
  code: 'unauthorized',
  status: 401,
  message: 'No valid API authentication found',
  details: [{ type, pointer: '/authorization', message, location: 'header' }],
});

describe('a key that the service rejects', () => {
  const late = { date: new Date(Date.now() + 3_600_000).toUTCString() };

  it('is not judged while the clock is wrong: the clock is the only problem', async () => {
    const expired = answering(401, unauthorized('token_expired', 'the token has expired'), late);
    const { problems, stderr, code } = await found(expired, withKey);
    expect(problems).toEqual([
      expect.stringMatching(
        /^fail\tclock\t\S+ minutes behind the service: tokens signed here have expired when they arrive\tSet the clock of this machine\b/,
      ),
    ]);
    expect({ stderr, code }).toEqual({ stderr: '1 problem.\n', code: 3 });
  });

  it('is one of another instance where the service does not know it, whatever the clock says', async () => {
    const unknown = answering(401, unauthorized('key_unknown', 'the token does not name a registered key'));
    const { problems, stderr, code } = await found(unknown, withKey);
    expect(problems).toEqual([
      expect.stringMatching(
        /^fail\tcredentials\tthe service rejects the key from PAYCTL_PRIVATE_KEY \(401: No valid API authentication found, the token does not name a registered key\); key ID \S+\tReplace the key in PAYCTL_PRIVATE_KEY, or unset it and log in: payctl auth login$/,
      ),
    ]);
    expect({ stderr, code }).toEqual({ stderr: '1 problem.\n', code: 3 });
  });
});

describe('a key that is restricted', () => {
  const home = useHome();
  const emulator = useEmulator(home);
  const env = () => ({
    PAYCTL_BASE_URL: emulator().baseUrl,
    PAYCTL_PRIVATE_KEY_FILE: join(emulatorDirectory(home), 'restricted-key.pem'),
  });
  const run = async (...args: string[]) => {
    const { stdout, stderr, code } = await doctor(home, args, env());
    return { problems: problemsOf(stdout), stderr, code };
  };

  it('fails without the merchant account that the service names, and asks for no scopes', async () => {
    expect(await run()).toEqual({
      problems: [
        expect.stringMatching(
          /^fail\tmerchant-account\tthe key from PAYCTL_PRIVATE_KEY_FILE \(.*\) is restricted to the merchant account outlet; the service refuses requests without one\tUse this merchant account: -m outlet$/,
        ),
      ],
      stderr: '1 problem.\n',
      code: 6,
    });
  });

  it('fails with another merchant account, and passes with the one it is for', async () => {
    const other = await run('-m', 'default');
    expect(other.problems).toEqual([
      expect.stringContaining(
        'the service refuses requests for default (--merchant-account)\tUse this merchant account: -m outlet',
      ),
    ]);
    expect(other.code).toBe(6);
    expect(await run('-m', 'outlet')).toEqual({ problems: [], stderr: 'No problems.\n', code: 0 });
  });

  it('as a whole is refused for that reason, and not for its scopes', async () => {
    const body = { type: 'error', code: 'forbidden', status: 403, message: 'The API key is restricted' };
    expect(await found(answering(403, body))).toEqual({
      problems: [
        expect.stringMatching(
          new RegExp(
            `^fail\tscopes\t0 of ${TRIED} testable commands are allowed; not allowed: .*; ${UNTRIED.replace(/[()]/g, '\\$&')}; the API key is restricted; other scopes would not help\tUse another key, or ask the administrator of the key to lift the restriction\\.$`,
          ),
        ),
      ],
      stderr: '1 problem.\n',
      code: 4,
    });
  });
});
