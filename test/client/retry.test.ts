import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiError, ConnectionError, type ConnectionErrorCode } from '../../src/client/errors.ts';
import {
  backoff,
  isRetryable,
  parseRetryAfter,
  RETRY_AFTER_CAP,
  type Repeatable,
} from '../../src/client/retry.ts';
import { UsageError } from '../../src/errors.ts';
import { anyText } from '../harness/any-text.ts';

const request = { method: 'GET', path: '/buyers', origin: 'https://api.example.com' };
const status = (code: number) => new ApiError(`http_${code}`, 'x', { status: code, request, attempts: 1 });
const fault = (code: ConnectionErrorCode) =>
  new ConnectionError(code, 'x', { request, attempts: 1, outcomeUnknown: false });

describe('isRetryable', () => {
  it.each([408, 425, 429, 500, 502, 503, 504])('repeats a GET and a PUT after %i', (code) => {
    expect([isRetryable('GET', status(code)), isRetryable('PUT', status(code))]).toEqual([true, true]);
  });

  it.each([400, 401, 403, 404, 405, 409, 422, 501])('does not repeat a GET after %i', (code) => {
    expect(isRetryable('GET', status(code))).toBe(false);
  });

  it('repeats a POST only after 425 and 429', () => {
    const repeated = [408, 425, 429, 500, 502, 503, 504].filter((code) => isRetryable('POST', status(code)));
    expect(repeated).toEqual([425, 429]);
  });

  it('repeats a POST after a connection fault only when nothing can have arrived', () => {
    const faults = ['dns', 'connection_refused', 'connection_lost', 'timeout', 'tls'] as const;
    expect(faults.filter((code) => isRetryable('POST', fault(code)))).toEqual(['dns', 'connection_refused']);
    expect(faults.filter((code) => isRetryable('GET', fault(code)))).toEqual(faults.slice(0, 4));
  });

  it.each(['PATCH', 'DELETE', 'HEAD', 'put'])(
    'repeats a %s only when the service did not process it, as a POST',
    (method) => {
      const statuses = [408, 425, 429, 500, 502, 503, 504];
      expect(statuses.filter((code) => isRetryable(method, status(code)))).toEqual([425, 429]);
      const errors = ['dns', 'connection_refused', 'connection_lost', 'timeout', 'tls'] as const;
      expect(errors.filter((code) => isRetryable(method, fault(code)))).toEqual([
        'dns',
        'connection_refused',
      ]);
    },
  );

  it('repeats a POST with an idempotency key as a PUT, and either with a precondition as a POST', () => {
    const statuses = [408, 425, 429, 500, 502, 503, 504];
    const repeated = (method: string, what: Repeatable) =>
      statuses.filter((code) => isRetryable(method, status(code), what));
    expect(repeated('POST', { hasKey: true })).toEqual(statuses);
    const headers = { 'if-match': '"v"' };
    for (const method of ['PUT', 'POST', 'PATCH', 'DELETE'])
      expect(repeated(method, { hasKey: true, headers })).toEqual([425, 429]);
    expect(repeated('PUT', { headers: { 'x-if-match': '"v"' } })).toEqual(statuses);
    expect(repeated('GET', { headers })).toEqual(statuses);
  });

  it('does not repeat what is wrong on this side', () => {
    expect(isRetryable('GET', new UsageError('x', 'x'))).toBe(false);
    expect(isRetryable('GET', new Error('x'))).toBe(false);
  });
});

describe('parseRetryAfter', () => {
  const now = Date.parse('2026-03-01T12:00:00Z');

  it.each([
    ['0', 0],
    ['1', 1000],
    [' 7 ', 7000],
    ['3600', RETRY_AFTER_CAP],
    ['2026', RETRY_AFTER_CAP],
    ['99999999999999999999', RETRY_AFTER_CAP],
    ['Sun, 01 Mar 2026 12:00:05 GMT', 5000],
    ['Sunday, 01-Mar-26 12:00:05 GMT', 5000],
    ['Sun Mar  1 12:00:05 2026', 5000],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
    ['Sunday, 06-Nov-94 08:49:37 GMT', 0],
    ['Sunday, 01-Mar-76 12:00:00 GMT', RETRY_AFTER_CAP],
    ['Sunday, 01-Mar-77 12:00:00 GMT', 0],
    ['Sun, 01 Mar 2099 12:00:00 GMT', RETRY_AFTER_CAP],
  ])('reads %j as %i ms', (header, milliseconds) => {
    expect(parseRetryAfter(header, now)).toBe(milliseconds);
  });

  it.each([
    'May be 5',
    'about, 3 minutes, 1 second',
    'Sunday 1',
    'retry Sun, 01 Mar 2026 12:00:05 GMT',
    'Sun, 01 Mar 2026 12:00:05',
    'Sun, 01 Mar 2026 12:00:05 +0000',
    'Sun, 1 Mar 2026 12:00:05 GMT',
    'Sun, 31 Feb 2099 12:00:05 GMT',
    'Sun, 00 Mar 2099 12:00:05 GMT',
    'Sun, 01 Mar 2099 24:00:05 GMT',
    '2026-03-01T12:00:05Z',
  ])('ignores %j, which is no date of HTTP', (header) => {
    expect(parseRetryAfter(header, now)).toBeUndefined();
  });

  it.each([undefined, '', ' ', '-1', '1.5', '1e3', 'soon', 'tomorrow, maybe', '٣'])(
    'ignores %j',
    (header) => {
      expect(parseRetryAfter(header, now)).toBeUndefined();
    },
  );

  it.each([';', '/', '"', '-', ',', '7,'])('ignores a date that follows %j', (before) => {
    const date = 'Sun, 01 Mar 2026 12:00:05 GMT';
    expect(parseRetryAfter(date, now)).toBe(5000);
    expect(parseRetryAfter(`${before} ${date}`, now)).toBeUndefined();
    expect(parseRetryAfter(`${before}${date}`, now)).toBeUndefined();
  });

  it('waits until the moment of any HTTP date', () => {
    fc.assert(
      fc.property(fc.integer({ min: -100_000, max: 100_000 }), (seconds) => {
        const header = new Date(now + seconds * 1000).toUTCString();
        const wait = Math.min(Math.max(0, seconds * 1000), RETRY_AFTER_CAP);
        expect(parseRetryAfter(header, now)).toBe(wait);
      }),
    );
  });

  it('yields nothing or a wait from 0 to the cap for any header', () => {
    fc.assert(
      fc.property(fc.oneof(anyText(), fc.integer().map(String), fc.date().map(String)), (header) => {
        const wait = parseRetryAfter(header, now);
        expect(wait === undefined || (wait >= 0 && wait <= RETRY_AFTER_CAP)).toBe(true);
      }),
    );
  });
});

describe('backoff', () => {
  it('doubles its upper bound with each retry, up to 20 seconds', () => {
    const bounds = [1, 2, 3, 4, 5, 6, 7, 50].map((retry) => backoff(retry, () => 0.9999999));
    expect(bounds).toEqual([500, 1000, 2000, 4000, 8000, 16000, 20000, 20000]);
  });

  it('uses the whole range below its bound', () => {
    expect([backoff(2, () => 0), backoff(2, () => 0.5)]).toEqual([0, 500]);
  });
});
