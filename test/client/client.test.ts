import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type ClientOptions,
  createClient,
  type NeededScopes,
  responseOf,
  UsageError,
} from '../../src/client/client.ts';
import { guardNetwork } from '../harness/nock.ts';
import { answerOnce, ORIGIN } from './answer-once.ts';
import { failureOf } from './failure-of.ts';

guardNetwork();

function clientWith(options: Partial<ClientOptions> = {}) {
  const client = createClient({ baseUrl: ORIGIN, token: 'secret-token', maxRetries: 0, ...options });
  onTestFinished(() => client.close());
  return client;
}

describe('a request', () => {
  it('is a GET with exactly the headers of the contract', async () => {
    const sent = answerOnce();
    await clientWith({ merchantAccount: 'default', userAgent: 'payctl/1.2.3' }).buyers.list();
    expect(sent).toEqual([
      {
        method: 'GET',
        url: `${ORIGIN}/buyers`,
        headers: {
          accept: 'application/json',
          'accept-encoding': 'gzip',
          authorization: 'Bearer secret-token',
          connection: 'keep-alive',
          host: 'api.example.com',
          'user-agent': 'payctl/1.2.3',
          'x-service-merchant-account-id': 'default',
        },
      },
    ]);
  });

  it('carries no merchant account header when none is chosen, and a user agent of its own', async () => {
    const sent = answerOnce();
    await clientWith().buyers.list();
    expect(Object.keys(sent[0]?.headers ?? {}).sort()).toEqual(
      ['accept', 'accept-encoding', 'authorization', 'connection', 'host', 'user-agent'].sort(),
    );
    expect(sent[0]?.headers['user-agent']).toBe('payctl-client');
  });

  it('names the merchant account in the header that was configured', async () => {
    const sent = answerOnce();
    await clientWith({ merchantAccount: 'shop', merchantHeader: 'x-acme-merchant' }).buyers.list();
    expect(sent[0]?.headers).toMatchObject({ 'x-acme-merchant': 'shop' });
    expect(sent[0]?.headers).not.toHaveProperty('x-service-merchant-account-id');
  });

  it('has the query in the order given, percent-encoded, without values that are not set', async () => {
    const sent = answerOnce();
    const query = { search: 'Müller & Co', limit: 5, external_identifier: undefined, cursor: 'a+b/c=' };
    await clientWith().buyers.list(query);
    expect(sent[0]?.url).toBe(`${ORIGIN}/buyers?search=M%C3%BCller%20%26%20Co&limit=5&cursor=a%2Bb%2Fc%3D`);
  });

  it.each([
    [`${ORIGIN}/`, '/buyers'],
    [`${ORIGIN}/v1`, '/v1/buyers'],
    [`${ORIGIN}/v1/`, '/v1/buyers'],
    [`${ORIGIN}/gate/way//`, '/gate/way/buyers'],
    ['HTTPS://API.EXAMPLE.COM:443/v1', '/v1/buyers'],
  ])('goes below the base URL %s', async (baseUrl, path) => {
    const sent = answerOnce();
    await clientWith({ baseUrl }).buyers.list();
    expect(sent[0]?.url).toBe(`${ORIGIN}${path}`);
  });
});

describe('the token', () => {
  it('comes from a provider that is told the scope of the operation', async () => {
    const needed: NeededScopes[] = [];
    const token = (scopes: NeededScopes) => {
      needed.push(scopes);
      return 'signed';
    };
    const sent = answerOnce();
    await clientWith({ token }).buyers.list();
    expect(needed).toEqual([{ scopes: ['buyers.read'], accepted: ['buyers.read'] }]);
    expect(sent[0]?.headers.authorization).toBe('Bearer signed');
  });

  it('is asked for with the scope of personal data when that is to be revealed', async () => {
    const needed: NeededScopes[] = [];
    const token = async (scopes: NeededScopes) => {
      needed.push(scopes);
      return 'signed';
    };
    answerOnce();
    await clientWith({ token }).buyers.list({}, { revealPii: true });
    expect(needed).toEqual([
      { scopes: ['buyers.read', 'buyers.billing-details.read'], accepted: ['buyers.read'] },
    ]);
  });

  it('stops the call with the error of its provider, before anything is sent', async () => {
    const failure = new Error('the key is gone');
    const client = clientWith({ token: () => Promise.reject(failure), maxRetries: 3 });
    await expect(client.buyers.list()).rejects.toBe(failure);
  });

  it.each([
    ['the token', { token: 'secret\n' }, 'authorization'],
    ['the merchant account', { merchantAccount: 'a\r\nx-evil: 1' }, 'x-service-merchant-account-id'],
    ['the user agent', { userAgent: 'payctl\0' }, 'user-agent'],
  ])('is not sent when %s cannot stand in a header; no retry is made', async (_, options, header) => {
    const client = clientWith({ ...options, maxRetries: 3 });
    const error = await failureOf(client.buyers.list());
    expect(error).toBeInstanceOf(UsageError);
    expect(error).toMatchObject({
      code: 'bad_header',
      message: `The request cannot be sent: invalid ${header} header`,
    });
  });
});

describe('a document', () => {
  it('is plain data equal to the JSON, unknown fields included', async () => {
    const body = {
      items: [{ type: 'buyer', id: 'b1', billing_details: null, loyalty: { tier: 'gold' } }],
      limit: 20,
      next_cursor: null,
      previous_cursor: null,
      total_estimate: 1,
    };
    answerOnce({ body });
    const page = await clientWith().buyers.list();
    expect(page).toStrictEqual(body);
    expect(Object.getPrototypeOf(page)).toBe(Object.prototype);
  });

  it('keeps integers beyond 2^53 as bigint and other numbers as numbers', async () => {
    answerOnce({ body: '{"items":[{"id":"b","serial":9007199254740993,"year":2026,"rate":0.1}]}' });
    const page = await clientWith().buyers.list();
    expect(page.items).toEqual([{ id: 'b', serial: 9007199254740993n, year: 2026, rate: 0.1 }]);
  });

  it('leads to its reply: exact text, status, request id, headers, request and attempts', async () => {
    const text = '{ "next_cursor":null,\n "items":[{"id":"b","fee":1.50}] }';
    answerOnce({ body: text, headers: { 'X-Request-Id': 'r-1', 'content-type': 'application/json' } });
    const page = await clientWith({ merchantAccount: 'default' }).buyers.list({ limit: 1 });
    expect(responseOf(page)).toEqual({
      text,
      isUtf8: true,
      status: 200,
      requestId: 'r-1',
      headers: { 'x-request-id': 'r-1', 'content-type': 'application/json' },
      request: {
        method: 'GET',
        path: '/buyers?limit=1',
        origin: ORIGIN,
        merchantAccount: 'default',
        needed: { scopes: ['buyers.read'], accepted: ['buyers.read'] },
      },
      attempts: 1,
    });
  });

  it.each(['x-request-id', 'request-id', 'x-correlation-id', 'x-amzn-requestid', 'cf-ray'])(
    'has the request id of the header %s',
    async (name) => {
      answerOnce({ headers: { [name]: 'r-7' } });
      expect(responseOf(await clientWith().buyers.list())?.requestId).toBe('r-7');
    },
  );

  it('has no request id when the service sent none, and copies of it have no reply', async () => {
    answerOnce();
    const page = await clientWith().buyers.list();
    expect(responseOf(page)?.requestId).toBeUndefined();
    expect(responseOf({ ...page })).toBeUndefined();
  });

  it.each([201, 202, 299])('is read from a response with status %i', async (status) => {
    answerOnce({ status });
    expect(await clientWith().buyers.list()).toEqual({ items: [] });
  });
});

describe('createClient', () => {
  it.each([
    'https://user:password@api.example.com',
    'https://user@api.example.com',
    'https://api.example.com?x=1',
    'https://api.example.com/#top',
    'ftp://api.example.com',
    'file:///etc/hosts',
    'api.example.com',
    '/buyers',
    'https://',
    '',
  ])('refuses the base URL %j without repeating it', (baseUrl) => {
    const make = () => createClient({ baseUrl, token: 't' });
    expect(make).toThrow(UsageError);
    expect(make).toThrow(
      expect.objectContaining({
        code: 'bad_base_url',
        message: 'The base URL is not valid',
        hint: 'Use an absolute http or https URL without a user name, query or fragment, such as https://api.example.com.',
      }),
    );
  });
});

describe('createClient with numbers out of range', () => {
  it.each([
    ['timeoutMilliseconds', 0],
    ['timeoutMilliseconds', Number.NaN],
    ['maxRetries', -1],
    ['maxRetries', 1.5],
    ['maxRetries', Number.NaN],
  ])('refuses %s = %d', (name, value) => {
    const options = { baseUrl: 'https://api.example.com', token: 't', [name]: value };
    expect(() => createClient(options)).toThrow(`${name} cannot be ${value}`);
  });
});
