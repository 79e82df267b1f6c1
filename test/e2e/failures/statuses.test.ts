import { describe, expect, it } from 'vitest';
import { errorObject } from '../../harness/error-object.ts';
import type { Answer } from '../../harness/http-server.ts';
import { lines } from '../../harness/lines.ts';
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

/** Statuses that are not tried again: the answer, the exit code, and the lines of stderr around the request line. */
const refusals: readonly [name: string, answer: Answer, code: number, head: string[], tail: string[]][] = [
  [
    '400',
    refusal(400, 'bad_request', { details: [detail] }),
    6,
    ['Error: Message of bad_request (400 bad_request)', '  query /limit: too big (value_error)'],
    [],
  ],
  [
    '401',
    refusal(401, 'unauthorized'),
    3,
    ['Error: Message of unauthorized (401 unauthorized)'],
    [
      'Probably: the token of PAYCTL_TOKEN is not valid for this service',
      'Try: payctl doctor',
      'Try: payctl api-logs list --status 401',
    ],
  ],
  [
    '403',
    refusal(403, 'forbidden'),
    4,
    ['Error: Message of forbidden (403 forbidden)'],
    [
      'Probably: the command needs the scope buyers.read',
      'Probably: the API key may be restricted, or the resource locked',
      'Try: payctl doctor',
    ],
  ],
  [
    '404',
    refusal(404, 'not_found'),
    5,
    ['Error: Message of not_found (404 not_found)'],
    ['Probably: it does not exist, or the service hides it because the caller may not see it'],
  ],
  [
    '405',
    refusal(405, 'method_not_allowed'),
    6,
    ['Error: Message of method_not_allowed (405 method_not_allowed)'],
    [],
  ],
  [
    '409',
    refusal(409, 'duplicate_record', { resource_id: 'other-record' }),
    6,
    ['Error: Message of duplicate_record (409 duplicate_record)', 'Conflicts with: other-record'],
    [],
  ],
];

/** What a 404 may be due to where a merchant account is named. */
const OTHER_ACCOUNT = 'the merchant account shop (--merchant-account) may be another one than meant';

describe('a refusal of the service', () => {
  it.each(refusals)('is told with what to do about it: %s', async (_, answer, code, head, tail) => {
    const server = await serveAnswers(answer);
    const run = await home.payctl(LIST, { env: against(server) });
    const request = `Request: GET ${server.origin}/buyers, request id req-1`;
    expect(run).toEqual({ stdout: '', stderr: lines(...head, request, ...tail), code, signal: null });
    expect(server.requests).toHaveLength(1);
  });

  it.each(refusals)(
    'is one JSON object on stderr beside -o json: %s',
    async (name, answer, code, _, tail) => {
      const server = await serveAnswers(answer);
      const run = await home.payctl([...LIST, '-o', 'json', '-m', 'shop'], { env: against(server) });
      const { body } = answer as { body: Record<string, unknown> };
      const said = (label: string) =>
        tail.filter((line) => line.startsWith(label)).map((line) => line.slice(label.length));
      const [probably, next] = [said('Probably: '), said('Try: ')];
      expect(errorObject(run.stderr)).toEqual({
        code: body.code,
        status: Number(name),
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
        ...(probably.length > 0
          ? { probably: [...probably, ...(name === '404' ? [OTHER_ACCOUNT] : [])] }
          : {}),
        ...(next.length > 0 ? { try: next } : {}),
        exit_code: code,
      });
      expect(run).toMatchObject({ stdout: '', code });
    },
  );

  it('names the details of a 422 by location and pointer, and exits with 6', async () => {
    const server = await serveAnswers({ status: 422, body: { detail: [invalid] } });
    const run = await home.payctl([...LIST, '-m', 'shop'], { env: against(server) });
    expect(run).toEqual({
      stdout: '',
      stderr: lines(
        'Error: The request did not pass validation (422 validation_error)',
        '  query /search: too short (string_too_short)',
        `Request: GET ${server.origin}/buyers, merchant account shop`,
      ),
      code: 6,
      signal: null,
    });
  });

  it('shows the beginning of a body that is no error object, escaped', async () => {
    const server = await serveAnswers({ status: 418, body: '<b>\u001b[31mteapot\u0007</b>' });
    const run = await home.payctl(LIST, { env: against(server) });
    expect(run).toEqual({
      stdout: '',
      stderr: lines(
        "Error: I'm a Teapot (418 http_418)",
        'Answer: <b>␛[31mteapot␇</b>',
        `Request: GET ${server.origin}/buyers`,
      ),
      code: 6,
      signal: null,
    });
  });
});

describe('a passing fault of the service', () => {
  it('is tried again, each retry announced, until the answer comes', async () => {
    const busy = { status: 503, headers: { 'retry-after': '0' }, body: 'busy' };
    const server = await serveAnswers(busy, busy, { body: page([buyer(1)]) });
    const run = await home.payctl([...LIST, '--no-header', '--columns', 'id'], { env: against(server) });
    expect(run).toEqual({
      stdout: `${buyer(1).id}\n`,
      stderr: lines(
        'Service Unavailable. Trying again in 0.0 s (retry 1 of 3)',
        'Service Unavailable. Trying again in 0.0 s (retry 2 of 3)',
      ),
      code: 0,
      signal: null,
    });
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
    expect(run).toEqual({
      stdout: `id\r\n${buyer(1).id}\r\n`,
      stderr: 'Message of too_many_requests. Trying again in 1.0 s (retry 1 of 3)\n',
      code: 0,
      signal: null,
    });
    const [first, second] = server.requests.map(({ at }) => at);
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(990);
  });

  it.each([
    [429, 'too_many_requests', 7, 'the service limits how often it may be called'],
    [425, 'too_early', 7, 'the service limits how often it may be called'],
    [500, 'server_error', 8, 'the service has a fault'],
    [502, 'bad_gateway', 8, 'the service has a fault'],
    [503, 'unavailable', 8, 'the service has a fault'],
    [504, 'gateway_timeout', 8, 'the service has a fault'],
  ])('ends after the retries when it stays: %s', async (status, code, exitCode, reason) => {
    const server = await serve((_, response) => {
      response.writeHead(status, { 'retry-after': '0' });
      response.end(JSON.stringify(refusal(status, code).body));
    });
    const run = await home.payctl(LIST, { env: against(server) });
    const retry = (number: number) => `Message of ${code}. Trying again in 0.0 s (retry ${number} of 3)`;
    expect(run).toEqual({
      stdout: '',
      stderr: lines(
        ...[1, 2, 3].map(retry),
        `Error: Message of ${code} (${status} ${code})`,
        `Request: GET ${server.origin}/buyers, 4 attempts`,
        `Probably: ${reason}; 4 attempts did not help`,
      ),
      code: exitCode,
      signal: null,
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

  it('is announced to nobody beside JSON in a pipe: stderr holds the one error object', async () => {
    const server = await serve((_, response) => void response.writeHead(503, { 'retry-after': '0' }).end());
    const run = await home.payctl([...LIST, '--json', '--max-retries', '1'], { env: against(server) });
    expect(errorObject(run.stderr)).toMatchObject({
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
    expect(run.stderr.slice(run.stderr.indexOf('Error:'))).toBe(
      lines(
        'Error: The service answered 307 with a redirect, which is not followed (307 redirect_refused)',
        `Request: GET ${server.origin}/buyers`,
        'Probably: the base URL leads to something else than the service, such as a proxy or a web page',
        'The token goes to the configured base URL alone. Set the base URL to the final address.',
      ),
    );
    expect(run).toMatchObject({ stdout: '', code: 9 });
    expect(run.stderr).not.toContain(SECRET_TOKEN);
    expect(stranger.requests).toEqual([]);
    expect(stranger.connections()).toBe(0);
  });
});
