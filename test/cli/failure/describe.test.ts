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
  it('tells everything that came with an error of the service', () => {
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

  it('names the source, key id and expiry of a token that is refused, and the command that tells more', () => {
    const expired = { keyId: 'k1', expiresAt: new Date('2020-01-01T00:00:00Z') };
    const report = describeFailure(apiError(401), { session: sessionWith(expired) });
    expect(report.probably).toEqual([
      'the token of PAYCTL_TOKEN is not valid for this service; its key id is k1; it expired at 2020-01-01T00:00:00.000Z',
    ]);
    expect(report.tryNext).toEqual([
      'payctl doctor --profile staging',
      'payctl api-logs list --status 401 --profile staging',
    ]);
    const valid = { expiresAt: new Date('2999-01-01T00:00:00Z') };
    expect(describeFailure(apiError(401), { session: sessionWith(valid) }).probably).toEqual([
      'the token of PAYCTL_TOKEN is not valid for this service; it expires at 2999-01-01T00:00:00.000Z',
    ]);
    expect(describeFailure(apiError(401)).probably).toEqual(['the token is not valid for this service']);
  });

  it('names the scopes that are needed and held when a request is forbidden', () => {
    const session = sessionWith({ scopes: ['roles.read', 'embed2'] });
    const forbidden = (...accepted: string[]) =>
      apiError(403, { request: { ...request, needed: { scopes: accepted.slice(0, 1), accepted } } });
    expect(describeFailure(forbidden('gift-cards.read', 'embed'), { session })).toMatchObject({
      probably: [
        'the command needs the scope gift-cards.read or embed; the token of PAYCTL_TOKEN has roles.read, embed2',
      ],
      exitCode: 4,
    });
    const without = { session: sessionWith({ scopes: [] }) };
    const [none] = describeFailure(forbidden('buyers.read'), without).probably ?? [];
    expect(none).toBe('the command needs the scope buyers.read; the token of PAYCTL_TOKEN has none');
    expect(describeFailure(apiError(403)).probably?.[0]).toBe('the token lacks a scope');
  });

  it.each([
    [429, 1, 'the service limits how often it may be called; one attempt did not help'],
    [425, 4, 'the service limits how often it may be called; 4 attempts did not help'],
    [503, 4, 'the service has a fault; 4 attempts did not help'],
    [404, 1, 'it does not exist, or the service hides it because the caller may not see it'],
  ])('says what is probably wrong with a %i', (status, attempts, sentence) => {
    expect(describeFailure(apiError(status, { attempts })).probably).toEqual([sentence]);
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

  it.each(['dns', 'connection_refused', 'connection_lost', 'tls', 'timeout'] as const)(
    'has advice for %s',
    (code) => {
      const error = new ConnectionError(code, 'm', { request, attempts: 1, outcomeUnknown: false });
      expect(describeFailure(error).probably).toHaveLength(1);
    },
  );

  it('adds to the failure of a later page what was printed, and where to resume', () => {
    const progress = { pages: 2, items: 40, resumeCursor: 'c3' };
    expect(describeFailure(new IncompleteListError(apiError(503), progress))).toMatchObject({
      message: 'Some message; 2 pages (40 items) had been printed',
      status: 503,
      resumeCursor: 'c3',
      exitCode: 8,
    });
    const one = new IncompleteListError(new CursorLoopError('c'), { ...progress, pages: 1, items: 1 });
    expect(describeFailure(one).message).toMatch(/; 1 page \(1 items?\) had been printed$/);
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

  it('tells a fault of the system from one of payctl', () => {
    const full = Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC', syscall: 'write' });
    expect(describeFailure(full)).toMatchObject({ code: 'ENOSPC', hint: undefined, exitCode: 1 });
    expect(describeFailure(new TypeError('x is not a function'))).toMatchObject({
      code: 'internal_error',
      message: 'x is not a function',
      hint: 'This is a fault of payctl. --verbose shows where it happened; please report it.',
      exitCode: 1,
    });
    expect(describeFailure('text')).toMatchObject({ code: 'internal_error', message: 'text', exitCode: 1 });
  });
});
