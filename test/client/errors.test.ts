import { describe, expect, it } from 'vitest';
import { ConnectionError, CursorLoopError, errorCode, ResponseError } from '../../src/client/errors.ts';

const request = { method: 'POST', path: '/buyers', origin: 'https://api.example.com' };

it.each([
  ['POST', 200, true],
  ['PUT', 299, true],
  ['POST', 300, true],
  ['POST', 301, false],
  ['POST', 302, true],
  ['PUT', 303, true],
  ['PUT', 304, true],
  ['POST', 307, false],
  ['DELETE', 308, false],
  ['GET', 200, false],
  ['GET', 303, false],
])('the outcome of a %s that was answered with an unusable %i is unknown: %s', (method, status, unknown) => {
  const error = new ResponseError('unreadable_response', 'm', {
    request: { ...request, method },
    status,
    attempts: 1,
  });
  expect(error.outcomeUnknown).toBe(unknown);
});

it('an error of the connection keeps its cause', () => {
  const cause = new Error('reset');
  const error = new ConnectionError('tls', 'm', { request, attempts: 1, outcomeUnknown: false, cause });
  expect(error.cause).toBe(cause);
});

it('a loop of cursors says that nothing is missing before it', () => {
  const error = new CursorLoopError('c1');
  expect(error).toMatchObject({ code: 'cursor_loop', cursor: 'c1' });
  expect(error.hint).toMatch(/\w{5,}/);
});

describe('errorCode', () => {
  it.each([
    [Object.assign(new Error('m'), { code: 'ECONNRESET' }), 'ECONNRESET'],
    [new Error('m', { cause: Object.assign(new Error('m'), { code: 'EPROTO' }) }), 'EPROTO'],
    [{ code: 5, cause: { code: 'ENOTFOUND' } }, 'ENOTFOUND'],
    [{ code: 5 }, ''],
    [{}, ''],
    [null, ''],
    ['ENOTFOUND', ''],
    [undefined, ''],
  ])('of %j is %j', (error, code) => {
    expect(errorCode(error)).toBe(code);
  });
});
