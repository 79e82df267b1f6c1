import { describe, expect, it } from 'vitest';
import { meaningOf, toTypedError } from '../../src/client/connection-error.ts';
import { connectionErrorCode } from '../../src/client/connection-error-code.ts';
import { ConnectionError } from '../../src/client/errors.ts';

const withCode = (code: string) => Object.assign(new Error('x'), { code });

describe('connectionFault', () => {
  it.each([
    ['dns', ['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA', 'EAI_NONAME']],
    ['connection_refused', ['ECONNREFUSED']],
    ['timeout', ['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']],
    [
      'tls',
      [
        'CERT_HAS_EXPIRED',
        'DEPTH_ZERO_SELF_SIGNED_CERT',
        'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
        'ERR_TLS_CERT_ALTNAME_INVALID',
        'ERR_SSL_WRONG_VERSION_NUMBER',
        'EPROTO',
      ],
    ],
    ['unreachable', ['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN', 'EADDRNOTAVAIL']],
    ['connection_lost', ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'anything else']],
  ] as const)('is %s for %j', (fault, codes) => {
    expect(codes.map((code) => connectionErrorCode(withCode(code)))).toEqual(codes.map(() => fault));
  });

  it('looks for the code in the causes of an error', () => {
    expect(
      connectionErrorCode(new Error('x', { cause: new Error('y', { cause: withCode('ENOTFOUND') }) })),
    ).toBe('dns');
  });

  it.each([undefined, null, 'ENOTFOUND', {}, new Error('x')])(
    'is connection_lost without a code: %s',
    (error) => {
      expect(connectionErrorCode(error)).toBe('connection_lost');
    },
  );
});

describe('faultMeaning', () => {
  it("names the system's code where there is one", () => {
    expect(meaningOf('dns', withCode('ENOTFOUND'))).toBe('the host name could not be resolved (ENOTFOUND)');
    expect(meaningOf('tls', new Error('x'))).toBe('the TLS connection could not be established');
  });
});

describe('toTypedError', () => {
  const failure = (method: string, timedOutAfter?: number) => ({
    summary: { method, path: '/buyers', origin: 'https://api.example.com' },
    attempt: 1,
    timedOutAfter,
  });
  const outcomeOf = (code: string, method: string) => {
    const error = toTypedError(withCode(code), failure(method));
    expect(error).toBeInstanceOf(ConnectionError);
    return (error as ConnectionError).outcomeUnknown;
  };

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
    'says that the outcome of a %s is unknown where the request may have arrived',
    (method) => {
      expect(outcomeOf('ECONNRESET', method)).toBe(true);
      expect(outcomeOf('UND_ERR_HEADERS_TIMEOUT', method)).toBe(true);
      expect(outcomeOf('UND_ERR_HEADERS_OVERFLOW', method)).toBe(true);
      expect(toTypedError(new Error('x'), failure(method, 100))).toMatchObject({
        code: 'timeout',
        outcomeUnknown: true,
      });
    },
  );

  it.each(['ENOTFOUND', 'ECONNREFUSED', 'CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID', 'EPROTO'])(
    'knows the outcome of a POST that was never sent: %s',
    (code) => {
      expect(outcomeOf(code, 'POST')).toBe(false);
    },
  );

  it.each(['EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'EMFILE', 'ECONNRESET', 'ETIMEDOUT'])(
    'knows the outcome of a POST whose connection was never established, and only of such a one: %s',
    (code) => {
      const found = [true, false].map((isUnsent) => {
        return toTypedError(withCode(code), { ...failure('POST'), isUnsent });
      });
      const kind = code === 'ETIMEDOUT' ? 'timeout' : undefined;
      expect(found).toMatchObject([
        { code: kind ?? 'unreachable', outcomeUnknown: false },
        { code: kind ?? 'connection_lost', outcomeUnknown: true },
      ]);
    },
  );

  it.each(['ECONNRESET', 'ENOTFOUND'])('knows the outcome of a GET, which changes nothing: %s', (code) => {
    expect(outcomeOf(code, 'GET')).toBe(false);
  });
});
