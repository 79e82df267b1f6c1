import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { errorObject } from '../../harness/error-object.ts';
import { startServer } from '../../harness/http-server.ts';
import { lines } from '../../harness/lines.ts';
import { useHome } from '../../harness/run-payctl.ts';
import { against, buyer, page, serve, serveAnswers } from '../paged-service.ts';

const home = useHome();
const ONCE = ['buyers', 'list', '--max-retries', '0'];
const TLS = join(import.meta.dirname, '../../fixtures/tls/localhost');
const ELSEWHERE =
  'Probably: the base URL leads to something else than the service, such as a proxy or a web page';

describe('no answer', () => {
  it('exits with 9 when the service does not answer within --timeout', async () => {
    const server = await serve(() => {});
    const started = performance.now();
    const run = await home.payctl([...ONCE, '--timeout', '300ms'], { env: against(server) });
    expect(performance.now() - started).toBeLessThan(3_000);
    expect(run).toEqual({
      stdout: '',
      stderr: lines(
        `Error: No answer from ${server.origin}: no complete response within 300 ms (timeout)`,
        `Request: GET ${server.origin}/buyers`,
        'Probably: the service is slow or out of reach; --timeout 2m waits longer',
        'Try: payctl doctor',
      ),
      code: 9,
      signal: null,
    });
  });

  it('exits with 9 when the body stalls past PAYCTL_TIMEOUT', async () => {
    const server = await serve((_, response) => {
      response.writeHead(200, { 'content-length': 1_000 });
      response.write('{"items":[');
    });
    const run = await home.payctl([...ONCE, '--json'], {
      env: { ...against(server), PAYCTL_TIMEOUT: '300ms' },
    });
    expect(errorObject(run.stderr)).toEqual({
      code: 'timeout',
      message: `No answer from ${server.origin}: no complete response within 300 ms`,
      details: [],
      request: { method: 'GET', path: '/buyers', origin: server.origin, attempts: 1 },
      outcome_unknown: false,
      probably: ['the service is slow or out of reach; --timeout 2m waits longer'],
      try: ['payctl doctor'],
      exit_code: 9,
    });
    expect(run).toMatchObject({ stdout: '', code: 9 });
  });

  it('exits with 9 when the connection is refused', async () => {
    const server = await serve(() => {});
    await server.close();
    const run = await home.payctl(ONCE, { env: against(server) });
    expect(run).toEqual({
      stdout: '',
      stderr: lines(
        `Error: No answer from ${server.origin}: the connection was refused (ECONNREFUSED) (connection_refused)`,
        `Request: GET ${server.origin}/buyers`,
        'Probably: nothing listens at this address; the base URL is that of PAYCTL_BASE_URL',
        'Try: payctl doctor',
      ),
      code: 9,
      signal: null,
    });
  });

  it('exits with 9 when the host name does not exist', async () => {
    // A label of 64 characters is refused by every resolver without a question to the network.
    const origin = `https://${'a'.repeat(64)}.invalid`;
    const run = await home.payctl(ONCE, { env: against({ origin }) });
    expect(run.stderr.replace(/\(E[A-Z_]+\)/, '(CODE)')).toBe(
      lines(
        `Error: No answer from ${origin}: the host name could not be resolved (CODE) (dns)`,
        `Request: GET ${origin}/buyers`,
        'Probably: the host name is misspelt, or this machine has no network; the base URL is that of PAYCTL_BASE_URL',
        'Try: payctl doctor',
      ),
    );
    expect(run).toMatchObject({ stdout: '', code: 9 });
  });

  it('exits with 9 when the certificate is not trusted, without a second try', async () => {
    const credentials = {
      cert: readFileSync(`${TLS}.cert.pem`, 'utf8'),
      key: readFileSync(`${TLS}.key.pem`, 'utf8'),
    };
    const server = await startServer((_, response) => void response.end('{}'), credentials);
    onTestFinished(() => server.close());
    const run = await home.payctl(['buyers', 'list'], { env: against(server) });
    expect(run).toEqual({
      stdout: '',
      stderr: lines(
        `Error: No answer from ${server.origin}: the TLS connection could not be established (DEPTH_ZERO_SELF_SIGNED_CERT) (tls)`,
        `Request: GET ${server.origin}/buyers`,
        'Probably: the certificate is not trusted here; NODE_EXTRA_CA_CERTS names a file with further authorities',
        'Try: payctl doctor',
      ),
      code: 9,
      signal: null,
    });
    expect(server.requests).toEqual([]);
  });

  it('is tried again, each retry announced, until the connection holds', async () => {
    const server = await serveAnswers((_, response) => void response.destroy(), { body: page([buyer(1)]) });
    const args = ['buyers', 'list', '-o', 'csv', '--no-header', '--columns', 'id'];
    const run = await home.payctl(args, { env: against(server) });
    expect(run.stderr.replace(/\d\.\d s/, 'N s')).toBe(
      `No answer from ${server.origin}: the connection broke before the response was complete (UND_ERR_SOCKET). Trying again in N s (retry 1 of 3)\n`,
    );
    expect(run).toMatchObject({ stdout: `${buyer(1).id}\r\n`, code: 0 });
  });
});

describe('an answer that is cut in half', () => {
  it('exits with 9 and prints nothing of it', async () => {
    const server = await serve((_, response) => {
      response.writeHead(200, { 'content-length': 1_000 });
      response.write('{"items":[{"type":"buyer"},', () => response.destroy());
    });
    const run = await home.payctl(ONCE, { env: against(server) });
    expect(run).toEqual({
      stdout: '',
      stderr: lines(
        `Error: No answer from ${server.origin}: the connection broke before the response was complete (UND_ERR_SOCKET) (connection_lost)`,
        `Request: GET ${server.origin}/buyers`,
        'Probably: the network or a proxy on the way broke the connection',
        'Try: payctl doctor',
      ),
      code: 9,
      signal: null,
    });
  });
});

describe('an answer of something else than the service', () => {
  it.each([
    [
      'a page of HTML',
      { headers: { 'content-type': 'text/html' }, body: '<html>Welcome</html>' },
      'The answer of the service is not JSON (200 unreadable_response)',
      ['Answer: <html>Welcome</html>'],
    ],
    [
      'JSON that ends too early',
      { body: '{"items":[{"type":"buyer"}' },
      'The answer of the service is not JSON (200 unreadable_response)',
      ['Answer: {"items":[{"type":"buyer"}'],
    ],
    ['an empty body', { body: '' }, 'The answer of the service is not JSON (200 unreadable_response)', []],
    [
      'a JSON array',
      { body: '[1]' },
      'The answer of the service is JSON, but not an object (200 unexpected_shape)',
      ['Answer: [1]'],
    ],
    [
      'an object that is no page',
      { body: { buyers: [] } },
      'The answer of the service is not a page: it has no usable `items` (200 unexpected_shape)',
      [],
    ],
    [
      'a cursor that is no text',
      { body: { items: [], next_cursor: 5 } },
      'The answer of the service is not a page: it has no usable `next_cursor` (200 unexpected_shape)',
      [],
    ],
  ])('exits with 9, is not tried again and shows how it begins: %s', async (_, answer, message, excerpt) => {
    const server = await serveAnswers(answer);
    const run = await home.payctl(['buyers', 'list'], { env: against(server) });
    expect(run).toEqual({
      stdout: '',
      stderr: lines(`Error: ${message}`, ...excerpt, `Request: GET ${server.origin}/buyers`, ELSEWHERE),
      code: 9,
      signal: null,
    });
    expect(server.requests).toHaveLength(1);
  });
});
