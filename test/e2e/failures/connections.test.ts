import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { errorObject } from '../../harness/error-object.ts';
import { startServer } from '../../harness/http-server.ts';
import { printedError, WORDS } from '../../harness/printed-error.ts';
import { PROMPTLY } from '../../harness/promptly.ts';
import { against, buyer, page, serve, serveAnswers } from '../paged-service.ts';
import { quickHomes } from '../quick-homes.ts';

const { useHome } = quickHomes();

const home = useHome();
const ONCE = ['buyers', 'list', '--max-retries', '0'];
const TLS = join(import.meta.dirname, '../../fixtures/tls/localhost');

/** An error without a response: the request, one likely cause, and the command that finds out more. */
const noResponse = ({ origin }: { readonly origin: string }, code: string) => ({
  code,
  message: expect.stringContaining(origin),
  request: [`GET ${origin}/buyers`],
  causes: [WORDS],
  commands: ['payctl doctor'],
});

describe('no answer', () => {
  it('exits with 9 when the service does not answer within --timeout', async () => {
    const server = await serve(() => {});
    const started = performance.now();
    const run = await home.payctl([...ONCE, '--timeout', '300ms'], { env: against(server) });
    expect(performance.now() - started).toBeLessThan(PROMPTLY);
    expect(run).toMatchObject({ stdout: '', code: 9, signal: null });
    expect(printedError(run.stderr)).toEqual(noResponse(server, 'timeout'));
    expect(printedError(run.stderr).message).toContain('300 ms');
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
      message: WORDS,
      details: [],
      request: { method: 'GET', path: '/buyers', origin: server.origin, attempts: 1 },
      outcome_unknown: false,
      probably: [WORDS],
      try: ['payctl doctor'],
      exit_code: 9,
    });
    expect(run).toMatchObject({ stdout: '', code: 9 });
  });

  it('exits with 9 when the connection is refused', async () => {
    const server = await serve(() => {});
    await server.close();
    const run = await home.payctl(ONCE, { env: against(server) });
    expect(run).toMatchObject({ stdout: '', code: 9, signal: null });
    const error = printedError(run.stderr);
    expect(error).toEqual(noResponse(server, 'connection_refused'));
    expect(error.message).toContain('(ECONNREFUSED)');
    expect(error.causes?.[0]).toContain('PAYCTL_BASE_URL');
  });

  it('exits with 9 when the host name does not exist', async () => {
    // A label of 64 characters is refused by every resolver without a question to the network.
    const origin = `https://${'a'.repeat(64)}.invalid`;
    const run = await home.payctl(ONCE, { env: against({ origin }) });
    const error = printedError(run.stderr);
    expect(error).toEqual(noResponse({ origin }, 'dns'));
    expect(error.message).toMatch(/\(E[A-Z_]+\)$/);
    expect(error.causes?.[0]).toContain('PAYCTL_BASE_URL');
    expect(run).toMatchObject({ stdout: '', code: 9, signal: null });
  });

  it('exits with 9 when the certificate is not trusted, without a second try', async () => {
    const credentials = {
      cert: readFileSync(`${TLS}.cert.pem`, 'utf8'),
      key: readFileSync(`${TLS}.key.pem`, 'utf8'),
    };
    const server = await startServer((_, response) => void response.end('{}'), credentials);
    onTestFinished(() => server.close());
    const run = await home.payctl(['buyers', 'list'], { env: against(server) });
    expect(run).toMatchObject({ stdout: '', code: 9, signal: null });
    const error = printedError(run.stderr);
    // What is wrong is known, so nothing has to be guessed.
    const { causes: _, ...known } = noResponse(server, 'tls');
    expect(error).toEqual({ ...known, hints: [WORDS] });
    expect(error.message).toContain('(DEPTH_ZERO_SELF_SIGNED_CERT)');
    expect(error.hints?.[0]).toContain('NODE_EXTRA_CA_CERTS');
    expect(server.requests).toEqual([]);
  });

  it('is tried again, each retry announced, until the connection holds', async () => {
    const server = await serveAnswers((_, response) => void response.destroy(), { body: page([buyer(1)]) });
    const args = ['buyers', 'list', '-o', 'csv', '--no-header', '--columns', 'id'];
    const run = await home.payctl(args, { env: against(server) });
    expect(run.stderr).toMatch(/^[^\n]*\(UND_ERR_SOCKET\)[^\n]*\(retry 1 of 3\)\n$/);
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
    expect(run).toMatchObject({ stdout: '', code: 9, signal: null });
    expect(printedError(run.stderr)).toEqual(noResponse(server, 'connection_lost'));
  });
});

describe('an answer of something other than the service', () => {
  it.each([
    [
      'a page of HTML',
      { headers: { 'content-type': 'text/html' }, body: '<html>Welcome</html>' },
      'unreadable_response',
      ['<html>Welcome</html>'],
    ],
    ['a JSON array', { body: '[1]' }, 'unexpected_shape', ['[1]']],
  ])('exits with 9, is not tried again and shows how it begins: %s', async (_, answer, code, response) => {
    const server = await serveAnswers(answer);
    const run = await home.payctl(['buyers', 'list'], { env: against(server) });
    expect(run).toMatchObject({ stdout: '', code: 9, signal: null });
    expect(printedError(run.stderr)).toEqual({
      code,
      status: 200,
      message: WORDS,
      ...(response.length > 0 ? { response } : {}),
      request: [`GET ${server.origin}/buyers`],
      causes: [WORDS],
    });
    expect(server.requests).toHaveLength(1);
  });
});
