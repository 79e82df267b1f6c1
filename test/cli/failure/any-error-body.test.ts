import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reportFailure } from '../../../src/cli/failure/report.ts';
import { readApiError } from '../../../src/client/response.ts';
import { isRetryable } from '../../../src/client/retry.ts';
import { failedRun } from './failed-run.ts';

const request = { method: 'GET', path: '/buyers', origin: 'https://api.example.com' };
const EXIT_CODES = new Map(
  [400, 401, 403, 404, 405, 408, 409, 418, 422, 425, 429].map((status) => [status, 6]),
);
for (const [status, code] of [
  [401, 3],
  [403, 4],
  [404, 5],
  [425, 7],
  [429, 7],
  [500, 8],
  [502, 8],
  [503, 8],
  [504, 8],
] as const) {
  EXIT_CODES.set(status, code);
}
const statuses = [...EXIT_CODES.keys()];

const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

/** What stderr says about a response with an error status, and the exit code. */
async function failureFrom(status: number, text: string, format: 'json' | 'table' = 'json') {
  const error = readApiError({
    status,
    text,
    headers: { 'retry-after': '7' },
    request,
    requestId: undefined,
    attempts: 1,
  });
  const { run, stderr } = failedRun([], { format });
  const exitCode = await reportFailure(error, run);
  return { error, exitCode, stderr: stderr.text };
}

async function expectReported(status: number, text: string) {
  const { error, exitCode, stderr } = await failureFrom(status, text);
  expect(exitCode).toBe(EXIT_CODES.get(status));
  const { error: printed } = JSON.parse(stderr);
  expect(printed).toMatchObject({ status, exit_code: exitCode });
  expect(printed.code).not.toBe('internal_error');
  expect([error.status, error.retryAfter]).toEqual([status, '7']);
  expect(isRetryable('GET', error)).toBe([408, 425, 429].includes(status) || status >= 500);
  expect((await failureFrom(status, text, 'table')).exitCode).toBe(exitCode);
}

describe('the body of an error response', () => {
  const item = fc.oneof(
    fc.jsonValue(),
    fc.record(
      Object.fromEntries(
        ['loc', 'msg', 'type', 'input', 'ctx', 'location', 'pointer', 'message'].map((name) => [
          name,
          fc.oneof(fc.jsonValue(), fc.string()),
        ]),
      ),
      { requiredKeys: [] },
    ),
  );
  const body = fc.oneof(
    fc.jsonValue(),
    fc.record(
      {
        type: fc.constantFrom<unknown>('error', null, 7),
        code: fc.oneof(fc.string(), fc.jsonValue()),
        status: fc.jsonValue(),
        message: fc.oneof(fc.string(), fc.jsonValue()),
        details: fc.oneof(fc.array(item), fc.jsonValue()),
        detail: fc.oneof(fc.array(item), fc.jsonValue()),
        resource_id: fc.jsonValue(),
      },
      { requiredKeys: [] },
    ),
  );

  it('never changes the exit code of its status, whatever JSON it is', { tags: 'slow' }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...statuses), body, async (status, value) => {
        await expectReported(status, JSON.stringify(value));
      }),
    );
  });

  it.each([
    ['deep JSON', deep(20_000)],
    ['a deep loc', `{"detail":[{"loc":${deep(20_000)},"msg":"Bad","type":"value"}]}`],
    ['a deep part of loc', `{"detail":[{"loc":["body",${deep(20_000)}],"msg":"Bad","type":"value"}]}`],
    ['a deep input', `{"detail":[{"loc":["body"],"msg":"Bad","type":"value","input":${deep(20_000)}}]}`],
    ['an input that is deep but not too deep', `{"detail":[{"loc":["body"],"input":${deep(900)}}]}`],
    ['a deep detail', `{"type":"error","code":"x","details":[${deep(20_000)}]}`],
    ['a long secret', `{"type":"error","code":"x","message":"m","secret":"${'x'.repeat(2_000_000)}"}`],
    [
      'a long secret as input',
      `{"detail":[{"loc":["body"],"input":{"secret":"${'x'.repeat(2_000_000)}"},"msg":"Bad"}]}`,
    ],
    ['a long message', `{"type":"error","code":"x","message":"${'x'.repeat(2_000_000)}"}`],
    ['many details', `{"type":"error","code":"x","details":[${Array(20_000).fill('{}').join()}]}`],
  ])('never changes the exit code of its status: %s', { tags: 'slow' }, async (_, text) => {
    for (const status of [422, 503]) await expectReported(status, text);
  });

  it('is repeated with its input and ctx, exactly and without secrets', async () => {
    const text = `{"detail":[
      {"loc":["body","a"],"msg":"Too long","type":"max","input":12345678901234567890,"ctx":{"limit":5}},
      {"loc":["body","password"],"msg":"Bad","type":"value","input":"hunter2"},
      {"loc":["body","b"],"msg":"Bad","type":"value","input":{"secret":"hunter2","n":null},"ctx":{}}
    ]}`;
    const { stderr } = await failureFrom(422, text, 'table');
    expect(stderr.split('\n').slice(1, 4)).toEqual([
      '  body /a: Too long (max); input: 12345678901234567890; ctx: {"limit":5}',
      '  body /password: Bad (value); input: "********"',
      '  body /b: Bad (value); input: {"secret":"********","n":null}',
    ]);
    const asJson = (await failureFrom(422, text)).stderr;
    expect(asJson).toContain('"input":12345678901234567890,"ctx":{"limit":5}');
    expect(asJson).not.toContain('hunter2');
  });

  it('is shortened where it is long: texts, values, the number of details', async () => {
    const message = 'm'.repeat(3000);
    const shortened = `${'m'.repeat(2000)}... (1.0 kB more)`;
    const details = Array(102).fill({ message: 'Bad', location: 'body' });
    const { error } = JSON.parse(
      (await failureFrom(400, JSON.stringify({ type: 'error', code: 'x', message, details }))).stderr,
    );
    expect(error.message).toBe(shortened);
    expect(error.details).toHaveLength(51);
    expect(error.details[50]).toEqual({ message: '... (52 more)' });
    const long = JSON.stringify({ detail: [{ loc: ['body', 'a'], msg: 'm', type: 't', input: message }] });
    expect(JSON.parse((await failureFrom(422, long)).stderr).error.details[0].input).toBe(shortened);
  });
});
