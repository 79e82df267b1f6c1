import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { serve } from '../../client/live-client.ts';
import { runInProcess } from '../../commands/run-in-process.ts';
import { answer, document } from '../../descriptions/describe.ts';
import type { Handler } from '../../harness/http-server.ts';
import { importedForAll, runImported } from './run-imported.ts';

const thing = { type: 'object', properties: { id: { type: 'string' } } };
const list = (security: unknown) => ({
  get: { security, responses: answer({ type: 'array', items: thing }) },
});
const description = document(
  {
    '/headers': list([{ headerKey: [] }]),
    '/queries': list([{ queryKey: [] }]),
    '/cookies': list([{ cookieKey: [] }]),
    '/logins': list([{ login: [] }]),
    '/eithers': list([{ queryKey: [] }, { headerKey: [] }, { login: [] }]),
    '/boths': list([
      { headerKey: [], appKey: [] },
      { login: [], bearer: ['boths.read'] },
    ]),
    '/raws': list([{ rawKey: [] }]),
    '/mixes': list([{ headerKey: [] }, { bearer: ['mixes.read'] }]),
    '/opens': list([]),
    '/anyones': list([{}, { headerKey: [] }]),
    '/tokens': list([{ bearer: ['tokens.read'] }]),
    '/changes': { post: { security: [{ queryKey: [] }], responses: { 204: { description: 'Done' } } } },
  },
  {
    components: {
      securitySchemes: {
        headerKey: { type: 'apiKey', in: 'header', name: 'X-Acme-Auth' },
        appKey: { type: 'apiKey', in: 'header', name: 'X-App' },
        queryKey: { type: 'apiKey', in: 'query', name: 'k' },
        cookieKey: { type: 'apiKey', in: 'cookie', name: 'sid' },
        rawKey: { type: 'apiKey', in: 'header', name: 'Authorization' },
        login: { type: 'http', scheme: 'Basic' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  },
);
const home = importedForAll(description);

const KEY = 'marked-api-key-0123456789';
const PAIR = 'ada:marked-password-98765';
const BASIC = `Basic ${Buffer.from(PAIR).toString('base64')}`;
const KEYED = { PAYCTL_API_KEY: KEY };
const PAIRED = { PAYCTL_BASIC_AUTH: PAIR };

/** Runs a command against a service of this test, and gives what it was sent. */
async function run(argv: readonly string[], env: Readonly<Record<string, string>>, handler: Handler = ok) {
  const server = await serve(handler);
  const done = await runInProcess(argv, {
    env: {
      PAYCTL_CONFIG_DIR: home.home,
      PAYCTL_DESCRIPTION: home.file,
      PAYCTL_BASE_URL: server.origin,
      PAYCTL_MAX_RETRIES: '0',
      ...env,
    },
  });
  const sent = server.requests.map(({ method, url, headers }) => ({ method, url, headers }));
  return { ...done, origin: server.origin, sent };
}

const ok: Handler = (_, response) => void response.end('[]');

describe('credentials other than tokens', () => {
  it.each([
    ['headers', KEYED, '/headers', { 'x-acme-auth': KEY }],
    ['queries', KEYED, `/queries?k=${KEY}`, {}],
    ['cookies', KEYED, '/cookies', { cookie: `sid=${KEY}` }],
    ['logins', PAIRED, '/logins', { authorization: BASIC }],
    ['eithers', KEYED, '/eithers', { 'x-acme-auth': KEY }],
    ['eithers', PAIRED, '/eithers', { authorization: BASIC }],
    ['raws', KEYED, '/raws', { authorization: KEY }],
    ['raws', { PAYCTL_TOKEN: 'opaque' }, '/raws', { authorization: 'Bearer opaque' }],
    ['anyones', KEYED, '/anyones', { 'x-acme-auth': KEY }],
    ['anyones', {}, '/anyones', {}],
    ['anyones', PAIRED, '/anyones', {}],
    ['opens', KEYED, '/opens', {}],
    ['mixes', { ...KEYED, PAYCTL_TOKEN: 'opaque' }, '/mixes', { authorization: 'Bearer opaque' }],
    ['mixes', KEYED, '/mixes', { 'x-acme-auth': KEY }],
    ['tokens', { ...KEYED, PAYCTL_TOKEN: 'opaque' }, '/tokens', { authorization: 'Bearer opaque' }],
    [
      'boths',
      { PAYCTL_API_KEY: '{"X-Acme-Auth":"first-key","x-app":"second-key"}' },
      '/boths',
      { 'x-acme-auth': 'first-key', 'x-app': 'second-key' },
    ],
  ])('are sent as the description of /%s says, with %j', async (words, env, url, expected) => {
    const { sent, code, stderr } = await run([words, 'list', '-o', 'json'], env);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(sent).toMatchObject([{ method: 'GET', url }]);
    const { authorization, cookie, 'x-acme-auth': key, 'x-app': app } = sent[0]?.headers ?? {};
    const carried = { authorization, cookie, 'x-acme-auth': key, 'x-app': app };
    expect(carried).toEqual({ ...{ authorization: undefined, cookie: undefined }, ...expected });
  });

  it.each([
    [
      'headers',
      {},
      'The request needs an API key (header x-acme-auth); no credentials are configured (no_credentials)\nSet PAYCTL_API_KEY or PAYCTL_API_KEY_FILE, or log in: payctl auth login --with-api-key\n',
    ],
    [
      'logins',
      KEYED,
      'The request needs a user name and password (HTTP Basic); payctl has only the API key from PAYCTL_API_KEY (no_credentials)\nSet PAYCTL_BASIC_AUTH or PAYCTL_BASIC_AUTH_FILE, or log in: payctl auth login --with-basic\n',
    ],
    [
      'boths',
      PAIRED,
      'The request needs an API key (header x-acme-auth) and an API key (header x-app), or a user name and password (HTTP Basic) and a token; payctl has only the password from PAYCTL_BASIC_AUTH (no_credentials)\nSet PAYCTL_API_KEY or PAYCTL_API_KEY_FILE, or log in: payctl auth login --with-api-key\n',
    ],
    [
      'boths',
      KEYED,
      'PAYCTL_API_KEY contains one API key, but the request needs several: x-acme-auth and x-app (no_credentials)\nPass them as a JSON object: {"x-acme-auth": "KEY", "x-app": "KEY"}\n',
    ],
    [
      'boths',
      { PAYCTL_API_KEY: '{"x-app":"second-key"}' },
      'PAYCTL_API_KEY contains no API key named x-acme-auth (no_credentials)\nAdd it to the JSON object: {"x-acme-auth": "KEY"}\n',
    ],
    [
      'tokens',
      KEYED,
      'The request needs a token; payctl has only the API key from PAYCTL_API_KEY (no_credentials)\nSet PAYCTL_TOKEN or PAYCTL_TOKEN_FILE, or log in: payctl auth login --with-token\n',
    ],
    [
      'logins',
      { PAYCTL_BASIC_AUTH: 'no-colon' },
      'PAYCTL_BASIC_AUTH is not a user name and a password with a colon between them (password_unusable)\nUse USER:PASSWORD; for a service that takes a key as the user name, KEY: with the colon at its end.\n',
    ],
  ])('that /%s takes are named where they are missing: %j', async (words, env, message) => {
    expect(await run([words, 'list'], env)).toMatchObject({
      code: 3,
      stdout: '',
      stderr: `Error: ${message}`,
      sent: [],
    });
  });

  it.each([
    [401, 'the service does not accept the API key from PAYCTL_API_KEY', 3],
    [403, 'the API key from PAYCTL_API_KEY does not allow this request', 4],
  ])('are named where the service refuses them with %d', async (status, cause, code) => {
    const done = await run(
      ['headers', 'list'],
      KEYED,
      (_, response) => void response.writeHead(status).end(),
    );
    expect(done).toMatchObject({ code, stdout: '' });
    expect(done.stderr).toMatch(new RegExp(`^Likely cause: ${cause}\nTry: payctl doctor\n$`, 'm'));
  });

  it('are named by help and by api show, which then have no --scope', async () => {
    const needs = 'a user name and password (HTTP Basic)';
    const { stdout } = await run(['logins', 'list', '--help'], {});
    expect(stdout).toContain(`Request: GET /logins with ${needs}.`);
    expect(stdout).not.toContain('--scope');
    expect((await run(['tokens', 'list', '--help'], {})).stdout).toContain(
      'Request: GET /tokens with the scope tokens.read.',
    );
    const shown = (await run(['api', 'show', 'logins', 'list'], {})).stdout;
    expect(shown).toMatch(new RegExp(`^Credentials +${needs.replaceAll(/[()]/g, '.')}$`, 'm'));
    expect(shown).not.toContain('scope');
    expect((await run(['api', 'list', '--columns', 'command,scopes', '--search', 'logins'], {})).stdout).toBe(
      'COMMAND\tSCOPES\nlogins list\t\n',
    );
    expect((await run(['api', 'show', 'logins', 'list', '--jq', '.security'], {})).stdout).toBe(
      '[[{"scheme":"login","type":"basic"}]]\n',
    );
  });

  it('of the description serve a path that it does not name, where all its operations take the same', async () => {
    const one = importedForAll(
      document(
        { '/things': { get: { responses: {} } } },
        {
          security: [{ headerKey: [] }],
          components: { securitySchemes: { headerKey: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
        },
      ),
    );
    const server = await serve(ok);
    const env = { ...KEYED, PAYCTL_BASE_URL: server.origin };
    expect((await runImported(['api', 'get', '/others', '-q'], one, { env })).code).toBe(0);
    expect(server.requests[0]?.headers['x-key']).toBe(KEY);
  });

  it('do not follow a redirect, and a link to another origin is refused', async () => {
    const elsewhere = await serve(ok);
    for (const words of ['headers', 'queries', 'cookies', 'logins']) {
      const env = words === 'logins' ? PAIRED : KEYED;
      const moved: Handler = (_, response) =>
        void response.writeHead(307, { location: `${elsewhere.origin}/${words}` }).end();
      expect(await run([words, 'list'], env, moved)).toMatchObject({ code: 9, stdout: '' });
      const linked: Handler = (_, response) =>
        void response
          .writeHead(200, { link: `<${elsewhere.origin}/${words}?page=2>; rel="next"` })
          .end('[{"id":"a"}]');
      expect(await run([words, 'list', '--cursor', `/${words}?page=1`, '--all'], env, linked)).toMatchObject({
        code: 9,
      });
    }
    expect(elsewhere.requests).toEqual([]);
  });

  it('in a query are no part of the cursor of a link', async () => {
    const paged: Handler = ({ url }, response) => {
      const next = url.includes('page=2') ? {} : { link: `</queries?page=2&k=${KEY}>; rel="next"` };
      response.writeHead(200, next).end('[{"id":"a"}]');
    };
    const { sent, stdout, stderr } = await run(
      ['queries', 'list', '--cursor', '/queries?page=1'],
      KEYED,
      paged,
    );
    expect(sent.map(({ url }) => url)).toEqual([`/queries?page=1&k=${KEY}`]);
    expect(stderr).toContain("--cursor '/queries?page=2'");
    expect(stdout + stderr).not.toContain(KEY);
  });
});

/** What the service repeats, wherever it can. */
const echo =
  (status: number): Handler =>
  ({ url, headers }, response) => {
    const all = [url, headers.authorization, headers.cookie, headers['x-acme-auth']].join(' ');
    const seen = `${all} ${Buffer.from(headers.authorization?.slice(6) ?? '', 'base64')}`.replaceAll(
      /[^ -~]/g,
      '',
    );
    response.writeHead(status, { 'content-type': 'application/json', 'x-echo': seen, 'x-request-id': seen });
    const error = { type: 'error', code: 'echoed', status, message: `You sent ${seen}`, details: [] };
    response.end(JSON.stringify(status < 400 ? [] : error));
  };

describe('a secret', () => {
  const visible = fc
    .string({
      unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
      minLength: 12,
    })
    .filter((text) => !text.startsWith('{'));

  it('never appears in traces, errors and requests that are only shown', async () => {
    const runs = fc.asyncProperty(
      visible,
      fc.constantFrom('headers', 'queries', 'cookies', 'logins'),
      fc.constantFrom(200, 401, 403, 500),
      async (text, words, status) => {
        const secret = words === 'cookies' ? text.replaceAll(/[";,\\]/g, 'x') : text;
        const isPair = words === 'logins';
        const env = isPair ? { PAYCTL_BASIC_AUTH: `ada:${secret}` } : { PAYCTL_API_KEY: secret };
        const marks = [secret, encodeURIComponent(secret), Buffer.from(`ada:${secret}`).toString('base64')];
        const json = JSON.stringify(secret).slice(1, -1);
        for (const format of ['table', 'json']) {
          const { stdout, stderr, sent } = await run([words, 'list', '-v', '-o', format], env, echo(status));
          expect(sent.length).toBe(1);
          for (const mark of [...marks, json]) expect(stdout + stderr).not.toContain(mark);
        }
      },
    );
    await fc.assert(runs, { numRuns: 25 });
  });

  it('is shown by its place in a trace and in a dry run', async () => {
    const { stderr } = await run(['queries', 'list', '-v'], KEYED);
    expect(stderr).toMatch(/^> GET http:\/\/127\.0\.0\.1:\d+\/queries\?k=\*{8}$/m);
    const traced = await run(['headers', 'list', '-v'], KEYED);
    expect(traced.stderr).toMatch(/^> x-acme-auth: \*{8}$/m);
    expect((await run(['logins', 'list', '-v'], PAIRED)).stderr).toMatch(/^> authorization: Basic \*{8}$/m);
    for (const env of [KEYED, {}]) {
      const shown = await run(['changes', 'create', '--dry-run'], env);
      expect(shown).toMatchObject({ code: 0, stderr: '', sent: [] });
      expect(shown.stdout).toMatch(/^POST http:\/\/127\.0\.0\.1:\d+\/changes\?k=\*{8}\n/);
    }
  });
});

describe('--header', () => {
  const file = join(home.home, 'secret');
  writeFileSync(file, `${KEY}\n`, { mode: 0o600 });

  it('sends headers, and reads secrets from files and from standard input', async () => {
    const given = ['--header', 'X-Source: a: b', '--header', `X-Acme-Auth: @${file}`];
    const { sent, stderr, code } = await run(['headers', 'list', ...given, '-v'], {});
    expect(code).toBe(0);
    expect(sent[0]?.headers).toMatchObject({ 'x-source': 'a: b', 'x-acme-auth': KEY });
    expect(stderr).toMatch(/^> x-source: a: b$/m);
    expect(stderr).toMatch(/^> x-acme-auth: \*{8}$/m);
    const raw = await run(['api', 'get', '/headers', '-q', ...given], {});
    expect(raw.sent[0]?.headers).toMatchObject({ 'x-source': 'a: b', 'x-acme-auth': KEY });
    const server = await serve(ok);
    const env = {
      PAYCTL_CONFIG_DIR: home.home,
      PAYCTL_DESCRIPTION: home.file,
      PAYCTL_BASE_URL: server.origin,
    };
    const typed = ['api', 'call', 'GET /headers', '--header', 'X-Acme-Auth: -', '-q'];
    expect(await runInProcess(typed, { env, stdin: Buffer.from(KEY) })).toMatchObject({ code: 0 });
    expect(server.requests[0]?.headers['x-acme-auth']).toBe(KEY);
  });

  it('gives one of two credentials that an operation needs at once', async () => {
    const { sent } = await run(['boths', 'list', '--header', `X-App: @${file}`, '-q'], {
      ...{},
      PAYCTL_API_KEY: 'first-key',
    });
    expect(sent[0]?.headers).toMatchObject({ 'x-acme-auth': 'first-key', 'x-app': KEY });
  });

  it.each([
    ['X-Source', '--header must be NAME: VALUE'],
    ['X Source: a', '--header must be NAME: VALUE'],
    [': a', '--header must be NAME: VALUE'],
    ['Authorization: Bearer abc', '--header cannot set'],
    ['CONTENT-LENGTH: 1', '--header cannot set "content-length"'],
    ['Host: evil.example', '--header cannot set "host"'],
    ['Cookie: a=b', '--header cannot set "cookie"'],
    ['X_HTTP_Method_Override: DELETE', '--header cannot set "x_http_method_override"'],
    ['X-HTTP-Method-Override: DELETE', '--header cannot set "x-http-method-override"'],
    ['x-service-merchant-account-id: m', '--header cannot set "x-service-merchant-account-id"'],
    ['X-A: b\r\nX-C: d', '--header X-A must be 1 to 8000 printable ASCII characters'],
    ['X-A:', '--header X-A must be 1 to 8000 printable ASCII characters'],
    [`X-Api-Key: ${KEY}`, '--header X-Api-Key takes a secret, which must not be an argument'],
    [`X-Acme-Auth: ${KEY}`, '--header X-Acme-Auth takes a secret, which must not be an argument'],
  ])('refuses %j', async (text, message) => {
    const done = await run(['headers', 'list', '--header', text], KEYED);
    expect(done).toMatchObject({ code: 2, stdout: '', sent: [] });
    expect(done.stderr).toContain(`Error: ${message}`);
    expect(done.stderr).not.toContain(KEY);
  });

  it('refuses the same header twice', async () => {
    const twice = ['--header', 'X-A: 1', '--header', 'x-a: 2'];
    expect((await run(['headers', 'list', ...twice], KEYED)).stderr).toContain('--header gives "x-a" twice');
  });
});
