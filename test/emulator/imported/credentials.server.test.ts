import { expect, it } from 'vitest';
import { answer, document } from '../../descriptions/describe.ts';
import { startImported } from './imported-emulator.ts';

const list = (security: unknown) => ({
  get: {
    security,
    responses: answer({ type: 'array', items: { type: 'object', properties: { id: { type: 'string' } } } }),
  },
});
const description = document(
  {
    '/headers': list([{ header: [] }]),
    '/queries': list([{ query: [] }]),
    '/cookies': list([{ cookie: [] }]),
    '/logins': list([{ login: [] }]),
    '/raws': list([{ raw: [] }]),
    '/boths': list([{ header: [], login: [] }]),
    '/eithers': list([{ header: [] }, { bearer: ['eithers.read'] }]),
    '/opens': list([]),
  },
  {
    components: {
      securitySchemes: {
        header: { type: 'apiKey', in: 'header', name: 'X-Key' },
        query: { type: 'apiKey', in: 'query', name: 'k' },
        cookie: { type: 'apiKey', in: 'cookie', name: 'sid' },
        raw: { type: 'apiKey', in: 'header', name: 'Authorization' },
        login: { type: 'http', scheme: 'basic' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  },
);
const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;

it('the credentials of a description are accepted with any value, and missing ones are refused', async () => {
  await using emulator = await startImported(description);
  const statusOf = async (path: string, headers: Readonly<Record<string, string>> = {}) =>
    (await fetch(emulator.emulator.baseUrl + path, { headers })).status;
  for (const [path, headers] of [
    ['/headers', { 'x-key': 'a' }],
    ['/queries?k=a', {}],
    ['/cookies', { cookie: 'x=1; sid=a' }],
    ['/logins', { authorization: basic('ada:') }],
    ['/raws', { authorization: 'sk_test' }],
    ['/boths', { 'x-key': 'a', authorization: basic('a:b') }],
    ['/eithers', { 'x-key': 'a' }],
    ['/opens', {}],
  ] as const)
    expect([path, await statusOf(path, headers)]).toEqual([path, 200]);
  for (const [path, headers] of [
    ['/headers', {}],
    ['/headers', { 'x-key': '' }],
    ['/headers?k=a', { cookie: 'X-Key=a' }],
    ['/queries?k=', { k: 'a' }],
    ['/cookies', { cookie: 'sid=; other=sid' }],
    ['/logins', { authorization: basic('no-colon') }],
    ['/logins', { authorization: 'Basic' }],
    ['/logins', { authorization: 'Bearer opaque' }],
    ['/raws', { authorization: 'Bearer opaque' }],
    ['/boths', { 'x-key': 'a' }],
    ['/eithers', { authorization: basic('a:b') }],
  ] as const)
    expect([path, await statusOf(path, headers)]).toEqual([path, 401]);
});

it("the emulator's own tokens do for all, with the scopes that an operation names", async () => {
  await using emulator = await startImported(description);
  for (const path of ['/headers', '/queries', '/logins', '/raws', '/boths'])
    expect(await emulator.send(path, { scopes: ['any.read'] })).toMatchObject({ status: 200 });
  expect(await emulator.send('/eithers', { scopes: ['eithers.read'] })).toMatchObject({ status: 200 });
  expect(await emulator.send('/eithers', { scopes: ['others.read'] })).toMatchObject({ status: 403 });
});

it('a refusal says what is missing, as that of a token does', async () => {
  await using emulator = await startImported(description);
  const response = await fetch(`${emulator.emulator.baseUrl}/boths`);
  expect(response.headers.get('www-authenticate')).toBe('Basic realm="payctl emulator"');
  expect(await response.json()).toMatchObject({
    code: 'unauthorized',
    details: [
      {
        type: 'credentials_missing',
        message: 'the request needs an API key (header x-key) and a user name and password (HTTP Basic)',
        location: 'header',
      },
    ],
  });
});

it('a key in a query is in no log', async () => {
  const lines: string[] = [];
  await using emulator = await startImported(description, { onRequest: ({ path }) => lines.push(path) });
  const { baseUrl } = emulator.emulator;
  await fetch(`${baseUrl}/queries?limit=1&k=marked-key`);
  await fetch(`${baseUrl}/queries?k=marked%2Dkey`, { method: 'POST' });
  await fetch(`${baseUrl}/nothing?api_key=marked-key`);
  expect(lines).toEqual(['/queries?limit=1&k=********', '/queries?k=********', '/nothing?api_key=********']);
  const { body } = await emulator.send('/api-logs', { scopes: ['api-logs.read'] });
  expect(JSON.stringify(body)).toContain('/queries?k=********');
  expect(JSON.stringify(body)).not.toMatch(/marked/);
});
