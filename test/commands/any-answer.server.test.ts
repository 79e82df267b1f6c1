import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TestServer } from '../harness/http-server.ts';
import { propertyRuns } from '../harness/property-runs.ts';
import { serve } from '../harness/serve.ts';
import { runInProcess } from './run-in-process.ts';

/** A service that answers every request with the body that was set last. */
async function serveBody() {
  const answer: { body: string | Buffer } = { body: '' };
  const server = await serve((_, response) => void response.end(answer.body));
  return { server, answer };
}

const against = ({ origin }: TestServer) => ({
  PAYCTL_BASE_URL: origin,
  PAYCTL_TOKEN: 'aaaaaaaaaaaaaaaaaaaa',
  PAYCTL_CONFIG_DIR: '/nonexistent',
});

describe('the filters of api-logs list', () => {
  const entry = fc.oneof(
    { weight: 1, arbitrary: fc.jsonValue() },
    {
      weight: 3,
      arbitrary: fc.record(
        {
          request_method: fc.oneof(fc.constant('GET'), fc.jsonValue()),
          request_url: fc.oneof(fc.constant('https://a/buyers'), fc.jsonValue()),
          response_status_code: fc.oneof(fc.constant(502), fc.jsonValue()),
          response_body: fc.oneof(fc.constant({ code: 'bad_gateway' }), fc.string(), fc.jsonValue()),
        },
        { requiredKeys: [] },
      ),
    },
  );
  const filters = [
    ['--status', '502'],
    ['--code', 'bad_gateway'],
    ['--method', 'get'],
    ['--path', '/buyers'],
  ];

  it('take whatever JSON an entry is', async () => {
    const { server, answer } = await serveBody();
    await fc.assert(
      fc.asyncProperty(
        fc.array(entry),
        fc.subarray(filters),
        fc.constantFrom('json', 'ndjson', 'table', 'csv', 'yaml'),
        async (items, chosen, format) => {
          answer.body = JSON.stringify({ items });
          const run = await runInProcess(['api-logs', 'list', ...chosen.flat(), '-o', format], {
            env: against(server),
          });
          expect(run.stderr).not.toContain('internal_error');
          expect(run.code).toBe(0);
        },
      ),
      propertyRuns(200, 30),
    );
  });

  it('keep an entry by its other fields where its response is a page of text', async () => {
    const { server, answer } = await serveBody();
    const gateway = { id: 'a', response_status_code: 502, response_body: '<html>502</html>' };
    answer.body = JSON.stringify({ items: [gateway, null, 7, { id: 'b', response_status_code: '502' }] });
    const run = await runInProcess(
      ['api-logs', 'list', '--status', '502', '--jq', '[.items[].id]', '-o', 'json'],
      {
        env: against(server),
      },
    );
    expect(run).toMatchObject({ stdout: '["a"]\n', code: 0 });
  });
});

describe('a merchant account of a flag', () => {
  const run = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const { server, answer } = await serveBody();
    answer.body = '{"items":[],"next_cursor":null}';
    const ended = await runInProcess(args, { env: { ...against(server), ...env } });
    const sent = server.requests.map(({ headers }) => headers['x-service-merchant-account-id']);
    return { ...ended, sent };
  };

  it('is not sent where the operation takes none, which a warning says', async () => {
    const ended = await run(['roles', 'list', '-m', 'acme', '-o', 'json']);
    expect(ended).toMatchObject({ code: 0, sent: [undefined] });
    expect(JSON.parse(ended.stderr)).toEqual({
      warning: {
        code: 'merchant_account_not_sent',
        message: 'GET /roles takes no merchant account; --merchant-account is not sent',
      },
    });
  });

  it('is left out without a word where it comes from elsewhere', async () => {
    const ended = await run(['roles', 'list', '-o', 'json'], { PAYCTL_MERCHANT_ACCOUNT: 'acme' });
    expect(ended).toMatchObject({ code: 0, stderr: '', sent: [undefined] });
  });

  it('is sent by every other command', async () => {
    const session = ['payment-service-definitions', 'sessions', 'create', 'p', '--data', '{"a":1}'];
    const ended = await run([...session, '-m', 'acme', '-o', 'json']);
    expect(ended).toMatchObject({ code: 0, stderr: '', sent: ['acme'] });
  });
});

describe('a response with bytes that are not UTF-8', () => {
  it('is shown, with one warning in a run', async () => {
    const { server, answer } = await serveBody();
    const bytes = (cursor: string, number = 0) =>
      Buffer.from(`{"items":[{"id":"${number}\xff"}],"next_cursor":${cursor}}`, 'latin1');
    let requests = 0;
    const pages = await serve((_, response) => {
      requests += 1;
      response.end(bytes(requests < 3 ? `"c${requests}"` : 'null', requests));
    });
    answer.body = bytes('null');
    const run = await runInProcess(['buyers', 'list', '--all', '-o', 'ndjson'], { env: against(pages) });
    expect(run).toMatchObject({
      stdout: [1, 2, 3].map((number) => `{"id":"${number}\uFFFD"}\n`).join(''),
      code: 0,
    });
    expect(run.stderr.trim().split('\n')).toHaveLength(1);
    expect(JSON.parse(run.stderr).warning.code).toBe('invalid_utf8');
    const text = await runInProcess(['buyers', 'list', '-q', '-o', 'json'], { env: against(server) });
    expect(text).toMatchObject({ stderr: '', code: 0 });
  });
});
