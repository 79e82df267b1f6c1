import { describe, expect, it } from 'vitest';
import { EXIT, exitCodeOf } from '../../../src/cli/failure/exit-code.ts';
import { ApiError, ConnectionError, CursorLoopError, ResponseError } from '../../../src/client/errors.ts';
import {
  AbortedError,
  CredentialsError,
  NotFoundError,
  PayctlError,
  UsageError,
} from '../../../src/errors.ts';

const request = { method: 'GET', path: '/buyers', origin: 'https://api.example.com' };
const apiError = (status: number) => new ApiError('code', 'message', { status, request, attempts: 1 });

describe('exitCodeOf', () => {
  it.each([
    [400, 6],
    [401, 3],
    [403, 4],
    [404, 5],
    [405, 6],
    [408, 6],
    [409, 6],
    [418, 6],
    [422, 6],
    [425, 7],
    [429, 7],
    [499, 6],
    [500, 8],
    [502, 8],
    [503, 8],
    [504, 8],
    [599, 8],
  ])('gives the code of the table for the status %i', (status, code) => {
    expect(exitCodeOf(apiError(status))).toBe(code);
  });

  it.each([
    ['wrong usage', new UsageError('bad_flag', ''), 2],
    ['missing credentials', new CredentialsError('no_credentials', ''), 3],
    ['no answer', new ConnectionError('dns', '', { request, attempts: 1, outcomeUnknown: false }), 9],
    [
      'an unusable answer',
      new ResponseError('unreadable_response', '', { request, status: 200, attempts: 1 }),
      9,
    ],
    ['a looping cursor', new CursorLoopError('c'), 9],
    ['an interrupt', new AbortedError(), 130],
    ['what no list has', new NotFoundError(''), 5],
    ['another refusal of payctl', new PayctlError('port_in_use', ''), 2],
    ['a refusal after a change was sent', new UsageError('file_changed', '', { outcomeUnknown: true }), 9],
    ['a bug in payctl', new TypeError('x is not a function'), 1],
    ['something thrown that is no error', 'text', 1],
  ])('gives the code of the table for %s', (_, error, code) => {
    expect(exitCodeOf(error)).toBe(code);
  });

  it('has no code twice', () => {
    const codes = Object.values(EXIT);
    expect(new Set(codes).size).toBe(codes.length);
  });
});
