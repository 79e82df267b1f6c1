import { describe, expect, it } from 'vitest';
import { serve, serveForAll } from '../harness/serve.ts';
import { runInProcess } from './run-in-process.ts';

const SESSION = '{"type":"checkout-session","id":"s1","cart_items":null,"metadata":{}}';
const CHANGES: readonly (readonly string[])[] = [
  ['buyers', 'shipping-details', 'create', 'b1', '--first-name', 'Ada'],
  ['checkout-sessions', 'update', 's1', '--data', '{"metadata":{"a":"b"}}'],
  ['checkout-sessions', 'update', 's1', '--set-metadata', 'a=b'],
  ['payment-service-definitions', 'sessions', 'create', 'applepay-applepay', '--data', '{}'],
];

let status = 204;
const server = await serveForAll(({ method }, response) => {
  if (method === 'GET') response.end(SESSION);
  else response.writeHead(status, status === 204 ? {} : { 'content-length': '0' }).end();
});

function run(args: readonly string[]) {
  return runInProcess(args, { env: { PAYCTL_BASE_URL: server.origin, PAYCTL_TOKEN: 'opaque' } });
}

describe.each([200, 201, 202, 204])('a change that is answered with %i and no body', (answered) => {
  it.each(CHANGES)('is a success: %s %s %s %s', async (...args) => {
    status = answered;
    const { stdout, stderr, code } = await run(args);
    expect({ stdout, code }).toEqual({ stdout: '', code: 0 });
    expect(stderr).toMatch(/^(?:(?!warning|not_stored|fail).)*Done\. The service sent no content\.\n/is);
  });

  it.each(['json', 'ndjson', 'csv', 'yaml', 'detail'])('prints nothing with -o %s', async (format) => {
    status = answered;
    const [create = []] = CHANGES;
    expect(await run([...create, '-o', format])).toMatchObject({ stdout: '', code: 0 });
    expect(await run([...create, '-o', format, '--quiet'])).toMatchObject({
      stdout: '',
      stderr: '',
      code: 0,
    });
  });

  it('gives --jq nothing to filter', async () => {
    status = answered;
    const [create = []] = CHANGES;
    expect(await run([...create, '--jq', '.id|tonumber'])).toMatchObject({ stdout: '', code: 0 });
  });
});

it('a change that is answered with an object without fields says so, and a number is printed', async () => {
  let body = '{}';
  const bare = await serve(
    (_, response) => void response.writeHead(201, { 'content-type': 'application/json' }).end(body),
  );
  const env = { PAYCTL_BASE_URL: bare.origin, PAYCTL_TOKEN: 'opaque' };
  const [create = []] = CHANGES;
  expect(await runInProcess(create, { env })).toEqual({
    stdout: '',
    stderr: 'The response has no fields.\n',
    code: 0,
  });
  expect(await runInProcess([...create, '-o', 'json'], { env })).toEqual({
    stdout: '{}\n',
    stderr: '',
    code: 0,
  });
  body = '5';
  expect(await runInProcess(['api', 'post', '/x', '--scope', 'a', '--data', '{}'], { env })).toEqual({
    stdout: '\t5\n',
    stderr: '',
    code: 0,
  });
});

it('a body that is missing where something is read is still an error', async () => {
  const empty = await serve((_, response) => void response.writeHead(204).end());
  const env = { PAYCTL_BASE_URL: empty.origin, PAYCTL_TOKEN: 'opaque' };
  const { code, stderr } = await runInProcess(['checkout-sessions', 'get', 's1'], { env });
  expect(code).toBe(9);
  expect(stderr).toContain('(204 unreadable_response)');
});
