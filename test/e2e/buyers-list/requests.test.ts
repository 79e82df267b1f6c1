import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { RecordedRequest } from '../../harness/http-server.ts';
import { useHome } from '../../harness/run-payctl.ts';
import { against, page, SECRET_TOKEN, serve, serveBuyers } from '../paged-service.ts';

const home = useHome();
const LIST = ['buyers', 'list', '-o', 'ndjson'];

const serveEmpty = () => serve((_, response) => void response.end(JSON.stringify(page([]))));

/** Runs the command against an empty service and gives the requests that it sent. */
async function requestsOf(flags: readonly string[], env: Record<string, string> = {}) {
  const server = await serveEmpty();
  const run = await home.payctl([...LIST, ...flags], { env: { ...against(server), ...env } });
  expect(run).toMatchObject({ stdout: '', stderr: '', code: 0 });
  return server.requests;
}

describe('what is sent', () => {
  it('is one GET of the contract, with the token, and without a merchant account', async () => {
    const [request, ...others] = await requestsOf([]);
    expect(others).toEqual([]);
    expect(request).toMatchObject({ method: 'GET', url: '/buyers', body: '' });
    const { host, connection, 'user-agent': userAgent, ...headers } = request?.headers ?? {};
    expect(headers).toEqual({
      accept: 'application/json',
      'accept-encoding': 'gzip',
      authorization: `Bearer ${SECRET_TOKEN}`,
    });
    expect(userAgent).toMatch(/^payctl\/\d+\.\d+\.\d+ \(\w+-\w+ node-v[\d.]+\)$/);
  });

  it.each([
    [['--limit', '100'], '/buyers?limit=100'],
    [['--cursor', 'a+b/c= &'], '/buyers?cursor=a%2Bb%2Fc%3D%20%26'],
    [['--search', 'Ćwik & Söhne'], '/buyers?search=%C4%86wik%20%26%20S%C3%B6hne'],
    [['--external-identifier', 'a/b'], '/buyers?external_identifier=a%2Fb'],
    [['--external-identifier=-1', '--search', '-x'], '/buyers?search=-x&external_identifier=-1'],
    [['--all'], '/buyers?limit=100'],
    [['--all', '--limit', '7'], '/buyers?limit=7'],
    [['--max-items', '3'], '/buyers?limit=3'],
    [['--max-items', '300'], '/buyers?limit=100'],
  ])('follows the flags %j', async (flags, url) => {
    const requests = await requestsOf(flags);
    expect(requests.map((request) => request.url)).toEqual([url]);
  });

  it('keeps the path of a base URL, and fills {id} with the instance', async () => {
    const server = await serveEmpty();
    const env = {
      ...against(server),
      PAYCTL_BASE_URL: `${server.origin}/{id}/api/`,
      PAYCTL_INSTANCE: 'shop-1',
    };
    await home.payctl(LIST, { env });
    await home.payctl([...LIST, '--instance', 'shop-2'], { env });
    await home.payctl([...LIST, '--base-url', `${server.origin}/other`], { env });
    expect(server.requests.map(({ url }) => url)).toEqual([
      '/shop-1/api/buyers',
      '/shop-2/api/buyers',
      '/other/buyers',
    ]);
  });
});

describe('the merchant account', () => {
  const header = (requests: readonly RecordedRequest[], name: string) => requests[0]?.headers[name];

  it('is a header when -m, --merchant-account or PAYCTL_MERCHANT_ACCOUNT names one, and the flag wins', async () => {
    const name = 'x-service-merchant-account-id';
    const env = { PAYCTL_MERCHANT_ACCOUNT: 'from-env' };
    expect(header(await requestsOf(['-m', 'outlet']), name)).toBe('outlet');
    expect(header(await requestsOf([], env), name)).toBe('from-env');
    expect(header(await requestsOf(['--merchant-account', 'from-flag'], env), name)).toBe('from-flag');
  });

  it('goes under the name that PAYCTL_MERCHANT_HEADER gives', async () => {
    const requests = await requestsOf(['-m', 'outlet'], {
      PAYCTL_MERCHANT_HEADER: 'X-Acme-Merchant-Account-Id',
    });
    expect(header(requests, 'x-acme-merchant-account-id')).toBe('outlet');
    expect(header(requests, 'x-service-merchant-account-id')).toBeUndefined();
  });
});

describe('a token signed with a key', () => {
  const { privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-521',
    privateKeyEncoding: { format: 'pem', type: 'pkcs8' },
    publicKeyEncoding: { format: 'pem', type: 'spki' },
  });

  async function tokenOf(flags: readonly string[]) {
    const server = await serveEmpty();
    await home.payctl([...LIST, ...flags], {
      env: { PAYCTL_BASE_URL: server.origin, PAYCTL_PRIVATE_KEY: privateKey },
    });
    const token = server.requests[0]?.headers.authorization?.slice('Bearer '.length) ?? '';
    const [header, claims] = token.split('.').map((part) => Buffer.from(part, 'base64url').toString());
    return { header: JSON.parse(header ?? ''), claims: JSON.parse(claims ?? '') };
  }

  it('carries exactly the scope of the command and lives for minutes', async () => {
    const { header, claims } = await tokenOf([]);
    expect(header).toEqual({ alg: 'ES512', typ: 'JWT', kid: expect.stringMatching(/^[\w-]{43}$/) });
    expect(claims.scopes).toEqual(['buyers.read']);
    expect(claims.exp - claims.iat).toBeLessThanOrEqual(300);
    expect(claims.iss).toMatch(/^payctl\/\d+\.\d+\.\d+$/);
  });

  it('carries buyers.billing-details.read with --reveal-pii alone', async () => {
    const { claims } = await tokenOf(['--reveal-pii']);
    expect(claims.scopes).toEqual(['buyers.billing-details.read', 'buyers.read']);
  });
});

describe('paging', () => {
  const urls = (requests: readonly RecordedRequest[]) => requests.map(({ url }) => url);

  it('ends with --max-items, whose last page is asked for with what is missing', async () => {
    const server = await serveBuyers(100);
    const run = await home.payctl([...LIST, '--max-items', '7', '--limit', '3'], { env: against(server) });
    expect(run.stdout.trim().split('\n')).toHaveLength(7);
    expect(urls(server.requests)).toEqual([
      '/buyers?limit=3',
      '/buyers?cursor=from-3&limit=3',
      '/buyers?cursor=from-6&limit=1',
    ]);
  });

  it('keeps the filters on every page, and starts where --cursor says', async () => {
    const server = await serveBuyers(7);
    const args = [...LIST, '--all', '--limit', '2', '--cursor', 'from-3', '--search', 'b'];
    const run = await home.payctl(args, { env: against(server) });
    expect(run.stdout.trim().split('\n')).toHaveLength(4);
    expect(urls(server.requests)).toEqual([
      '/buyers?search=b&cursor=from-3&limit=2',
      '/buyers?search=b&cursor=from-5&limit=2',
    ]);
  });

  it('is one page without --all, whatever the cursor', async () => {
    const server = await serveBuyers(7);
    await home.payctl([...LIST, '--limit', '2'], { env: against(server) });
    expect(urls(server.requests)).toEqual(['/buyers?limit=2']);
  });

  it('uses one connection for all pages', async () => {
    const server = await serveBuyers(1_000);
    const run = await home.payctl([...LIST, '--all'], { env: against(server) });
    expect(run.stdout.trim().split('\n')).toHaveLength(1_000);
    expect(server.requests).toHaveLength(10);
    expect(server.connections()).toBe(1);
  });
});
