import { describe, expect, it } from 'vitest';
import { describeFailure } from '../../../src/cli/failure/describe.ts';
import { IncompleteListError } from '../../../src/cli/failure/incomplete-list-error.ts';
import { NotShownError } from '../../../src/cli/failure/not-shown-error.ts';
import {
  ApiError,
  ConnectionError,
  type ConnectionErrorCode,
  CursorLoopError,
  ResponseError,
} from '../../../src/client/errors.ts';
import { AbortedError, CredentialsError, OutputError } from '../../../src/errors.ts';
import { fakeSession } from '../session/fake-session.ts';

const request = { method: 'GET', path: '/buyers', origin: 'https://api.example.com' };

function apiError(status: number, more: Partial<ConstructorParameters<typeof ApiError>[2]> = {}) {
  return new ApiError('some_code', 'Some message', { status, request, attempts: 1, ...more });
}

function connectionError(code: ConnectionErrorCode, outcomeUnknown = false) {
  return new ConnectionError(code, 'Lost', { request, attempts: 3, outcomeUnknown });
}

describe('describeFailure', () => {
  it.each([
    ['unreadable_response', 200, '<!DOCTYPE html><title>Welcome to Hotel Wi-Fi</title>'],
    ['unreadable_response', 200, '  <html lang="en">'],
  ] as const)(
    'says of a web page that the network may require you to sign in: %s %i %s',
    (code, status, bodyExcerpt) => {
      const error = new ResponseError(code, 'message', { request, status, attempts: 1, bodyExcerpt });
      expect(describeFailure(error).probably).toEqual([
        'a web page responded instead of the service: the base URL is wrong, or the network requires you to sign in; open the page in a browser',
      ]);
    },
  );

  it.each([
    ['/secret'],
    ['/secret/value'],
    ['/credentials/0'],
    ['/items/0/api_key/raw/1'],
    ['/authentication~1password/x'],
  ])('masks an input that was rejected in or below a secret: %s', (pointer) => {
    const details = [{ location: 'body', pointer, message: 'bad', input: 'SEKRET' }];
    const report = describeFailure(apiError(422, { details }));
    expect(report.details).toEqual([{ location: 'body', pointer, message: 'bad', input: '********' }]);
  });

  it.each(['/secretary/0', '/secret_id/value'])('keeps an input of what is no secret: %s', (pointer) => {
    const details = [{ location: 'body', pointer, message: 'bad', input: 5, ctx: { le: 4 } }];
    expect(describeFailure(apiError(422, { details })).details).toEqual(details);
  });

  it('keeps everything that came with an error of the service', () => {
    const details = [{ location: 'body', pointer: '/a', message: 'bad' }];
    const fields = { details, resourceId: 'r', requestId: 'req', bodyExcerpt: 'x', attempts: 2 };
    expect(describeFailure(apiError(418, fields))).toEqual({
      code: 'some_code',
      message: 'Some message',
      status: 418,
      details,
      resourceId: 'r',
      bodyExcerpt: 'x',
      request: { ...request, requestId: 'req', attempts: 2 },
      probably: [
        expect.stringContaining(
          'a server in front of the service may have sent this status, which the specification does not list',
        ),
      ],
      exitCode: 6,
    });
  });

  it('adds advice that takes the session into account', () => {
    const { session } = fakeSession();
    const trial = { session: { ...session, isTrial: true } };
    expect(describeFailure(apiError(401), trial).tryNext).toEqual([]);
    expect(describeFailure(apiError(401), { session }).tryNext).toHaveLength(2);
    const baseUrl = { value: 'x', source: { kind: 'flag', name: '--base-url' } } as const;
    const named = { session: { ...session, settings: { ...session.settings, baseUrl } } };
    expect(describeFailure(connectionError('dns'), named).probably).toEqual([
      'the host name is misspelled, or this machine is offline; the base URL comes from --base-url',
    ]);
  });

  it.each([true, false])(
    'tells of a lost connection whether the outcome is unknown: %s',
    (outcomeUnknown) => {
      expect(describeFailure(connectionError('connection_lost', outcomeUnknown))).toEqual({
        code: 'connection_lost',
        message: 'Lost',
        details: [],
        request: { ...request, attempts: 3 },
        probably: ['the network or a proxy dropped the connection'],
        tryNext: ['payctl doctor'],
        outcomeUnknown,
        exitCode: 9,
      });
    },
  );

  it.each([
    ['GET', false],
    ['POST', true],
  ])(
    'says of a response to a %s that cannot be used that something else may have sent it',
    (method, isOpen) => {
      const fields = { request: { ...request, method }, status: 200, attempts: 1 };
      const more = { requestId: 'req', bodyExcerpt: 'all is well', hint: 'Look.' };
      expect(
        describeFailure(new ResponseError('unreadable_response', 'No JSON', { ...fields, ...more })),
      ).toEqual({
        code: 'unreadable_response',
        message: 'No JSON',
        status: 200,
        details: [],
        request: { ...request, method, requestId: 'req', attempts: 1 },
        bodyExcerpt: 'all is well',
        hint: 'Look.',
        probably: ['the base URL points to something other than the service, such as a proxy or a web page'],
        ...(isOpen ? { outcomeUnknown: true } : {}),
        exitCode: 9,
      });
    },
  );

  it('names the outcome of a change only where an answer leaves it unknown', () => {
    const answered = (status: number) =>
      describeFailure(
        new ApiError('http', 'm', { request: { ...request, method: 'POST' }, status, attempts: 1 }),
      );
    expect(answered(504)).toMatchObject({
      outcomeUnknown: true,
      probably: ['a server behind the gateway of the service did not respond in time'],
    });
    expect(answered(404).outcomeUnknown).toBeUndefined();
    const redirect = new ResponseError('redirect_refused', 'm', {
      request: { ...request, method: 'POST' },
      status: 307,
      attempts: 1,
    });
    expect(describeFailure(redirect).outcomeUnknown).toBeUndefined();
    const noToken = new CredentialsError('no_credentials', 'm', { outcomeUnknown: true });
    expect(describeFailure(noToken)).toMatchObject({ outcomeUnknown: true });
    expect(describeFailure(new CredentialsError('no_credentials', 'm')).outcomeUnknown).toBeUndefined();
  });

  it.each([true, false])(
    'says of an interrupted run whether the outcome is unknown: %s',
    (outcomeUnknown) => {
      expect(describeFailure(new AbortedError(outcomeUnknown))).toEqual({
        code: 'aborted',
        message: 'Interrupted',
        details: [],
        outcomeUnknown,
        exitCode: 130,
      });
    },
  );

  it('says of a list that could not be printed why, and claims nothing', () => {
    const unprinted = new OutputError('jq_failed', '--jq failed on the data: x');
    const progress = { pages: 1, items: 2, resumeCursor: 'c2', unprinted };
    const report = describeFailure(new IncompleteListError(apiError(503), progress));
    expect(report).toMatchObject({
      message: 'Some message; read 1 page (2 items) before the error, but printed nothing',
      details: [{ message: '--jq failed on the data: x', type: 'jq_failed' }],
      resumeCursor: 'c2',
    });
  });

  it('adds to the failure of a later page what was printed, and where to resume', () => {
    const progress = { pages: 2, items: 40, resumeCursor: 'c3' };
    expect(describeFailure(new IncompleteListError(apiError(503), progress))).toMatchObject({
      message: 'Some message; printed 2 pages (40 items) before the error',
      status: 503,
      resumeCursor: 'c3',
      exitCode: 8,
    });
    const whole = { ...progress, resumeCursor: undefined, isComplete: true };
    expect(describeFailure(new IncompleteListError(new AbortedError(), whole))).toMatchObject({
      message: 'Interrupted; printed the whole list, 2 pages (40 items), before the interruption',
      isComplete: true,
      resumeCursor: undefined,
    });
    const torn = { ...progress, wholeLines: 41 };
    expect(describeFailure(new IncompleteListError(new Error('full'), torn))).toMatchObject({
      message: 'full; printed 2 pages (40 items) before the error',
      hint: 'Keep only the first 41 lines of the output.',
      wholeLines: 41,
      resumeCursor: 'c3',
    });
    const command = { ...torn, wholeLines: 1, resumeCommand: 'payctl x' };
    expect(describeFailure(new IncompleteListError(new Error('full'), command))).toMatchObject({
      hint: 'Keep only the first 1 line of the output, and append the output of the resume command.',
      resumeCommand: 'payctl x',
    });
    const one = new IncompleteListError(new CursorLoopError('c'), { ...progress, pages: 1, items: 1 });
    const report = describeFailure(one);
    expect(report.message).toMatch(/; printed 1 page \(1 item\) before the error$/);
    expect(report).toMatchObject({ code: 'cursor_loop', resumeCursor: undefined, exitCode: 9 });
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
    expect(describeFailure(new OutputError('jq_failed', 'Bad', { hint: 'Look.' }))).toEqual({
      code: 'jq_failed',
      message: 'Bad',
      details: [],
      hint: 'Look.',
      exitCode: 1,
    });
  });

  it.each([
    [{ id: 'sd-1' }, new OutputError('jq_failed', 'Bad'), { code: 'jq_failed', id: 'sd-1', exitCode: 1 }],
    [{ id: 5 }, new OutputError('jq_failed', 'Bad'), { code: 'jq_failed', id: '5', exitCode: 1 }],
    [{}, apiError(401), { code: 'some_code', id: undefined, exitCode: 1 }],
    [{ id: 'sd-1' }, new AbortedError(), { code: 'aborted', id: 'sd-1', exitCode: 130 }],
  ])('says that a change was carried out whose response cannot be shown: %j', (document, cause, expected) => {
    const { code, id, exitCode, outcome } = describeFailure(new NotShownError(cause, document));
    expect({ code, id, exitCode, outcome }).toEqual({ ...expected, outcome: 'done' });
    expect(new NotShownError(cause, document).message).toBe('a response could not be shown');
  });

  it.each([
    ['ENOSPC', 'the disk is full'],
    ['EDQUOT', 'the disk quota is exceeded'],
    ['EFBIG', 'the file would be too large'],
    ['EIO', 'the device reports an error'],
    ['EBADF', 'it is closed'],
    ['EXYZ', 'EXYZ'],
  ])('says in words why stdout cannot be written: %s', (code, reason) => {
    const error = Object.assign(new Error(`${code}: some words, write`), { code, syscall: 'write' });
    expect(describeFailure(error)).toEqual({
      code,
      message: `Cannot write to standard output: ${reason}`,
      details: [],
      hint: 'The output is incomplete. Correct this, and run the command again.',
      exitCode: 1,
    });
    // Running a change again would make it twice.
    expect(describeFailure(new NotShownError(error, { id: 'i' }))).toMatchObject({
      code,
      hint: undefined,
      outcome: 'done',
    });
  });

  it('distinguishes an error of the system from a bug in payctl', () => {
    const gone = Object.assign(new Error('ENOENT: no such file'), { code: 'ENOENT', syscall: 'open' });
    expect(describeFailure(gone)).toEqual({
      code: 'ENOENT',
      message: 'ENOENT: no such file',
      details: [],
      exitCode: 1,
    });
    const bug = {
      code: 'internal_error',
      details: [],
      hint: 'This is a bug in payctl. Run again with --verbose for a stack trace, and please report it.',
      exitCode: 1,
    };
    const sqlite = (errcode: number, text: string) =>
      describeFailure(Object.assign(new Error(text), { code: 'ERR_SQLITE_ERROR', errcode }));
    expect([
      sqlite(11, 'database disk image is malformed'),
      sqlite(13, 'database or disk is full'),
      sqlite(5, 'database is locked'),
      sqlite(10 | (3 << 8), 'disk I/O error'),
    ]).toEqual(
      [
        'database disk image is malformed',
        'database or disk is full',
        'database is locked',
        'disk I/O error',
      ].map((reason) => ({
        code: 'database_unusable',
        message: `A database of payctl cannot be used: ${reason}`,
        details: [],
        hint: 'Check that the disk has room, and that no other process is using the database.',
        exitCode: 1,
      })),
    );
    expect(sqlite(1, 'near "FORM": syntax error')).toMatchObject({ code: 'internal_error' });
    expect(sqlite(19, 'UNIQUE constraint failed')).toMatchObject({ code: 'internal_error' });
    const message = 'x is not a function';
    expect(describeFailure(new TypeError(message))).toEqual({ ...bug, message });
    expect(describeFailure(Object.assign(new Error(message), { code: 'ERR_X' }))).toEqual({
      ...bug,
      message,
    });
    expect(describeFailure('text')).toEqual({ ...bug, message: 'text' });
  });
});
