import { describe, expect, it } from 'vitest';
import { errorObject } from '../../harness/error-object.ts';
import type { Answer } from '../../harness/http-server.ts';
import { type PrintedError, printedError, WORDS } from '../../harness/printed-error.ts';
import { against, buyer, page, SECRET_TOKEN, serve, serveAnswers } from '../paged-service.ts';
import { quickHomes } from '../quick-homes.ts';

const { useHome } = quickHomes();

const home = useHome();
const LIST = ['buyers', 'list'];

/** The error object of the service, as the contract has it. */
function refusal(status: number, code: string, more: Record<string, unknown> = {}): Answer {
  const body = { type: 'error', code, status, message: `Message of ${code}`, details: [], ...more };
  return { status, headers: { 'x-request-id': 'req-1', 'retry-after': '0' }, body };
}

const detail = { location: 'query', pointer: '/limit', message: 'too big', type: 'value_error' };
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
