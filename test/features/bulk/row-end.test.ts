import { describe, expect, it } from 'vitest';
import { ApiError, ConnectionError, ResponseError } from '../../../src/client/errors.ts';
import { AbortedError, CredentialsError, type PayctlError, UsageError } from '../../../src/errors.ts';
import { endOf, errorMembers, isDoneBefore, isSafeAgain } from '../../../src/features/bulk/apply/row-end.ts';

const request = {
  method: 'POST',
  path: '/refunds',
  origin: 'https://api.example.com',
  merchantAccount: undefined,
};
const status = (code: number, error = 'code', message = 'message') =>
  new ApiError(error, message, { status: code, request, attempts: 1 });
const later = (code: number) =>
  new ApiError('code', 'message', { status: code, request, attempts: 1, retryAfter: '1' });
const lost = (
  code: 'connection_lost' | 'timeout' | 'connection_refused' | 'dns' | 'tls',
  isUnknown: boolean,
) => new ConnectionError(code, 'message', { request, attempts: 1, outcomeUnknown: isUnknown });

const isLacking = ({ code }: ApiError) => code === 'scope';
const end = (error: PayctlError, given: Partial<Parameters<typeof endOf>[1]> = {}) =>
  endOf(error, {
    method: 'POST',
    hasKey: false,
    isConditional: false,
    wasUnknown: false,
    isLacking,
    ...given,
  });

const REFUSED = { end: 'refused', mayRepeat: false };
const STOPPED = { end: 'stopped' };
const failed = (mayRepeat: boolean) => ({ end: 'failed', mayRepeat });
const unknown = (mayRepeat: boolean) => ({ end: 'unknown', mayRepeat });

/** Each error; what it says about a POST without a key, of one with a key, and of one that may have been carried out before. */
const ENDS: readonly (readonly [
  name: string,
  error: PayctlError,
  bare: object,
  keyed: object,
  again: object,
])[] = [
  ['400', status(400), REFUSED, REFUSED, unknown(false)],
  ['404', status(404), REFUSED, REFUSED, unknown(false)],
  ['409', status(409), REFUSED, REFUSED, unknown(false)],
  ['422', status(422), REFUSED, REFUSED, unknown(false)],
  ['408', status(408), unknown(false), unknown(true), unknown(true)],
  ['425', status(425), failed(true), failed(true), unknown(true)],
  ['429', status(429), failed(true), failed(true), unknown(true)],
  ['503 with Retry-After', later(503), failed(true), failed(true), unknown(true)],
  ['503 of the service', status(503), failed(true), failed(true), unknown(true)],
  ['503 of a gateway', status(503, 'http_503'), unknown(false), unknown(true), unknown(true)],
  ['500 with Retry-After', later(500), unknown(false), unknown(true), unknown(true)],
  ['500', status(500), unknown(false), unknown(true), unknown(true)],
  ['502', status(502), unknown(false), unknown(true), unknown(true)],
  ['504', status(504), unknown(false), unknown(true), unknown(true)],
  ['501', status(501), unknown(false), unknown(false), unknown(false)],
  ['401', status(401), STOPPED, STOPPED, STOPPED],
  ['403 for the record', status(403), REFUSED, REFUSED, unknown(false)],
  ['403 for the credentials', status(403, 'scope'), STOPPED, STOPPED, STOPPED],
  ['a key that cannot sign', new CredentialsError('bad_key', 'message'), STOPPED, STOPPED, STOPPED],
  ['a lost connection', lost('connection_lost', true), unknown(false), unknown(true), unknown(true)],
  ['no response in time', lost('timeout', true), unknown(false), unknown(true), unknown(true)],
  ['a refused connection', lost('connection_refused', false), failed(true), failed(true), unknown(true)],
  ['an unknown host', lost('dns', false), failed(true), failed(true), unknown(true)],
  ['a wrong certificate', lost('tls', false), failed(false), failed(false), unknown(false)],
  [
    'a 201 that is not JSON',
    new ResponseError('unreadable_response', 'message', { request, status: 201, attempts: 1 }),
    ...([unknown(false), unknown(false), unknown(false)] as const),
  ],
  [
    'a redirect elsewhere',
    new ResponseError('redirect_refused', 'message', { request, status: 307, attempts: 1 }),
    ...([failed(false), failed(false), unknown(false)] as const),
  ],
  ['an abort while it was sent', new AbortedError(true), unknown(false), unknown(false), unknown(false)],
  ['an abort before', new AbortedError(), failed(false), failed(false), unknown(false)],
  ['what payctl refuses itself', new UsageError('over_limit', 'message'), REFUSED, REFUSED, unknown(false)],
];

describe('the end of an attempt', () => {
  it.each(ENDS)('by %s', (_, error, bare, keyed, again) => {
    expect(end(error)).toEqual(bare);
    expect(end(error, { hasKey: true })).toEqual(keyed);
    expect(end(error, { hasKey: true, wasUnknown: true })).toEqual(again);
    // Nothing makes a row that may have been carried out one that was not.
    expect(end(error, { wasUnknown: true }).end).toBe(again === STOPPED ? 'stopped' : 'unknown');
  });

  it.each([
    ['PUT', {}, unknown(true)],
    ['PUT', { isConditional: true }, unknown(false)],
    ['PATCH', {}, unknown(false)],
    ['PATCH', { hasKey: true }, unknown(true)],
    ['POST', { hasKey: true, isConditional: true }, unknown(false)],
  ])('of a %s with %o whose response is lost', (method, given, expected) => {
    expect(end(lost('connection_lost', true), { method, ...given })).toEqual(expected);
  });
});

it('is sent again after an unknown end only where a second time changes nothing', () => {
  const methods = ['POST', 'PATCH', 'PUT', 'DELETE'];
  expect(methods.map((method) => isSafeAgain(method, false))).toEqual([false, false, true, true]);
  expect(methods.map((method) => isSafeAgain(method, true))).toEqual([true, true, true, true]);
});

it('was carried out before where what is to be deleted is gone', () => {
  expect([404, 410, 409].map((code) => isDoneBefore(status(code), 'DELETE'))).toEqual([true, true, false]);
  expect(isDoneBefore(status(404), 'POST')).toBe(false);
});

it('keeps of an error what says where it is', () => {
  const details = [{ message: 'Too much' }, { message: 'Too much', pointer: '/amount' }];
  const error = new ApiError('too_much', 'Not valid', {
    ...{ status: 422, request, attempts: 1, requestId: 'req-1' },
    details: details.map((detail) => ({
      location: 'body',
      type: 'value_error',
      pointer: undefined,
      ...detail,
    })),
  });
  expect(errorMembers(error, String)).toEqual({
    status: 422,
    code: 'too_much',
    message: 'Too much; /amount Too much (Not valid)',
    pointer: '/amount',
    request_id: 'req-1',
  });
  expect(errorMembers(lost('timeout', true), String)).toEqual({ code: 'timeout', message: 'message' });
});
