import { describe, expect, it } from 'vitest';
import { describeFailure } from '../../../src/cli/failure/describe.ts';
import { IncompleteListError } from '../../../src/cli/failure/incomplete-list-error.ts';
import type { Session } from '../../../src/cli/session.ts';
import { ApiError, ConnectionError, CursorLoopError, ResponseError } from '../../../src/client/errors.ts';
import { AbortedError, CredentialsError, OutputError } from '../../../src/errors.ts';

const request = { method: 'GET', path: '/buyers', origin: 'https://api.example.com' };

function apiError(status: number, more: Partial<ConstructorParameters<typeof ApiError>[2]> = {}) {
  return new ApiError('some_code', 'Some message', { status, request, attempts: 1, ...more });
}

/** A session whose token says this of itself. */
function sessionWith(token: Record<string, unknown>): Session {
  return {
    settings: { profile: { value: { name: 'staging' }, source: { kind: 'flag', name: '--profile' } } },
    tokenProvider: () =>
      Object.assign(async () => 'token', { describe: () => ({ origin: 'PAYCTL_TOKEN', ...token }) }),
  } as unknown as Session;
}

describe('describeFailure', () => {
  it('keeps everything that came with an error of the service', () => {
    const details = [{ location: 'body', pointer: '/a', message: 'bad' }];
    const fields = { details, resourceId: 'r', requestId: 'req', bodyExcerpt: 'x', attempts: 2 };
    expect(describeFailure(apiError(409, fields))).toMatchObject({
      code: 'some_code',
      message: 'Some message',
      status: 409,
      details,
      resourceId: 'r',
      bodyExcerpt: 'x',
      request: { ...request, requestId: 'req', attempts: 2 },
      exitCode: 6,
    });
  });

  it('names the source, key id and expiry of a rejected token, and the commands that help', () => {
    const expired = { keyId: 'k1', expiresAt: new Date('2020-01-01T00:00:00Z') };
    const report = describeFailure(apiError(401), { session: sessionWith(expired) });
    expect(report.probably).toEqual([
      'the service does not accept the token from PAYCTL_TOKEN; its key ID is k1; it expired at 2020-01-01T00:00:00.000Z',
    ]);
    expect(report.tryNext).toEqual([
      'payctl doctor --profile staging',
      'payctl api-logs list --status 401 --profile staging',
    ]);
    const valid = { expiresAt: new Date('2999-01-01T00:00:00Z') };
    expect(describeFailure(apiError(401), { session: sessionWith(valid) }).probably).toEqual([
      'the service does not accept the token from PAYCTL_TOKEN; it expires at 2999-01-01T00:00:00.000Z',
    ]);
    expect(describeFailure(apiError(401)).probably).toEqual(['the service does not accept the token']);
  });

  it('names the scopes that are needed and held when a request is forbidden', () => {
    const session = sessionWith({ scopes: ['roles.read', 'embed2'] });
    const forbidden = (...accepted: string[]) =>
      apiError(403, { request: { ...request, needed: { scopes: accepted.slice(0, 1), accepted } } });
    expect(describeFailure(forbidden('gift-cards.read', 'embed'), { session })).toMatchObject({
      probably: [
        'this command needs the scope gift-cards.read or embed; the token from PAYCTL_TOKEN has roles.read, embed2',
      ],
      exitCode: 4,
    });
    const without = { session: sessionWith({ scopes: [] }) };
    const [none] = describeFailure(forbidden('buyers.read'), without).probably ?? [];
    expect(none).toBe('this command needs the scope buyers.read; the token from PAYCTL_TOKEN has no scopes');
    expect(describeFailure(apiError(403)).probably?.[0]).toBe('the token lacks a scope');
  });

  it.each([
    [429, 'the service is limiting requests; wait a while, then try again'],
    [425, 'the service is limiting requests; wait a while, then try again'],
    [503, 'the service is having problems; try again later'],
    [404, 'the resource does not exist, or you have no access to it (the service does not say which)'],
  ])('says what is probably wrong with a %i', (status, sentence) => {
    expect(describeFailure(apiError(status)).probably).toEqual([sentence]);
  });

  it('names the source of the merchant account that may be the wrong one for a 404', () => {
    const error = apiError(404, { request: { ...request, merchantAccount: 'shop' } });
    const merchantAccount = { value: 'shop', source: { kind: 'flag', name: '--merchant-account' } };
    const session = { ...sessionWith({}), settings: { merchantAccount } } as unknown as Session;
    expect(describeFailure(error, { session }).probably).toEqual([
      'the resource does not exist, or you have no access to it (the service does not say which)',
      'the merchant account shop (--merchant-account) may be the wrong one',
    ]);
    expect(describeFailure(error).probably?.[1]).toBe('the merchant account shop may be the wrong one');
  });

  it('has another cause for a 403 where the scopes of the token are not known, or suffice', () => {
    const needs = 'this command needs the scope buyers.read';
    const otherwise = 'the API key may be restricted, or the resource may be locked';
    const needed = { scopes: ['buyers.read'], accepted: ['buyers.read'] };
    const forbidden = apiError(403, { request: { ...request, needed } });
    const opaque = describeFailure(forbidden, { session: sessionWith({}) });
    expect(opaque.probably).toEqual([needs, otherwise]);
    const enough = describeFailure(forbidden, { session: sessionWith({ scopes: ['buyers.read'] }) });
    expect(enough.probably).toEqual([`${needs}; the token from PAYCTL_TOKEN has buyers.read`, otherwise]);
  });

  it('says that the outcome of a request is unknown', () => {
    const lost = new ConnectionError('connection_lost', 'Lost', {
      request,
      attempts: 1,
      outcomeUnknown: true,
    });
    expect(describeFailure(lost)).toMatchObject({
      code: 'connection_lost',
      outcomeUnknown: true,
      exitCode: 9,
    });
    const post = { ...request, method: 'POST' };
    const unreadable = new ResponseError('unreadable_response', 'No JSON', {
      request: post,
      status: 200,
      attempts: 1,
    });
    expect(describeFailure(unreadable)).toMatchObject({ outcomeUnknown: true, exitCode: 9 });
    expect(describeFailure(new AbortedError(true))).toMatchObject({ outcomeUnknown: true, exitCode: 130 });
  });

  it.each([
    ['dns', 'm', 'the host name is misspelled, or this machine is offline'],
    ['connection_refused', 'm', 'nothing is listening at this address'],
    ['connection_lost', 'm', 'the network or a proxy dropped the connection'],
    [
      'tls',
      'm',
      'this machine does not trust the certificate; set NODE_EXTRA_CA_CERTS to a file with additional CA certificates',
    ],
    ['tls', 'EPROTO', 'the server does not speak TLS at this address'],
    ['timeout', 'm', 'the service is slow or unreachable; add --timeout 2m to wait longer'],
  ] as const)('has advice for %s (%s)', (code, systemCode, sentence) => {
    const cause = Object.assign(new Error('m'), { code: systemCode });
    const error = new ConnectionError(code, 'm', { request, attempts: 1, outcomeUnknown: false, cause });
    expect(describeFailure(error)).toMatchObject({ probably: [sentence], tryNext: ['payctl doctor'] });
  });

  it.each([
    ['dns', 'm', true],
    ['connection_refused', 'm', true],
    ['tls', 'EPROTO', true],
    ['tls', 'm', false],
    ['connection_lost', 'm', false],
    ['timeout', 'm', false],
  ] as const)('names the source of an address that may be wrong: %s (%s)', (code, systemCode, isNamed) => {
    const cause = Object.assign(new Error('m'), { code: systemCode });
    const error = new ConnectionError(code, 'm', { request, attempts: 1, outcomeUnknown: false, cause });
    const baseUrl = { source: { kind: 'environment', name: 'PAYCTL_BASE_URL' } };
    const session = { settings: { baseUrl } } as unknown as Session;
    const [sentence] = describeFailure(error, { session }).probably ?? [];
    expect(sentence?.endsWith('; the base URL comes from PAYCTL_BASE_URL')).toBe(isNamed);
  });

  it('says of a response that cannot be used that something else may have sent it', () => {
    const error = new ResponseError('unreadable_response', 'No JSON', { request, status: 200, attempts: 1 });
    expect(describeFailure(error).probably).toEqual([
      'the base URL points to something other than the service, such as a proxy or a web page',
    ]);
  });

  it('adds to the failure of a later page what was printed, and where to resume', () => {
    const progress = { pages: 2, items: 40, resumeCursor: 'c3' };
    expect(describeFailure(new IncompleteListError(apiError(503), progress))).toMatchObject({
      message: 'Some message; printed 2 pages (40 items) before the error',
      status: 503,
      resumeCursor: 'c3',
      exitCode: 8,
    });
    const one = new IncompleteListError(new CursorLoopError('c'), { ...progress, pages: 1, items: 1 });
    expect(describeFailure(one).message).toMatch(/; printed 1 page \(1 item\) before the error$/);
  });

  it('keeps the hint of an error of payctl', () => {
    const error = new CredentialsError('no_credentials', 'None', { hint: 'Set PAYCTL_TOKEN.' });
    expect(describeFailure(error)).toEqual({
      code: 'no_credentials',
      message: 'None',
      details: [],
      hint: 'Set PAYCTL_TOKEN.',
      exitCode: 3,
    });
    expect(describeFailure(new OutputError('invalid_jq', 'Bad', { hint: 'Look.' }))).toMatchObject({
      exitCode: 2,
    });
  });

  it('distinguishes an error of the system from a bug in payctl', () => {
    const full = Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC', syscall: 'write' });
    expect(describeFailure(full)).toMatchObject({ code: 'ENOSPC', hint: undefined, exitCode: 1 });
    expect(describeFailure(new TypeError('x is not a function'))).toMatchObject({
      code: 'internal_error',
      message: 'x is not a function',
      hint: 'This is a bug in payctl. Run again with --verbose for a stack trace, and please report it.',
      exitCode: 1,
    });
    expect(describeFailure('text')).toMatchObject({ code: 'internal_error', message: 'text', exitCode: 1 });
  });
});
