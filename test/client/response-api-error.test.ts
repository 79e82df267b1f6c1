import { describe, expect, it, onTestFinished } from 'vitest';
import { ApiError, createClient } from '../../src/client/client.ts';
import { guardNetwork } from '../harness/nock.ts';
import { answerOnce, ORIGIN } from './answer-once.ts';
import { failureOf } from './failure-of.ts';

guardNetwork();

const needed = { scopes: ['buyers.read'], accepted: ['buyers.read'] };
const request = { method: 'GET', path: '/buyers', origin: ORIGIN, merchantAccount: undefined, needed };

/** The error that a listing ends with when the service responds in this way. */
async function errorFor(status: number, body: string | object, headers: Record<string, string> = {}) {
  answerOnce({ status, body, headers });
  const client = createClient({ baseUrl: ORIGIN, token: 't', maxRetries: 0 });
  onTestFinished(() => client.close());
  const error = await failureOf(client.buyers.list());
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError;
}

/** The own fields of an error that say what the service answered. */
function fieldsOf({ name, code, message, status, details, resourceId, bodyExcerpt }: ApiError) {
  return { name, code, message, status, details, resourceId, bodyExcerpt };
}

const bare = { name: 'ApiError', details: [], resourceId: undefined, bodyExcerpt: undefined };

describe('the error object', () => {
  it.each([
    [400, 'bad_request', 'Generic error'],
    [401, 'unauthorized', 'No valid API authentication found'],
    [403, 'forbidden', 'Generic error'],
    [404, 'not_found', 'The resource could not be found'],
    [405, 'method_not_allowed', 'Method Not Allowed'],
    [409, 'duplicate_record', 'Generic error'],
    [425, 'too_early', 'Generic error'],
    [429, 'too_many_requests', 'Generic error'],
    [500, 'server_error', 'Request could not be processed'],
    [502, 'bad_gateway', 'Request could not be processed'],
    [504, 'gateway_timeout', 'Request could not be processed'],
  ])(
    'of a %i gives the code %s and the message of the service',
    { tags: 'slow' },
    async (status, code, message) => {
      const error = await errorFor(status, { type: 'error', code, status, message, details: [] });
      expect(fieldsOf(error)).toEqual({ ...bare, code, message, status });
      expect(error.request).toEqual(request);
    },
  );

  it('keeps its details in order', async () => {
    const details = [
      {
        type: 'missing',
        pointer: '/address/city',
        message: 'Field required',
        location: 'body',
      },
      { type: 'value', pointer: '/limit', message: 'Too large', location: 'query', extra: 1 },
      'plain words',
      { message: 7 },
    ];
    const error = await errorFor(400, {
      type: 'error',
      code: 'bad_request',
      status: 400,
      message: 'Bad',
      details,
    });
    expect(error.details).toEqual([
      { location: 'body', pointer: '/address/city', message: 'Field required', type: 'missing' },
      { location: 'query', pointer: '/limit', message: 'Too large', type: 'value' },
      { message: 'plain words' },
      { message: '' },
    ]);
  });

  it('names the record in conflict on a 409', async () => {
    const body = {
      type: 'error',
      code: 'duplicate_record',
      status: 409,
      message: 'Taken',
      resource_id: 'b-1',
    };
    expect((await errorFor(409, body)).resourceId).toBe('b-1');
    expect((await errorFor(409, { ...body, resource_id: null })).resourceId).toBeUndefined();
  });

  it('is understood without message and details', async () => {
    const error = await errorFor(403, { type: 'error', code: 'forbidden' });
    expect(fieldsOf(error)).toEqual({ ...bare, code: 'forbidden', message: 'Forbidden', status: 403 });
  });

  it('comes with the request id, Retry-After and the number of attempts', async () => {
    const body = { type: 'error', code: 'too_many_requests', status: 429, message: 'Slow down' };
    const error = await errorFor(429, body, { 'x-request-id': 'r-9', 'retry-after': '7' });
    expect([error.requestId, error.retryAfter, error.attempts]).toEqual(['r-9', '7', 1]);
  });
});

describe('the body of a 422', () => {
  it('is translated to details with location and pointer', async () => {
    const detail = [
      { loc: ['body', 'address', 'city'], msg: 'Field required', type: 'missing', input: {}, ctx: {} },
      { loc: ['body', 'cart_items', 0, 'a/b', 'c~d'], msg: 'Bad', type: 'value' },
      { loc: ['query'], msg: 'No query', type: 'extra' },
      { msg: 'Nowhere', type: 'odd' },
      'words',
    ];
    const error = await errorFor(422, { detail });
    expect(fieldsOf(error)).toEqual({
      ...bare,
      code: 'validation_error',
      message: 'The request failed validation',
      status: 422,
      details: [
        {
          location: 'body',
          pointer: '/address/city',
          message: 'Field required',
          type: 'missing',
          input: {},
          ctx: {},
        },
        { location: 'body', pointer: '/cart_items/0/a~1b/c~0d', message: 'Bad', type: 'value' },
        { location: 'query', pointer: undefined, message: 'No query', type: 'extra' },
        { location: undefined, pointer: undefined, message: 'Nowhere', type: 'odd' },
        { message: 'words' },
      ],
    });
  });

  it.each([
    ['12345678901234567890', 12345678901234567890n],
    ['null', null],
    ['"text"', 'text'],
    ['[1, {"a": true}]', [1, { a: true }]],
  ])('has any JSON as input and ctx: %s', async (text, value) => {
    const body = `{"detail":[{"loc":["body"],"msg":"Bad","type":"value","input":${text},"ctx":${text}}]}`;
    expect((await errorFor(422, body)).details[0]).toMatchObject({ input: value, ctx: value });
  });

  it('may have any JSON in loc', async () => {
    const locs = [['body', 1.5, null, { a: [1] }, ['b']], 'body', 7, null, []];
    const error = await errorFor(422, { detail: locs.map((loc) => ({ loc, msg: 'Bad', type: 'value' })) });
    expect(error.details.map(({ location, pointer }) => [location, pointer])).toEqual([
      ['body', '/1.5/null/{"a":[1]}/["b"]'],
      ['body', undefined],
      ['7', undefined],
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });

  it('may be the error object instead', async () => {
    const body = { type: 'error', code: 'unprocessable', status: 422, message: 'No', details: [] };
    expect(fieldsOf(await errorFor(422, body))).toEqual({
      ...bare,
      code: 'unprocessable',
      message: 'No',
      status: 422,
    });
  });
});

describe('any other body', () => {
  it.each([
    ['a page of HTML', 502, '<html><h1>Bad Gateway</h1></html>', 'Bad Gateway'],
    ['plain text', 503, 'upstream connect error', 'Service Unavailable'],
    ['an object of another shape', 500, '{"failure":"boom"}', 'Internal Server Error'],
    ['an array', 404, '["not","found"]', 'Not Found'],
    ['null', 500, 'null', 'Internal Server Error'],
    ['a number', 418, '7', "I'm a Teapot"],
    ['a 4xx without a name', 499, 'x', 'Request rejected'],
    ['a 5xx without a name', 599, 'x', 'Server error'],
  ])('gives the code of its status and an excerpt: %s', async (_, status, body, message) => {
    const error = await errorFor(status, body);
    expect(fieldsOf(error)).toEqual({ ...bare, code: `http_${status}`, message, status, bodyExcerpt: body });
  });

  it.each([
    ['an error object without a code', { type: 'error', message: 'x' }, ['x']],
    ['Stripe, Lob', { error: { message: 'No such charge', code: 'resource_missing' } }, ['No such charge']],
    [
      'Square',
      { errors: [{ code: 'NOT_FOUND', detail: 'No payment' }, { detail: 'No refund' }] },
      ['No payment', 'No refund'],
    ],
    [
      'PayPal',
      { name: 'INVALID', message: 'Not valid', details: [{ issue: 'X', description: 'Y is not valid' }] },
      ['Not valid', 'Y is not valid'],
    ],
    ['Klarna', { error_code: 'BAD_VALUE', error_messages: ['Bad value: amount'] }, ['Bad value: amount']],
    ['OAuth', { error: 'invalid_grant', error_description: 'It expired' }, ['It expired', 'invalid_grant']],
    ['Apigee', { fault: { faultstring: 'Not found', detail: { errorcode: 'x' } } }, ['Not found']],
    ['RFC 9457', { title: 'Not found', detail: 'No payment', status: 404 }, ['No payment']],
    ['one text', { detail: 'Not found' }, ['Not found']],
    ['Spring', { status: 400, error: 'Bad Request', path: '/refunds' }, []],
    ['NestJS', { message: ['a is wrong', 'b is wrong'], error: 'Bad Request' }, ['a is wrong', 'b is wrong']],
    ['the same text twice', { message: 'Not valid', error: 'Not valid' }, ['Not valid']],
    ['blank texts', { message: ' ', error: {}, errors: [null, 7] }, []],
  ])('gives what it says as details: %s', async (_, body, messages) => {
    const error = await errorFor(400, body);
    const details = messages.map((message) => ({ message }));
    const bodyExcerpt = JSON.stringify(body);
    expect(fieldsOf(error)).toEqual({
      ...{ ...bare, code: 'http_400', message: 'Bad Request', status: 400 },
      ...{ details, bodyExcerpt },
    });
  });

  it('has 20 details at most, of 500 characters', async () => {
    const errors = Array.from({ length: 21 }, (_, at) => String.fromCharCode(97 + at).repeat(501));
    const { details } = await errorFor(400, { errors });
    expect(details).toEqual(errors.slice(0, 20).map((text) => ({ message: `${text.slice(0, 500)}…` })));
  });

  it.each(['', ' \n\t '])('gives no excerpt when it is blank: %j', async (body) => {
    const error = await errorFor(503, body);
    expect(fieldsOf(error)).toEqual({
      ...bare,
      code: 'http_503',
      message: 'Service Unavailable',
      status: 503,
    });
  });

  it('is cut to its first 500 characters, without half a surrogate pair', async () => {
    expect((await errorFor(500, 'x'.repeat(500))).bodyExcerpt).toBe('x'.repeat(500));
    expect((await errorFor(500, 'x'.repeat(501))).bodyExcerpt).toBe(`${'x'.repeat(500)}…`);
    const cut = (await errorFor(500, `${'x'.repeat(499)}😀😀`)).bodyExcerpt;
    expect(cut).toBe(`${'x'.repeat(499)}\uFFFD…`);
  });
});
