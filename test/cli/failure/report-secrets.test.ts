import { describe, expect, it } from 'vitest';
import { reportFailure } from '../../../src/cli/failure/report.ts';
import { ApiError, ResponseError } from '../../../src/client/errors.ts';
import { readApiError } from '../../../src/client/response.ts';
import { UsageError } from '../../../src/errors.ts';
import { errorMembers } from '../../../src/features/bulk/apply/row-end.ts';
import { failedRun } from './failed-run.ts';

const request = { method: 'GET', path: '/buyers', origin: 'https://api.example.com' };
const TOKEN = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJub2JvZHkifQ.c2lnbmF0dXJlIG9mIG5vYm9keQ';
const MASK = '********';

describe('a secret among the arguments', () => {
  const shownOf = async (message: string, argv: readonly string[]) => {
    const { run, stderr } = failedRun(argv);
    await reportFailure(new UsageError('some_code', message), run);
    return stderr.text.replace(/^Error: | \(some_code\)\n$/g, '');
  };

  it.each([
    [[TOKEN]],
    [[`Bearer ${TOKEN}`]],
    [['--token', TOKEN]],
    [[`--token=${TOKEN}`]],
    [[`token=${TOKEN}`]],
    [['--metadata', `token=${TOKEN}`]],
    [[`--metadata=token=${TOKEN}`]],
    [[`-t${TOKEN}`]],
    [[`-t=${TOKEN}`]],
    [[`--cursor=${TOKEN}`]],
    [['--cursor', TOKEN]],
  ])('is masked in messages: %j', async (argv) => {
    expect(await shownOf(`The token is "${TOKEN}"`, argv)).toBe(`The token is "${MASK}"`);
  });

  it('is masked whole where it is a key in PEM after a dash, with an equals sign', async () => {
    const argv = ['-----BEGIN PRIVATE KEY-----\nbm90aGluZyBvZiB2YWx1ZQ==\n-----END PRIVATE KEY-----'];
    expect(await shownOf('It is bm90aGluZyBvZiB2YWx1ZQ==', argv)).toBe(`It is ${MASK}`);
  });

  it.each([
    ['an-ordinary-argument', ['an-ordinary-argument']],
    ['an-ordinary-value', ['--search=an-ordinary-value']],
    ['xxeyJhbGciOiJub25lIn0', ['xxeyJhbGciOiJub25lIn0']],
    ['eyJjIjoxMDAwMDAwfQ', ['--cursor', 'eyJjIjoxMDAwMDAwfQ']],
    ['eyJjIjoxMDAwMDAwfQ', ['--limit', '5', '--cursor=eyJjIjoxMDAwMDAwfQ']],
  ])('is not what is no secret: %s in %j', async (word, argv) => {
    expect(await shownOf(`It is ${word}`, argv)).toBe(`It is ${word}`);
  });

  it.each([
    [['eyJjIjoxMDAwMDAwfQ', '--cursor', 'abc']],
    [['--limit', 'eyJjIjoxMDAwMDAwfQ']],
    [['--limit=eyJjIjoxMDAwMDAwfQ']],
    [['', 'eyJjIjoxMDAwMDAwfQ']],
    [['eyJjIjoxMDAwMDAwfQ--cursor=']],
  ])('may look like a cursor, and is one only with --cursor: %j', async (argv) => {
    expect(await shownOf('It is eyJjIjoxMDAwMDAwfQ', argv)).toBe(`It is ${MASK}`);
  });

  it('is masked in every text of the report, and in the stack trace', async () => {
    const { run, stderr } = failedRun([TOKEN, '--json']);
    const error = new ApiError('code', TOKEN, {
      status: 400,
      request: { ...request, path: `/buyers/${TOKEN}` },
      details: [
        { location: 'body', message: TOKEN },
        { message: 'other', pointer: `/${TOKEN}` },
      ],
      attempts: 2,
    });
    await reportFailure(error, run);
    expect(JSON.parse(stderr.text)).toEqual({
      error: {
        code: 'code',
        status: 400,
        message: MASK,
        details: [
          { location: 'body', message: MASK },
          { message: 'other', pointer: `/${MASK}` },
        ],
        request: { ...request, path: `/buyers/${MASK}`, attempts: 2 },
        exit_code: 6,
      },
    });
    const verbose = failedRun([TOKEN], { verbose: true });
    await reportFailure(new TypeError(TOKEN), verbose.run);
    expect(verbose.stderr.text).toContain(`TypeError: ${MASK}\n`);
    expect(verbose.stderr.text).not.toContain(TOKEN);
  });
});

describe('personal data in the body of a response', () => {
  const body = '{"items":[{"id":"b1","billing_details":{"first_name":"ALICE';
  const errors = [
    new ResponseError('unreadable_response', 'message', {
      request,
      status: 200,
      attempts: 1,
      bodyExcerpt: body,
    }),
    new ApiError('http_500', 'message', { request, status: 500, attempts: 1, bodyExcerpt: body }),
  ];

  it.each(errors)('are masked, except with --reveal-pii: %s', async (error) => {
    const excerptOf = async (argv: readonly string[]) => {
      const { run, stderr } = failedRun(argv);
      await reportFailure(error, run);
      return JSON.parse(stderr.text).error.body_excerpt;
    };
    const masked = `{"items":[{"id":"b1","billing_details":"${MASK}"`;
    expect(await excerptOf(['--json'])).toBe(masked);
    expect(await excerptOf(['--json', '--', '--reveal-pii'])).toBe(masked);
    expect(await excerptOf(['--json', '--reveal-pii'])).toBe(body);
  });

  it('are masked in what a body of another shape says, too', async () => {
    const error = readApiError({
      text: '{"error":{"message":"Taken: email: ALICE"}}',
      ...{ status: 400, headers: {}, request, requestId: undefined, attempts: 1 },
    });
    const { run, stderr } = failedRun(['--json']);
    await reportFailure(error, run);
    expect(JSON.parse(stderr.text).error.details).toEqual([{ message: `Taken: email: ${MASK}` }]);
    expect(errorMembers(error, String)).toMatchObject({ message: `Taken: email: ${MASK} (Bad Request)` });
  });
});
