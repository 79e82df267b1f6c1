import { describe, expect, it } from 'vitest';
import { document, imported, only } from '../../descriptions/describe.ts';
import type { Handler } from '../../harness/http-server.ts';
import { importedForAll, importedHome, runImported } from './run-imported.ts';

const text = { type: 'string' };
const patch = { schema: { type: 'object' } };
const done = { 204: { description: 'Done.' } };
const record = { type: 'object', required: ['name'], properties: { name: text, size: { type: 'integer' } } };
const upload = {
  type: 'object',
  required: ['name'],
  properties: { name: text, file: { ...text, format: 'binary' } },
};

const pods = importedForAll(
  document(
    {
      '/pods/{name}': {
        patch: {
          requestBody: {
            content: {
              'application/json-patch+json': patch,
              'application/strategic-merge-patch+json': patch,
              'application/merge-patch+json': patch,
              'application/apply-patch+yaml': patch,
            },
          },
          responses: done,
        },
      },
      '/files': {
        post: {
          requestBody: {
            required: true,
            content: {
              'application/vnd.acme+json; charset=utf-8': { schema: { $ref: '#/components/schemas/Record' } },
              'multipart/form-data': { schema: { $ref: '#/components/schemas/Upload' } },
              'text/csv': { schema: text },
            },
          },
          responses: {
            201: { description: '', content: { 'application/hal+json': { schema: record } } },
          },
        },
      },
      '/charges/{id}/capture': {
        post: {
          requestBody: { content: { 'application/x-www-form-urlencoded': { schema: record } } },
          responses: done,
        },
      },
      '/charges/{id}/cancel': {
        post: {
          requestBody: {
            content: { 'application/x-www-form-urlencoded': { schema: { type: 'object', properties: {} } } },
          },
          responses: done,
        },
        delete: {
          requestBody: {
            content: { 'application/x-www-form-urlencoded': { schema: { type: 'object', properties: {} } } },
          },
          responses: done,
        },
      },
    },
    { components: { schemas: { Record: record, Upload: upload } } },
  ),
);

/** The request that a run would send: its content type, what it accepts, and its body. */
async function request(argv: readonly string[]) {
  const { stdout, stderr } = await runImported([...argv, '--dry-run', '-o', 'json', '--yes'], pods);
  if (stdout === '') return stderr;
  const { headers, body } = JSON.parse(stdout);
  return [headers['content-type'], headers.accept, body ?? null];
}

describe('a body of several media types', () => {
  it.each<[string, readonly string[], unknown]>([
    [
      'a merge patch for an object',
      ['-F', 'a=1'],
      ['application/merge-patch+json', 'application/json', { a: 1 }],
    ],
    [
      'the chosen type',
      ['-F', 'a=1', '--content-type', 'application/strategic-merge-patch+json'],
      ['application/strategic-merge-patch+json', 'application/json', { a: 1 }],
    ],
    [
      'an array of operations as a JSON patch, although its schema says that it is an object',
      ['--data', '[{"op":"remove","path":"/a"}]', '--content-type=application/json-patch+json'],
      ['application/json-patch+json', 'application/json', [{ op: 'remove', path: '/a' }]],
    ],
    [
      'a text that is sent unchanged',
      ['--data', 'a: 1', '--content-type', 'application/apply-patch+yaml'],
      ['application/apply-patch+yaml', 'application/json', null],
    ],
  ])('is %s', async (_, argv, sent) => {
    expect(await request(['pods', 'update', 'a', ...argv])).toEqual(sent);
  });

  it.each<[readonly string[], string]>([
    [
      ['--data', '{}', '--content-type', 'application/json-patch+json'],
      'the body must be an array, not an object',
    ],
    [['--data', '[]'], 'the body must be an object, not an array'],
    [['-F', 'a=1', '--content-type', 'application/json'], 'application/merge-patch+json'],
  ])('is refused for %j', async (argv, problem) => {
    const { code, stderr, sent } = await runImported(['pods', 'update', 'a', ...argv], pods);
    expect([code, sent]).toEqual([2, []]);
    expect(stderr).toContain(problem);
  });

  it('is chosen for a path, too', async () => {
    const argv = ['api', 'patch', '/pods/a', '-F', 'a=1', '--content-type'];
    expect(await request([...argv, 'application/strategic-merge-patch+json'])).toEqual([
      'application/strategic-merge-patch+json',
      'application/json',
      { a: 1 },
    ]);
    const { code, stderr } = await runImported([...argv, 'text/plain'], pods);
    expect([code, stderr.includes('--content-type must be one of application/merge-patch+json,')]).toEqual([
      2,
      true,
    ]);
  });

  it('has its own name, and is checked and shown by the schema of the chosen type', async () => {
    expect(await request(['files', 'create', '-F', 'name=a'])).toEqual([
      'application/vnd.acme+json',
      'application/hal+json',
      { name: 'a' },
    ]);
    const missing = await runImported(['files', 'create', '-F', 'size=1'], pods);
    expect([missing.code, missing.stderr.includes('/name is required')]).toEqual([2, true]);
    const parts = 'files create -F name=a -F file=@- --content-type multipart/form-data'.split(' ');
    const sent = await runImported(parts, pods, { script: [{ status: 201, body: { name: 'a' } }] });
    expect([sent.code, sent.sent[0]?.[2]]).toEqual([0, expect.stringContaining('name="file"')]);
    const example = await runImported(
      ['files', 'create', '--example', '--content-type', 'multipart/form-data'],
      pods,
    );
    expect(JSON.parse(example.stdout)).toEqual({ name: expect.any(String) });
  });

  it('is a document of every type at the import, whatever the order', async () => {
    const types = ['multipart/form-data', 'application/x-www-form-urlencoded', 'application/json', '*/*'];
    const content = Object.fromEntries(types.map((type) => [type, { schema: record }]));
    const { otherBodies = [], ...operation } = only(
      await imported(document({ '/a': { post: { requestBody: { content }, responses: done } } })),
    );
    expect(operation.bodyType).toBe(undefined);
    expect(otherBodies.map(({ bodyType, requestSchema }) => [bodyType, requestSchema])).toEqual([
      ['application/x-www-form-urlencoded', record],
      ['multipart/form-data', record],
    ]);
  });
});

describe('a form without a body', () => {
  it.each([
    [['charges', 'capture', 'a', '--no-validate'], 'application/x-www-form-urlencoded'],
    [['charges', 'cancel', 'a'], 'application/x-www-form-urlencoded'],
    [['charges', 'cancel', 'delete', 'a'], undefined],
  ])('has the type that the description says: %j', async (argv, type) => {
    expect(await request(argv)).toEqual([type, 'application/json', null]);
  });
});

it.each<[string, string]>([
  ['application/vnd.api+json', 'application/vnd.api+json'],
  ['application/json;version=2', 'application/json'],
  ['*/*', 'application/json'],
])('a response of %s is requested as %s', async (type, accept) => {
  const responses = { 200: { description: '', content: { [type]: { schema: record } } } };
  const home = importedHome(document({ '/a': { get: { responses } } }));
  const seen: unknown[] = [];
  const handler: Handler = ({ headers }, response) => {
    seen.push(headers.accept);
    response.setHeader('content-type', type === '*/*' ? 'application/json' : type).end('{"name":"x"}');
  };
  const { stdout, code } = await runImported(['a', 'get', '-o', 'json'], home, { script: [handler] });
  expect([code, stdout, seen]).toEqual([0, '{"name":"x"}\n', [accept]]);
});
