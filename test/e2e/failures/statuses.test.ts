import { describe, expect, it } from 'vitest';
import { errorObject } from '../../harness/error-object.ts';
import type { Answer } from '../../harness/http-server.ts';
import { type PrintedError, printedError, WORDS } from '../../harness/printed-error.ts';
import { useHome } from '../../harness/run-payctl.ts';
import { against, buyer, page, SECRET_TOKEN, serve, serveAnswers } from '../paged-service.ts';

const home = useHome();
const LIST = ['buyers', 'list'];

/** The error object of the service, as the contract has it. */
function refusal(status: number, code: string, more: Record<string, unknown> = {}): Answer {
  const body = { type: 'error', code, status, message: `Message of ${code}`, details: [], ...more };
  return { status, headers: { 'x-request-id': 'req-1', 'retry-after': '0' }, body };
}

const detail = { location: 'query', pointer: '/limit', message: 'too big', type: 'value_error' };
const invalid = { loc: ['query', 'search'], msg: 'too short', type: 'string_too_short', input: '', ctx: {} };

/** A refusal that is not tried again: what the service answers, the exit code, and what is printed besides. */
type Refusal = {
  readonly answer: Answer;
  readonly exitCode: number;
  readonly printed?: Partial<PrintedError>;
};

const REFUSALS: Readonly<Record<string, Refusal>> = {
  '400': {
    answer: refusal(400, 'bad_request', { details: [detail] }),
    exitCode: 6,
    printed: { details: ['query /limit: too big (value_error)'] },
  },
  '401': {
    answer: refusal(401, 'unauthorized'),
    exitCode: 3,
    printed: {
      causes: [expect.stringContaining('PAYCTL_TOKEN')],
      hints: [expect.stringContaining('API logs')],
      commands: ['payctl doctor', 'payctl api-logs list --status 401'],
    },
  },
  '403': {
    answer: refusal(403, 'forbidden'),
    exitCode: 4,
    printed: {
      causes: [expect.stringContaining('buyers.read'), expect.any(String)],
      commands: ['payctl doctor'],
    },
  },
  '404': {
    answer: refusal(404, 'not_found'),
    exitCode: 5,
    printed: { causes: [expect.any(String)] },
  },
  '405': {
    answer: refusal(405, 'method_not_allowed'),
    exitCode: 6,
    printed: { causes: [expect.any(String)] },
  },
  '409': {
    answer: refusal(409, 'duplicate_record', { resource_id: 'other-record' }),
    exitCode: 6,
    printed: { causes: [expect.any(String)], resource: ['other-record'] },
  },
};

/** What a 404 may be due to where a merchant account is named. */
const OTHER_ACCOUNT = expect.stringContaining('shop (--merchant-account)');

describe('a refusal of the service', () => {
  it.each(Object.entries(REFUSALS))('is printed with what to do about it: %s', async (status, expected) => {
    const server = await serveAnswers(expected.answer);
    const run = await home.payctl(LIST, { env: against(server) });
    expect(run).toMatchObject({ stdout: '', code: expected.exitCode, signal: null });
    const { code, message } = expected.answer.body as { code: string; message: string };
    expect(printedError(run.stderr)).toEqual({
      code,
      status: Number(status),
      message,
      request: [`GET ${server.origin}/buyers, request ID req-1`],
      ...expected.printed,
    });
    expect(server.requests).toHaveLength(1);
  });

  it.each(Object.entries(REFUSALS))(
    'is one JSON object on stderr beside -o json: %s',
    async (status, { answer, exitCode, printed = {} }) => {
      const server = await serveAnswers(answer);
      const run = await home.payctl([...LIST, '-o', 'json', '-m', 'shop'], { env: against(server) });
      const body = answer.body as Record<string, unknown>;
      const { causes = [], commands, hints } = printed;
      const probably = [...causes, ...(status === '404' ? [OTHER_ACCOUNT] : [])];
      expect(errorObject(run.stderr)).toEqual({
        code: body.code,
        status: Number(status),
        message: body.message,
        details: body.details,
        ...(body.resource_id === undefined ? {} : { resource_id: body.resource_id }),
        request: {
          method: 'GET',
          path: '/buyers',
          origin: server.origin,
          merchant_account: 'shop',
          request_id: 'req-1',
          attempts: 1,
        },
        ...(probably.length > 0 ? { probably } : {}),
        ...(commands ? { try: commands.map((command) => `${command} --merchant-account shop`) } : {}),
        ...(hints ? { hint: hints[0] } : {}),
        exit_code: exitCode,
      });
      expect(run).toMatchObject({ stdout: '', code: exitCode });
    },
  );

  it('names the details of a 422 by location and pointer, and exits with 6', async () => {
    const server = await serveAnswers({ status: 422, body: { detail: [invalid] } });
    const run = await home.payctl([...LIST, '-m', 'shop'], { env: against(server) });
    expect(run).toMatchObject({ stdout: '', code: 6, signal: null });
    expect(printedError(run.stderr)).toEqual({
      code: 'validation_error',
      status: 422,
      message: WORDS,
      details: ['query /search: too short (string_too_short); input: ""'],
      request: [`GET ${server.origin}/buyers, merchant account shop`],
    });
  });

  it('shows the beginning of a body that is no error object, escaped', async () => {
    const server = await serveAnswers({ status: 418, body: '<b>\u001b[31mteapot\u0007</b>' });
    const run = await home.payctl(LIST, { env: against(server) });
    expect(run).toMatchObject({ stdout: '', code: 6, signal: null });
    expect(printedError(run.stderr)).toEqual({
      code: 'http_418',
      status: 418,
      message: "I'm a Teapot",
      causes: [WORDS],
      response: ['<b>␛[31mteapot␇</b>'],
      request: [`GET ${server.origin}/buyers`],
    });
  });
});

/** The line that announces a retry, with its wait: `now`, or `in 1.0 s`. */
const retryLine = (reason: string, wait: string, retry: number) =>
  expect.stringMatching(new RegExp(`^${reason}.* Retrying ${wait} \\(retry ${retry} of 3\\)$`));

describe('a passing problem of the service', () => {
  it('is tried again, each retry announced, until the answer comes', async () => {
    const busy = { status: 503, headers: { 'retry-after': '0' }, body: 'busy' };
    const server = await serveAnswers(busy, busy, { body: page([buyer(1)]) });
    const run = await home.payctl([...LIST, '--no-header', '--columns', 'id'], { env: against(server) });
    expect(run).toMatchObject({ stdout: `${buyer(1).id}\n`, code: 0, signal: null });
    expect(run.stderr.split('\n')).toEqual([
      retryLine('Service Unavailable', 'now', 1),
      retryLine('Service Unavailable', 'now', 2),
      '',
    ]);
    expect(server.requests).toHaveLength(3);
  });

  it('is waited out for as long as Retry-After asks', async () => {
    const server = await serveAnswers(
      {
        status: 429,
        headers: { 'retry-after': '1' },
        body: { ...(refusal(429, 'too_many_requests').body as object) },
      },
      { body: page([buyer(1)]) },
    );
    const run = await home.payctl([...LIST, '-o', 'csv', '--columns', 'id'], { env: against(server) });
    expect(run).toMatchObject({ stdout: `id\r\n${buyer(1).id}\r\n`, code: 0, signal: null });
    expect(run.stderr.split('\n')).toEqual([retryLine('Message of too_many_requests', 'in 1.0 s', 1), '']);
    const [first, second] = server.requests.map(({ at }) => at);
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(990);
  });

  it.each([
    [429, 'too_many_requests', 7],
    [425, 'too_early', 7],
    [500, 'server_error', 8],
    [502, 'bad_gateway', 8],
    [503, 'unavailable', 8],
    [504, 'gateway_timeout', 8],
  ])('ends after the retries when it stays: %s', async (status, code, exitCode) => {
    const server = await serve((_, response) => {
      response.writeHead(status, { 'retry-after': '0' });
      response.end(JSON.stringify(refusal(status, code).body));
    });
    const run = await home.payctl(LIST, { env: against(server) });
    expect(run).toMatchObject({ stdout: '', code: exitCode, signal: null });
    expect(printedError(run.stderr)).toEqual({
      before: [1, 2, 3].map((retry) => retryLine(`Message of ${code}`, 'now', retry)),
      code,
      status,
      message: `Message of ${code}`,
      request: [`GET ${server.origin}/buyers, 4 attempts`],
      causes: [WORDS],
      commands: [`payctl api-logs summary --status ${exitCode === 7 ? '425,429' : '5xx'} --by hour`],
    });
    expect(server.requests).toHaveLength(4);
  });

  it('is not tried again with --max-retries 0, or PAYCTL_MAX_RETRIES=0', async () => {
    const server = await serve((_, response) => void response.writeHead(503).end());
    const flag = await home.payctl([...LIST, '--max-retries', '0'], { env: against(server) });
    expect(flag.code).toBe(8);
    const variable = await home.payctl(LIST, { env: { ...against(server), PAYCTL_MAX_RETRIES: '0' } });
    expect(variable).toEqual(flag);
    expect(server.requests).toHaveLength(2);
  });

  it('beside JSON is announced in JSON lines; the error is the last one', async () => {
    const server = await serve((_, response) => void response.writeHead(503, { 'retry-after': '0' }).end());
    const run = await home.payctl([...LIST, '--json', '--max-retries', '1'], { env: against(server) });
    expect(errorObject(run.stderr, ['retry'])).toMatchObject({
      code: 'http_503',
      request: { attempts: 2 },
      exit_code: 8,
    });
    expect(run).toMatchObject({ stdout: '', code: 8 });
  });
});

describe('a redirect', () => {
  it('is refused with 9, and the other origin sees neither request nor token', async () => {
    const stranger = await serve((_, response) => void response.end('{}'));
    const location = `${stranger.origin}/buyers`;
    const server = await serveAnswers({ status: 307, headers: { location } });
    const run = await home.payctl([...LIST, '-v'], { env: against(server) });
    expect(printedError(run.stderr)).toEqual({
      before: expect.arrayContaining([`> GET ${server.origin}/buyers`]),
      code: 'redirect_refused',
      status: 307,
      message: WORDS,
      request: [`GET ${server.origin}/buyers`],
      hints: [
        `The token is sent only to the configured base URL. Open ${server.origin} in a browser and sign in: the network or a proxy in front of the service requires it.`,
      ],
    });
    expect(run).toMatchObject({ stdout: '', code: 9 });
    expect(run.stderr).not.toContain(SECRET_TOKEN);
    expect(stranger.requests).toEqual([]);
    expect(stranger.connections()).toBe(0);
  });
});
