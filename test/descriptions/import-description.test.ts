import { describe, expect, it } from 'vitest';
import { importDescription } from '../../src/descriptions/import-description.ts';
import { answer, codes, document, get, imported, only } from './describe.ts';
import { LARGE_MERCHANT_HEADER, largeDescription } from './large-description.ts';

const read = async (text: string, file = 'd.json') => importDescription(text, { file });

describe('the text of a description', () => {
  it.each([
    ['{"openapi": "3.1.0",\n "paths" {}}', 'd.json is not JSON: expected ":" at line 2, column 10'],
    [
      'openapi: 3.1.0\npaths: {}\npaths: {}',
      'd.yaml is not YAML that payctl reads: Map keys must be unique at line 3, column 1',
    ],
    [
      'openapi: 3.1.0\na: [1\nb: 2',
      'd.yaml is not YAML that payctl reads: Flow sequence in block collection must be sufficiently indented and end with a ] at line 3, column 1',
    ],
    [`[\n${'['.repeat(500)}`, 'd.json is nested more than 500 levels deep at line 2, column 500'],
  ])('is refused with its place: %.30s', async (text, message) => {
    const file = text.startsWith('{') || text.startsWith('[') ? 'd.json' : 'd.yaml';
    const error = await read(text, file).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'invalid_description' });
    expect((error as Error).message).toContain(message);
  });

  it.each([
    [
      'a: &a [x, x, x, x, x, x, x, x, x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]\nc: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b]\nd: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c]\nopenapi: 3.1.0',
    ],
    ['openapi: 3.1.0\na: &a [*a]'],
  ])('is refused where its aliases repeat it without an end', async (text) => {
    await expect(read(text, 'd.yaml')).rejects.toMatchObject({ code: 'invalid_description' });
  });

  it.each([
    [{ swagger: '1.2' }, 'it is Swagger "1.2"'],
    [{ swagger: '3.0' }, 'it is Swagger "3.0"'],
    [{ openapi: '2.0' }, 'it is OpenAPI "2.0"'],
    [{ openapi: '3.3.0' }, 'it is OpenAPI "3.3.0"'],
    [{ openapi: '3.10.0' }, 'it is OpenAPI "3.10.0"'],
    [{ asyncapi: '2.6.0' }, 'it is AsyncAPI "2.6.0"'],
    [{ info: { _postman_id: 'x' } }, 'it is a Postman collection'],
    [{ $schema: 'x' }, 'it is a JSON Schema'],
    [{}, 'it is a document without the field "openapi"'],
    [[], 'it is an array, not an object'],
  ])('is refused where it is of no version that payctl reads: %j', async (value, what) => {
    await expect(read(JSON.stringify(value))).rejects.toMatchObject({
      code: 'not_a_description',
      message: `d.json is not an API description that payctl can read: ${what}`,
    });
  });

  it('may be OpenAPI 3.2, whose further methods and whole queries are not sent', async () => {
    const { index } = await imported({
      openapi: '3.2.0',
      paths: {
        '/things': {
          get: { parameters: [{ in: 'querystring', name: 'q', content: {} }], responses: {} },
          query: { responses: {} },
          additionalOperations: { COPY: { responses: {} } },
        },
      },
    });
    expect(index).toMatchObject({ openapi: '3.2', operations: [{ command: 'things get' }] });
    expect(index.issues.map(({ code, message }) => [code, message])).toEqual([
      ['method_not_sent', 'QUERY /things cannot be run. payctl does not send QUERY'],
      ['method_not_sent', 'COPY /things cannot be run. payctl does not send COPY'],
      ['parameter_style', '"q" is not sent: payctl sends no parameter that is the whole query'],
    ]);
  });

  it.each(['3.1', "'3.1'"])('may give the version of YAML as %s', async (version) => {
    const { index } = await read(`openapi: ${version}\npaths: {}\n`, 'd.yaml');
    expect(index.openapi).toBe('3.1');
  });

  it('may be YAML', async () => {
    const text =
      'openapi: 3.0.3\ninfo: {title: Yaml, version: "2"}\npaths:\n  /things:\n    get:\n      responses: {}\n';
    expect((await read(text, 'd.yml')).index).toMatchObject({
      title: 'Yaml',
      version: '2',
      openapi: '3.0',
      operations: [{ command: 'things get' }],
    });
  });
});

describe('an import', () => {
  it('knows the 150 operations of a large description', { tags: 'slow' }, async () => {
    const { index } = await imported(largeDescription());
    expect(index.operations).toHaveLength(150);
    expect(index.merchantHeader).toBe(LARGE_MERCHANT_HEADER);
    expect(new Set(index.operations.map(({ command }) => command)).size).toBe(150);
    expect(index.issues.map(({ code }) => code)).toEqual([
      'paging_not_followed',
      'paging_not_followed',
      'paging_not_followed',
    ]);
    expect(index.operations.slice(0, 2)).toEqual([
      {
        id: 'get_transactions',
        method: 'GET',
        path: '/transactions',
        summary: 'Returns the transactions of an account.',
        command: 'transactions list',
        tag: 'Transaction',
        scopes: ['transactions.read', 'embed'],
        isList: true,
        paginated: true,
      },
      {
        id: 'read_transaction',
        method: 'GET',
        path: '/transactions/{transaction_id}',
        summary: 'Show a transaction.',
        command: 'transactions get',
        tag: 'Transaction',
        scopes: ['transactions.read', 'embed'],
        arguments: ['transaction_id'],
      },
    ]);
  });

  it('says the same of a document whatever its layout', { tags: 'slow' }, async () => {
    const first = await importDescription(JSON.stringify(largeDescription()), {
      file: 'd',
      now: new Date(0),
    });
    const second = await importDescription(JSON.stringify(largeDescription(), undefined, 2), {
      file: 'd',
      now: new Date(0),
    });
    expect({ ...second.index, hash: '' }).toEqual({ ...first.index, hash: '' });
  });

  it.each([
    ['things', 'The path does not begin with one slash'],
    ['//evil.example/things', 'The path does not begin with one slash'],
    ['https://evil.example/things', 'The path does not begin with one slash'],
    ['/things/../admin', 'The path contains "..", which leads to another path'],
    ['/things/%2e%2E/admin', 'The path contains "..", which leads to another path'],
    ['/things%2fadmin', 'The path contains an escape that services read in different ways'],
    ['/things?x=1', 'The path holds characters that no path can have'],
    ['/things#x', 'The path holds characters that no path can have'],
    ['/things\\admin', 'The path holds characters that no path can have'],
    ['/things\u001b[2J', 'The path holds characters that no path can have'],
    ['/things/{a', 'The path holds characters that no path can have'],
    ['/things/{a/../b}', 'The path holds characters that no path can have'],
    ['/things/{a}/{a}', 'The path has the same parameter twice'],
    [`/${'a'.repeat(1000)}`, 'The path is too long'],
  ])('skips the path %j', async (path, why) => {
    const { index } = await imported(
      document({ [path]: { get: { responses: {} } }, '/ok': { get: { responses: {} } } }),
    );
    expect(index.operations.map((operation) => operation.path)).toEqual(['/ok']);
    expect(index.issues).toMatchObject([{ code: 'path_invalid', isSkipped: true }]);
    expect(index.issues[0]?.message).toContain(why);
  });

  it('skips what payctl cannot send or read, each with the reason', async () => {
    const form = { content: { 'multipart/mixed': { schema: {} } } };
    const result = await imported(
      document({
        '/form': { post: { requestBody: { required: true, ...form }, responses: {} } },
        '/optional-form': { post: { requestBody: form, responses: {} } },
        '/csv': { get: { responses: { 200: { content: { csv: {}, 'a/b\r\nx: y': {} } } } } },
        '/head': { head: { responses: {} }, trace: { responses: {} } },
        '/get-body': {
          get: { requestBody: { required: true, content: { 'application/json': {} } }, responses: {} },
        },
        '/header': {
          get: { parameters: [{ name: 'Cookie', in: 'header', required: true }], responses: {} },
        },
        '/cookie': { get: { parameters: [{ name: 'c', in: 'cookie', required: true }], responses: {} } },
        '/object': {
          get: {
            parameters: [
              { name: 'o', in: 'query', required: true, style: 'deepObject', schema: { type: 'object' } },
            ],
            responses: {},
          },
        },
      }),
    );
    expect(result.records).toEqual([]);
    expect(codes(result)).toEqual([
      'skipped method_not_sent /paths/~1head/head',
      'skipped method_not_sent /paths/~1head/trace',
      'skipped body_not_json /paths/~1form/post/requestBody',
      'skipped body_not_json /paths/~1optional-form/post/requestBody',
      'skipped answer_not_json /paths/~1csv/get/responses/200',
      'skipped body_of_get /paths/~1get-body/get/requestBody',
      'skipped header_required /paths/~1header/get/parameters/0',
      'skipped parameter_in_cookie /paths/~1cookie/get/parameters/0',
      'skipped parameter_object /paths/~1object/get/parameters/0',
    ]);
  });

  it('keeps the media types of an answer that is no JSON, as they may stand in a header', async () => {
    const typesOf = async (...types: string[]) => {
      const content = Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' } }]));
      const result = await imported(get({ responses: { 200: { content } } }));
      return [result.records[0]?.operation.downloadTypes, codes(result)];
    };
    expect(await typesOf('Text/CSV; charset=utf-8', 'text/csv', 'image/*', 'bad\r\nx: y')).toEqual([
      ['text/csv', 'image/*'],
      [],
    ]);
    expect(await typesOf('text/csv', 'application/problem+json')).toEqual([undefined, []]);
  });

  it('reports only servers of an operation that the document does not have', async () => {
    const url = 'https://api.example.com';
    const of = (servers: readonly object[]) =>
      imported(get({ servers, responses: answer({ type: 'object' }) }, { servers: [{ url }] }));
    expect(
      codes(await of([{ url: 'https://{host}.com', variables: { host: { default: 'api.example' } } }])),
    ).toEqual([]);
    expect(codes(await of([{ url: 'https://files.example.com' }]))).toEqual([
      'server_ignored /paths/~1things/get',
    ]);
  });

  it('reports what it leaves out of an operation that runs', async () => {
    const result = await imported(
      get(
        {
          servers: [{ url: 'https://files.example.com' }],
          parameters: [
            { name: 'Cookie', in: 'header' },
            { name: 'c', in: 'cookie' },
            { name: 'o', in: 'query', schema: { type: 'object' } },
            { name: 'd', in: 'query', content: { 'application/json': { schema: {} } } },
            { name: 'u', in: 'query', schema: { oneOf: [{ type: 'string' }, { type: 'integer' }] } },
            { name: 'bad\u001b[2Jname', in: 'query', schema: {} },
            { in: 'query' },
            { name: 'm', in: 'query', style: 'matrix', schema: { type: 'array', items: { type: 'string' } } },
            { name: 'p', in: 'query', schema: { type: 'string', pattern: '(', minLength: 'one' } },
          ],
          responses: answer({ type: 'object', properties: { id: {} } }),
        },
        { webhooks: { event: {} } },
      ),
    );
    expect(codes(result)).toEqual([
      'webhooks_ignored /webhooks',
      'server_ignored /paths/~1things/get',
      'parameter_invalid /paths/~1things/get/parameters/6',
      'parameter_in_cookie /paths/~1things/get/parameters/1',
      'parameter_object /paths/~1things/get/parameters/2',
      'parameter_less_checked /paths/~1things/get/parameters/3',
      'parameter_less_checked /paths/~1things/get/parameters/4/schema',
      'parameter_name /paths/~1things/get/parameters/5',
      'parameter_style /paths/~1things/get/parameters/7',
      'schema_invalid /paths/~1things/get/parameters/8/schema/pattern',
      'schema_invalid /paths/~1things/get/parameters/8/schema/minLength',
      'header_not_sent /paths/~1things/get/parameters/0',
    ]);
    expect(Object.keys(only(result).query)).toEqual(['d', 'u', 'p']);
  });

  it('reports members that an object of the document has more than once', async () => {
    const text = `{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{"/a":{"get":{"operationId":"first"}},"/a":{"get":{"operationId":"second","operationId":"third"}}}}`;
    const { index } = await importDescription(text, { file: 'd.json' });
    expect(index.operations.map(({ id }) => id)).toEqual(['third']);
    expect(index.issues).toEqual([
      {
        code: 'member_repeated',
        pointer: '/paths/~1a',
        message: 'The field "/a" occurs more than once; the last one counts',
      },
      {
        code: 'member_repeated',
        pointer: '/paths/~1a/get/operationId',
        message: 'The field "operationId" occurs more than once; the last one counts',
      },
    ]);
  });

  it('knows operations whose ids are missing, repeated or cannot be typed by method and path', async () => {
    const result = await imported(
      document({
        '/a': { get: { responses: {} }, post: { operationId: 'same', responses: {} } },
        '/b': {
          get: { operationId: 'same', responses: {} },
          post: { operationId: 'with space', responses: {} },
        },
        '/c': {
          get: { operationId: 'orders/list.all', responses: {} },
          post: { operationId: 'esc\u001b[31m', responses: {} },
        },
        '/d': {
          get: { operationId: '__proto__', responses: {} },
          post: { operationId: 'constructor', responses: {} },
        },
      }),
    );
    expect(result.index.operations.map(({ id }) => id)).toEqual([
      'GET /a',
      'POST /a',
      'GET /b',
      'POST /b',
      'orders/list.all',
      'POST /c',
      '__proto__',
      'constructor',
    ]);
    expect(codes(result)).toEqual([
      'id_repeated /paths/~1a/post',
      'id_repeated /paths/~1b/get',
      'id_invalid /paths/~1b/post',
      'id_invalid /paths/~1c/post',
    ]);
  });

  it('keeps what a document says from the terminal', async () => {
    const { index } = await imported({
      ...get({ summary: 'a\u001b[31mb\u202ec\nd', tags: ['t\u0007'], operationId: 'x' }),
      info: { title: '\u001b]0;x\u0007T', version: '1' },
    });
    expect(index.title).toBe(']0;x T');
    expect(index.operations[0]).toMatchObject({ summary: 'a [31mb c d', tag: 't' });
  });

  it('reads a thousand operations that refer to each other', { tags: 'slow' }, async () => {
    const count = 1_000;
    const names = Array.from({ length: count }, (_, index) => index);
    const schemas = Object.fromEntries(
      names.map((index) => [
        `S${index}`,
        {
          type: 'object',
          properties: {
            next: { $ref: `#/components/schemas/S${(index + 1) % count}` },
            other: { $ref: `#/components/schemas/S${(index * 7) % count}` },
          },
        },
      ]),
    );
    const paths = Object.fromEntries(
      names.map((index) => [
        `/p${index}`,
        { get: { responses: answer({ $ref: `#/components/schemas/S${index}` }) } },
      ]),
    );
    const { index, definitions } = await imported(document(paths, { components: { schemas } }));
    expect(index.operations).toHaveLength(count);
    expect(definitions.size).toBe(count);
  });
});

describe('the references of a description', () => {
  const things = { $ref: '#/components/parameters/A' };

  it('are followed in chains, to path items, parameters, bodies, answers and headers', async () => {
    const components = {
      pathItems: {
        Things: { $ref: '#/components/pathItems/Real' },
        Real: {
          parameters: [things],
          post: {
            operationId: 'x',
            requestBody: { $ref: '#/components/requestBodies/B' },
            responses: { 201: { $ref: '#/components/responses/R' } },
          },
        },
      },
      parameters: {
        A: { $ref: '#/components/parameters/B' },
        B: { name: 'q', in: 'query', schema: { $ref: '#/components/schemas/Q' } },
      },
      requestBodies: {
        B: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Body' } } } },
      },
      responses: {
        R: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Body' } } } },
      },
      schemas: {
        Q: { type: 'integer', maximum: 5 },
        Body: { type: 'object', properties: { id: { type: 'string' } } },
      },
    };
    const result = await imported(
      document({ '/things': { $ref: '#/components/pathItems/Things' } }, { components }),
    );
    expect(only(result)).toMatchObject({
      query: { q: { type: 'integer', maximum: 5 } },
      bodySchema: 'Body',
      responseSchema: 'Body',
      successStatus: 201,
      fields: ['id'],
    });
    expect(codes(result)).toEqual([]);
  });

  it.each([
    'other.yaml#/a',
    'https://evil.example/x.json',
    'file:///etc/passwd',
    '//evil.example',
    '../x',
    '#anchor',
  ])('to %s skip their operation', async ($ref) => {
    const outside = $ref === '#anchor' ? 'reference_missing' : 'reference_outside';
    const result = await imported(
      document({
        '/parameter': { get: { parameters: [{ $ref }], responses: {} } },
        '/body': { post: { requestBody: { $ref }, responses: {} } },
        '/answer': { get: { responses: { 200: { $ref } } } },
        '/operation': { get: { $ref } },
        '/item': { $ref },
      }),
    );
    expect(result.records).toEqual([]);
    expect(result.index.issues.map(({ code, isSkipped }) => [code, isSkipped])).toEqual(
      Array(5).fill([outside, true]),
    );
    expect(result.index.notRun?.map(({ command }) => command)).toContain('operation get');
  });

  it('lead from an operation to the one that it is', async () => {
    const paths = { '/things': { get: { $ref: '#/components/x-operations/things' } } };
    const things = { responses: answer({ type: 'array', items: { type: 'string' } }) };
    const { index } = await imported(document(paths, { components: { 'x-operations': { things } } }));
    expect(index.operations).toMatchObject([{ command: 'things list', isList: true }]);
    expect(index.issues).toEqual([]);
  });

  it('to other files skip every operation whose schemas lead there, and no other', async () => {
    const schemas = {
      Outer: { properties: { inner: { $ref: '#/components/schemas/Inner' } } },
      Inner: { items: { $ref: 'https://evil.example/schema.json' } },
      Fine: { type: 'object' },
    };
    const post = (name: string) => ({
      post: {
        requestBody: {
          content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
        },
        responses: {},
      },
    });
    const result = await imported(
      document({ '/outer': post('Outer'), '/fine': post('Fine') }, { components: { schemas } }),
    );
    expect(result.index.operations.map(({ path }) => path)).toEqual(['/fine']);
    expect(codes(result)).toEqual([
      'reference_outside /components/schemas/Inner/items',
      'skipped reference_outside /paths/~1outer/post',
    ]);
  });

  it('that lead back to themselves skip their operation', async () => {
    const parameters = { A: { $ref: '#/components/parameters/B' }, B: { $ref: '#/components/parameters/A' } };
    expect(codes(await imported(get({ parameters: [things] }, { components: { parameters } })))).toEqual([
      'skipped reference_loop /paths/~1things/get/parameters/0',
    ]);
  });

  it('are no way to the members that every object has', async () => {
    const result = await imported(
      get({
        responses: answer({ $ref: '#/components/schemas/__proto__' }),
        parameters: [{ $ref: '#/constructor' }],
      }),
    );
    expect(codes(result)).toEqual(['skipped reference_missing /paths/~1things/get/parameters/0']);
  });
});

describe('the parameters of an operation', () => {
  const parameters = async (list: readonly unknown[], shared: readonly unknown[] = []) =>
    only(
      await imported(
        document({ '/things/{id}': { parameters: shared, get: { parameters: list, responses: {} } } }),
      ),
    );

  it('override those of the path', async () => {
    const operation = await parameters(
      [{ name: 'q', in: 'query', schema: { type: 'integer' } }],
      [
        { name: 'q', in: 'query', schema: { type: 'string' } },
        { name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } },
      ],
    );
    expect(operation).toMatchObject({
      query: { q: { type: 'integer' } },
      pathParameters: ['id'],
      pathValues: { id: { type: 'string', format: 'uuid', required: true } },
    });
  });

  it.each([
    [
      { type: 'array', items: { type: 'string', enum: ['a'] } },
      {},
      { type: 'string', enum: ['a'], multiple: true },
    ],
    [{ type: 'array', items: {} }, { explode: false }, { type: 'string', multiple: true, separator: ',' }],
    [
      { type: 'array', items: { type: 'integer' } },
      { style: 'spaceDelimited' },
      { type: 'integer', multiple: true, separator: ' ' },
    ],
    [
      { type: 'array', items: {} },
      { style: 'pipeDelimited', explode: false },
      { type: 'string', multiple: true, separator: '|' },
    ],
    [
      { type: 'integer', minimum: 1, exclusiveMinimum: true, maximum: 9 },
      {},
      { type: 'integer', exclusiveMinimum: 1, maximum: 9 },
    ],
    [{ anyOf: [{ type: 'string', maxLength: 5 }, { type: 'null' }] }, {}, { type: 'string', maxLength: 5 }],
    [{ anyOf: [{ enum: ['a', 'b'] }, { type: 'null' }] }, {}, { type: 'string', enum: ['a', 'b'] }],
    [{ oneOf: [{ const: 'a' }, { const: 'b' }, { const: null }] }, {}, { type: 'string', enum: ['a', 'b'] }],
    [
      { anyOf: [{ enum: ['a', 'b'] }, { type: 'array', items: { enum: ['b', 'c'] } }, { enum: [null] }] },
      {},
      { type: 'string', multiple: true, enum: ['a', 'b', 'c'] },
    ],
    [
      { oneOf: [{ type: 'boolean' }, { const: 'auto' }] },
      {},
      { type: 'string', enum: ['true', 'false', 'auto'] },
    ],
    [
      { oneOf: [{ const: 1 }, { enum: ['max'] }] },
      {},
      { type: 'string', orInteger: true, enum: ['1', 'max'] },
    ],
    [{ anyOf: [{ enum: ['a'] }, { type: 'string' }] }, {}, { type: 'string' }],
    [{ allOf: [{ type: 'string', enum: ['a'] }], default: 'a' }, {}, { type: 'string', enum: ['a'] }],
    [{ const: 'x' }, {}, { type: 'string', enum: ['x'] }],
    [
      { type: ['string', 'null'], format: 'date' },
      { required: true },
      { type: 'string', format: 'date', required: true },
    ],
    [{ type: 'string', pattern: '(' }, {}, { type: 'string' }],
    [
      { type: 'string' },
      { description: 'All of it. As an RFC 3339 timestamp.', name: 'begin_time' },
      { type: 'string', format: 'date-time', summary: 'All of it.' },
    ],
    [
      { type: 'string' },
      { description: 'Two RFC 3339 timestamps.', name: 'period' },
      { type: 'string', summary: 'Two RFC 3339 timestamps.' },
    ],
    [{ type: 'boolean' }, { description: 'First. Second.' }, { type: 'boolean', summary: 'First.' }],
  ])('with the schema %j and %j are %j', async (schema, others, expected) => {
    const parameter = { name: 'q', in: 'query', schema, ...others };
    expect((await parameters([parameter])).query).toEqual({ [parameter.name]: expected });
  });

  it('may have the names of members that every object has', async () => {
    const { query } = await parameters(
      ['__proto__', 'constructor', 'toString'].map((name) => ({
        name,
        in: 'query',
        schema: { type: 'string' },
      })),
    );
    expect(Object.keys(query)).toEqual(['__proto__', 'constructor', 'toString']);
    expect(Object.getPrototypeOf(query)).toBe(Object.prototype);
  });

  it('of the path that are not described take any text, which is reported', async () => {
    const result = await imported(document({ '/things/{id}': { get: { responses: {} } } }));
    expect(only(result).pathValues).toEqual({ id: { type: 'string', required: true } });
    expect(codes(result)).toEqual(['parameter_undeclared /paths/~1things~1{id}/get']);
  });

  it('that name the merchant account or an idempotency key are known', async () => {
    const headers = [
      { name: 'X-Acme-Merchant-Account-ID', in: 'header', required: true },
      { name: 'Idempotency-Key', in: 'header' },
      { name: 'Accept', in: 'header' },
    ];
    const result = await imported(get({ parameters: headers }));
    expect(result.index.merchantHeader).toBe('x-acme-merchant-account-id');
    expect(only(result)).toMatchObject({
      ...{ merchantAccount: true, needsMerchantAccount: true },
      idempotencyHeader: 'idempotency-key',
    });
    expect(codes(result)).toEqual([]);
  });

  it.each([
    ['Xero-Tenant-Id', 2, 'xero-tenant-id'],
    ['X-Organization-ID', 2, 'x-organization-id'],
    ['account', 2, 'account'],
    ['Xero-Tenant-Id', 1, undefined],
    ['X-Accounting-Id', 2, undefined],
    ['X-Session-Id', 2, undefined],
  ] as const)(
    'that name the account are known by other words where most operations need them: %s of %i of 3',
    async (name, needs, header) => {
      const operation = (required: boolean) => ({
        get: { parameters: [{ name, in: 'header', required }], responses: {} },
      });
      const paths = { '/a': operation(true), '/b': operation(needs > 1), '/c': { get: { responses: {} } } };
      expect((await imported(document(paths))).index.merchantHeader).toBe(header);
    },
  );

  const requestId = { name: 'X-Request-Id', in: 'header', schema: { type: 'string' } };
  it.each<[string, readonly object[], string | undefined]>([
    ['a name alone', [{ name: 'X-Amz-Pay-Idempotency-Key' }], 'x-amz-pay-idempotency-key'],
    ['a name without a noun', [{ name: 'X-Idempotence' }], 'x-idempotence'],
    ['its description', [{ ...requestId, description: 'Makes the request idempotent.' }], 'x-request-id'],
    [
      'what its description says about keys',
      [{ name: 'PayPal-Request-Id', description: 'Optional.\n\nThe server stores keys for 6 hours.' }],
      'paypal-request-id',
    ],
    [
      'its name before any description',
      [{ ...requestId, description: 'Not the key for idempotency.' }, { name: 'Idempotency-Key' }],
      'idempotency-key',
    ],
    ...[
      'Used for tracing. Does not make requests idempotent.',
      'It is not used for idempotency.',
      'Idempotency is never guaranteed.',
      "Repeats aren't idempotent.",
    ].map((description): [string, readonly object[], undefined] => [
      description,
      [{ ...requestId, description }],
      undefined,
    ]),
    [
      'no ID of a client',
      [{ name: 'client_id', description: 'Calls are idempotent per client.' }],
      undefined,
    ],
    ['no ID of a trace', [{ name: 'X-Correlation-ID', description: 'For idempotency.' }], undefined],
    ['no fact about a request', [{ name: 'is_idempotent' }], undefined],
    ['no denial in a name', [{ name: 'non-idempotent-key' }], undefined],
    ['no description of an ID', [{ ...requestId, description: 'Traces the request.' }], undefined],
    ['no description that denies it', [{ ...requestId, description: 'Not idempotent.' }], undefined],
    ['no flag', [{ name: 'X-Idempotency', schema: { type: 'boolean' } }], undefined],
    ['no ID of a record', [{ name: 'X-Order-Id', description: 'Used for idempotency.' }], undefined],
  ])('that are idempotency keys are known by %s', async (_, headers, key) => {
    const parameters = headers.map((header) => ({ in: 'header', ...header }));
    const operation = only(await imported(get({ parameters })));
    expect(operation.idempotencyHeader).toBe(key);
    expect(Object.keys(operation.headers ?? {})).toHaveLength(headers.length - (key ? 1 : 0));
  });
});

describe('the idempotency key of a body', () => {
  const text = { type: 'string' };
  it.each([
    ['its name', { client_idempotency_token: text, note: text }, 'client_idempotency_token'],
    ['its description', { requestId: { ...text, description: 'For idempotency.' }, note: text }, 'requestId'],
    ['neither', { order_id: { ...text, description: 'For idempotency.' }, note: text }, undefined],
  ])('is known by %s', async (_, properties, member) => {
    const body = { content: { 'application/json': { schema: { type: 'object', properties } } } };
    const paths = { '/things': { post: { requestBody: body, responses: {} } } };
    expect(only(await imported(document(paths))).idempotencyMember).toBe(member);
  });
});

describe('the scopes of an operation', () => {
  const schemes = {
    b: { type: 'http', scheme: 'bearer' },
    o: { type: 'oauth2' },
    basic: { type: 'http', scheme: 'basic' },
    key: { type: 'apiKey', in: 'query', name: 'k' },
  };
  const scopes = async (security: unknown, others = {}) =>
    imported(get({ security, ...others }, { components: { securitySchemes: schemes } }));

  it.each([
    [[{ b: ['x.read'] }], { scopes: ['x.read'] }],
    [[{ b: ['embed', 'x.read'] }], { scopes: ['x.read', 'embed'] }],
    [[{ b: ['embed'] }, { b: ['x.read'] }], { scopes: ['x.read', 'embed'] }],
    [[{ b: ['x.read', 'y.read'] }], { scopes: ['x.read', 'y.read'], needsAllScopes: true }],
    [[{ b: ['x'] }, { o: ['y'] }], { scopes: ['x', 'y'] }],
    [[{ basic: [] }, { b: ['x'] }], { scopes: ['x'] }],
    [[{ b: [] }], { scopes: [] }],
    [[], { scopes: [] }],
  ])('of %j are %j', async (security, expected) => {
    const result = await scopes(security);
    expect(only(result)).toMatchObject(expected);
    expect(only(result).needsAllScopes).toBe((expected as { needsAllScopes?: boolean }).needsAllScopes);
    expect(codes(result)).toEqual([]);
  });

  it('are those of the document where it has none of its own', async () => {
    expect(
      only(await imported(get({}, { security: [{ b: ['all'] }], components: { securitySchemes: schemes } })))
        .scopes,
    ).toEqual(['all']);
  });

  it('are those of the extension', async () => {
    expect(only(await scopes([{ b: ['x'] }], { 'x-scopes': ['y', 'z'], 'x-pii-scope': 'p' }))).toMatchObject({
      scopes: ['y', 'z'],
      piiScope: 'p',
    });
  });

  it('that no token can hold are not asked for', async () => {
    const result = await scopes([{ b: ['a b', 'ok\u001b', 'fine'] }]);
    expect(only(result).scopes).toEqual(['fine']);
    expect(codes(result)).toEqual(['scope_invalid /paths/~1things/get/security']);
  });

  it('of schemes that payctl does not have are reported once for each', async () => {
    const schemes = {
      digest: { type: 'http', scheme: 'digest' },
      host: { type: 'apiKey', in: 'header', name: 'Host' },
    };
    const operation = { security: [{ digest: [] }, { host: [] }], responses: {} };
    const result = await imported(
      document(
        { '/a': { get: operation }, '/b': { get: operation } },
        { components: { securitySchemes: schemes } },
      ),
    );
    expect(codes(result)).toEqual([
      'security_not_supported /components/securitySchemes/digest',
      'security_not_supported /components/securitySchemes/host',
    ]);
  });
});

describe('the credentials of an operation', () => {
  const securitySchemes = {
    b: { type: 'http', scheme: 'Bearer' },
    basic: { type: 'http', scheme: 'basic' },
    query: { type: 'apiKey', in: 'query', name: 'k' },
    header: { $ref: '#/components/securitySchemes/other' },
    other: { type: 'apiKey', in: 'header', name: 'X-Key' },
    token: { type: 'apiKey', in: 'header', name: 'Authorization' },
    certificate: { type: 'mutualTLS' },
    digest: { type: 'http', scheme: 'digest' },
    host: { type: 'apiKey', in: 'header', name: 'Content-Length' },
    broken: { type: 'apiKey', in: 'cookie', name: 'a=b; c' },
  };
  const read = async (security: unknown, others = {}) =>
    imported(get({ security, ...others }, { components: { securitySchemes } }));
  const b = { scheme: 'b', type: 'bearer' };
  const basic = { scheme: 'basic', type: 'basic' };
  const query = { scheme: 'query', type: 'apiKey', in: 'query', name: 'k' };
  const header = { scheme: 'header', type: 'apiKey', in: 'header', name: 'x-key' };

  it.each([
    [[{ b: [] }], undefined],
    [[{ certificate: [], b: [] }], undefined],
    [[{ basic: [] }], [[basic]]],
    [
      [{ query: [] }, { header: [], b: ['x'] }],
      [[query], [header, b]],
    ],
    [[{ token: [] }], [[{ scheme: 'token', type: 'apiKey', in: 'header', name: 'authorization' }]]],
    [
      [{ header: [] }, {}],
      [[header], []],
    ],
    [[{ digest: [] }, { header: [] }], [[header]]],
    [[{ digest: [] }], undefined],
    [[{ header: [], host: [] }, { broken: [] }, { nothing: [] }], undefined],
    [[], []],
    [[{}], []],
    [['header', null], []],
  ])('by %j are %j', async (security, expected) => {
    const result = await read(security);
    expect(only(result).security).toEqual(expected);
    expect(result.index.operations[0]?.security).toEqual(expected);
  });

  it('have the scopes of the token among them', async () => {
    expect(only(await read([{ basic: [] }, { header: ['role'], b: ['x'] }])).scopes).toEqual(['x']);
  });

  it('are those of the document, or any where the document forgets to say', async () => {
    const others = {
      components: { securitySchemes: { basic: securitySchemes.basic, b: securitySchemes.b } },
    };
    const said = await imported(get({}, { ...others, security: [{ basic: [] }] }));
    expect(only(said).security).toEqual([[basic]]);
    const forgotten = await imported(get({}, others));
    expect(only(forgotten).security).toEqual([[basic], [b]]);
    expect(codes(forgotten)).toEqual(['security_not_applied /components/securitySchemes']);
  });

  it('make parameters that they fill optional', async () => {
    const parameter = (where: string, name: string) => ({
      in: where,
      name,
      required: true,
      schema: { type: 'string' },
    });
    const parameters = [parameter('query', 'k'), parameter('header', 'X-Key'), parameter('query', 'q')];
    const operation = only(await read([{ query: [] }, { header: [] }], { parameters }));
    expect(operation.query).toMatchObject({ k: { type: 'string' }, q: { required: true } });
    expect(operation.query.k?.required).toBeUndefined();
    expect(operation.headers?.['x-key']?.required).toBeUndefined();
  });
});

describe('the answer of an operation', () => {
  const page = (others = {}) => ({
    type: 'object',
    properties: {
      items: {
        type: 'array',
        items: {
          type: 'object',
          required: ['id', 'status'],
          properties: {
            created_at: { type: 'string' },
            status: { type: 'string' },
            currency: { type: 'string' },
            amount: { type: 'integer' },
            id: { type: 'string' },
            api_key: { type: 'string' },
            nested: { type: 'object' },
            type: { const: 'x' },
          },
        },
      },
      ...others,
    },
  });
  const cursor = { name: 'cursor', in: 'query', schema: { type: 'string' } };
  const limit = { name: 'limit', in: 'query', schema: { type: 'integer', maximum: 10 } };

  it.each([
    ['Dispute', { dispute_id: {}, status: {} }, ['dispute_id', 'status']],
    ['dispute_info', { status: {}, case_id: {}, dispute_id: {} }, ['dispute_id', 'status']],
    ['DisputeInfo', { disputeId: {}, status: {} }, ['disputeId', 'status']],
    ['Any', { uuid: {}, status: {} }, ['uuid', 'status']],
    ['Any', { status: {}, owner_id: {} }, ['status']],
    ['Refund', { payment_id: {}, id: {}, refund_id: {} }, ['id', 'payment_id', 'refund_id']],
    ['Member', { id: {}, name: {}, team_id: {} }, ['id', 'name']],
    [
      'Place',
      { latitude: {}, longitude: {}, device_id: {}, org_id: {}, c_id: {} },
      ['latitude', 'longitude', 'device_id', 'org_id'],
    ],
    ['Only', { type: {}, url: {} }, ['url', 'type']],
    [
      'Person',
      { id: {}, first_name: {}, email: {}, phone: {}, postal_code: {} },
      ['id', 'first_name', 'email'],
    ],
    ['Member', { id: {}, tier: {}, points: {}, self_link: {} }, ['id', 'tier', 'points']],
    ['Cents', { id: {}, note: {}, amount_cents: {}, name: {} }, ['id', 'amount_cents', 'name', 'note']],
    [
      'Sums',
      { id: {}, tax_amount: {}, net_amount: {}, total_amount_cents: {}, amount_due: {}, name: {} },
      ['id', 'total_amount_cents', 'amount_due', 'name', 'tax_amount', 'net_amount'],
    ],
    ['Twice', { id: {}, created_at: {}, createdAt: {}, name: {} }, ['id', 'name', 'created_at']],
    ['Few', { id: {}, a: {}, b: {}, c: {}, d: {} }, ['id', 'a', 'b', 'c']],
    ['Many', { id: {}, status: {}, name: {}, kind: {}, points: {} }, ['id', 'status', 'name', 'kind']],
  ])('begins with the id of a %s that has %j', async (name, members, columns) => {
    const properties = Object.fromEntries(Object.keys(members).map((key) => [key, { type: 'string' }]));
    const items = { type: 'array', items: { $ref: `#/components/schemas/${name}` } };
    const schema = { type: 'object', properties: { items } };
    const components = { schemas: { [name]: { type: 'object', properties } } };
    expect(only(await imported(get({ responses: answer(schema) }, { components }))).columns).toEqual(columns);
  });

  it('shows the type of an item where it tells items apart, and the name that people log in with', async () => {
    const text = { type: 'string' };
    const user = { type: 'object', properties: { id: text, display_name: text, login: text } };
    const columnsWith = async (type: object) => {
      const items = { type: 'object', properties: { id: text, type, user } };
      return only(await imported(get({ responses: answer({ type: 'array', items }) }))).columns;
    };
    expect(await columnsWith({ type: 'string', enum: ['card', 'bank'] })).toEqual([
      'id',
      'type',
      'user.login',
    ]);
    expect(await columnsWith({ const: 'card' })).toEqual(['id', 'user.login']);
    expect(await columnsWith(text)).toEqual(['id', 'user.login']);
  });

  it('is a list in pages with a cursor both ways', async () => {
    const result = await imported(
      get({
        parameters: [cursor, limit],
        responses: answer(page({ next_cursor: { type: ['string', 'null'] } })),
      }),
    );
    expect(only(result)).toMatchObject({
      isList: true,
      paginated: true,
      listShape: 'envelope',
      largestPage: 10,
      columns: ['id', 'status', 'amount', 'currency', 'created_at'],
    });
    expect(codes(result)).toEqual([]);
  });

  it.each([
    [
      page({ next_cursor: { type: 'string' } }),
      [],
      { listShape: 'envelope', paginated: false },
      ['paging_not_followed /paths/~1things/get'],
    ],
    [
      page(),
      [{ name: 'page', in: 'query', schema: { type: 'integer' } }],
      {
        listShape: 'envelope',
        paginated: false,
        paging: { counted: { parameter: 'page', counts: 'pages' } },
      },
      [],
    ],
    [
      page(),
      [{ name: 'page', in: 'query', schema: { type: 'string' } }],
      { listShape: 'envelope', paginated: false },
      ['paging_not_followed /paths/~1things/get'],
    ],
    [page(), [], { listShape: 'envelope', paginated: false }, []],
    [
      { type: 'array', items: { type: 'object', properties: { id: { type: 'string' } } } },
      [],
      { listShape: 'array', columns: ['id'] },
      [],
    ],
    [page({ id: { type: 'string' } }), [], { isList: false }, []],
    [
      page(),
      [cursor],
      { listShape: 'envelope', paginated: false },
      ['paging_not_followed /paths/~1things/get'],
    ],
  ])('of other shapes is %#', async (schema, parameters, expected, issues) => {
    const result = await imported(get({ parameters, responses: answer(schema) }));
    expect(only(result)).toMatchObject(expected);
    expect(codes(result)).toEqual(issues);
  });

  const things = { type: 'array', items: { type: 'object', properties: { id: { type: 'string' } } } };
  const envelope = (properties: object) => ({ type: 'object', properties });
  const text = { type: 'string' };

  it.each([
    [
      { data: things, next_cursor: text },
      { items: 'data', nextCursor: 'next_cursor' },
    ],
    [
      { results: things, nextCursor: text },
      { items: 'results', nextCursor: 'nextCursor' },
    ],
    [
      { things, meta: envelope({ next_cursor: text }) },
      { items: 'things', nextCursor: 'meta.next_cursor' },
    ],
    [
      { found: things, cursors: envelope({ after: text }) },
      { items: 'found', nextCursor: 'cursors.after' },
    ],
    [
      { items: things, pagination: envelope({ nextCursor: text }) },
      { items: 'items', nextCursor: 'pagination.nextCursor' },
    ],
  ])('finds the list and the cursor of an envelope: %j', async (properties, expected) => {
    const result = await imported(
      get({ operationId: 'x', parameters: [cursor, limit], responses: answer(envelope(properties)) }),
    );
    expect(only(result)).toMatchObject({
      command: 'things list',
      isList: true,
      listShape: 'envelope',
      paginated: true,
      envelope: expected,
      columns: ['id'],
      fields: ['id'],
    });
    expect(codes(result)).toEqual([]);
  });

  it.each([
    [{ errors: things, records: things }, 'records'],
    [{ errors: things, found: things, cursor: text }, 'found'],
    [{ found: things }, 'found'],
    [
      { found: things, pagination: envelope({ page: text }), problem: { properties: { title: text } } },
      'found',
    ],
    [{ Things: things, count: { type: 'integer' } }, 'Things'],
  ])('finds the list of an envelope among what describes the response: %j', async (properties, items) => {
    const result = await imported(get({ parameters: [cursor], responses: answer(envelope(properties)) }));
    expect(only(result)).toMatchObject({ command: 'things list', isList: true, envelope: { items } });
  });

  it.each([
    [{ lines: things, total: { type: 'integer' } }],
    [{ lines: things, others: things, next_cursor: text }],
    [{ id: text, data: things }],
    [{ id: text, things, name: text }],
    [{ data: envelope({ id: text }) }],
  ])('takes no member for a list that may be part of a record: %j', async (properties) => {
    const result = await imported(get({ parameters: [cursor], responses: answer(envelope(properties)) }));
    expect(only(result)).toMatchObject({ isList: false, paginated: false });
    expect(only(result)).not.toHaveProperty('listShape');
  });

  it('takes no member for a list that has records of the same schema', async () => {
    const Thing = envelope({
      id: text,
      things: { type: 'array', items: { $ref: '#/components/schemas/Thing' } },
    });
    const responses = answer({ $ref: '#/components/schemas/Thing' });
    const result = await imported(get({ responses }, { components: { schemas: { Thing } } }));
    expect(only(result)).toMatchObject({ isList: false, columns: ['id'] });
  });

  it('takes an object with the ID that its schema is named after for a record, whatever it has of items', async () => {
    const Invoice = envelope({ invoiceId: text, amount: { type: 'number' }, items: things });
    const components = { schemas: { Invoice } };
    const operation = { operationId: 'x', responses: answer({ $ref: '#/components/schemas/Invoice' }) };
    const result = await imported(document({ '/invoices/{number}': { get: operation } }, { components }));
    expect(only(result)).toMatchObject({ command: 'invoices get', isList: false });
  });

  it('takes a record with a name and items for a record, at its path alone', async () => {
    const parameters = [{ name: 'set', in: 'path', required: true, schema: text }];
    const of = async (path: string, properties: object, given: object = {}) =>
      only(
        await imported(document({ [path]: { get: { ...given, responses: answer(envelope(properties)) } } })),
      );
    const single = await of('/sets/{set}', { name: text, items: things }, { parameters });
    expect(single).not.toHaveProperty('listShape');
    expect(await of('/sets/{set}', { items: things }, { parameters })).toMatchObject({
      listShape: 'envelope',
    });
    expect(await of('/sets', { name: text, items: things })).toMatchObject({ listShape: 'envelope' });
  });

  it('pages a list of SCIM by its first item', async () => {
    const number = { type: 'integer' };
    const parameters = ['startIndex', 'count'].map((name) => ({ name, in: 'query', schema: number }));
    const page = { totalResults: number, startIndex: number, itemsPerPage: number, Resources: things };
    expect(only(await imported(get({ parameters, responses: answer(envelope(page)) })))).toMatchObject({
      envelope: { items: 'Resources' },
      paging: { counted: { parameter: 'startIndex', counts: 'items', size: 'count' } },
    });
  });

  it('says what is missing to page an envelope', async () => {
    const [first, second] = [
      await imported(get({ responses: answer(envelope({ data: things, next_cursor: text })) })),
      await imported(get({ parameters: [cursor], responses: answer(envelope({ data: things })) })),
    ];
    expect([first, second].map(({ index }) => index.issues.map(({ message }) => message))).toEqual([
      [
        'Its pages name a next cursor, but it takes no "cursor": payctl prints one page, or follows a Link header',
      ],
      [
        'It takes a "cursor", but its pages name no next cursor: payctl prints one page, or follows a Link header',
      ],
    ]);
  });

  it.each([
    [{ 204: {} }, { successStatus: 204, responseSchema: '', columns: [], fields: [] }],
    [
      { 404: {}, 201: {}, 202: {}, default: {} },
      { successStatus: 201, errors: [404] },
    ],
    [
      { '2XX': {}, '4XX': {} },
      { successStatus: 200, errors: [] },
    ],
    [answer({ type: 'object' }, 'default'), { successStatus: 200 }],
  ])('with the statuses %j is %j', async (responses, expected) => {
    expect(only(await imported(get({ responses })))).toMatchObject(expected);
  });

  it('names fields down to recursion and open objects', async () => {
    const schemas = {
      Tree: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          parts: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
          metadata: { type: 'object', additionalProperties: { type: 'string' } },
        },
      },
    };
    const result = await imported(
      get({ responses: answer({ $ref: '#/components/schemas/Tree' }) }, { components: { schemas } }),
    );
    expect(only(result).fields).toEqual(['name', 'parts', 'metadata', 'parts.0', 'metadata.*', 'parts.0.*']);
  });

  it('names no more than 500 fields, however often schemas hold others', async () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [
        `L${index}`,
        {
          type: 'object',
          properties: Object.fromEntries(
            ['a', 'b', 'c', 'd'].map((name) => [
              name,
              index === 39 ? { type: 'string' } : { $ref: `#/components/schemas/L${index + 1}` },
            ]),
          ),
        },
      ]),
    );
    const result = await imported(
      get({ responses: answer({ $ref: '#/components/schemas/L0' }) }, { components: { schemas } }),
    );
    expect(only(result).fields).toHaveLength(500);
    expect(result.definitions.size).toBe(40);
  });

  it('carries the marks of personal data, where the document has any', async () => {
    const schema = {
      type: 'object',
      properties: {
        name: { type: 'string', 'x-personal-data': true },
        children: { type: 'array', items: { properties: { email: { 'x-personal-data': true } } } },
        email: { type: 'string' },
      },
    };
    expect(only(await imported(get({ responses: answer(schema) })))).toMatchObject({
      personalData: { name: true, children: { email: true } },
    });
    const unmarked = only(await imported(get({ responses: answer({ properties: { email: {} } }) })));
    expect(unmarked.personalData).toBeUndefined();
    expect(unmarked.personalByName).toBe(true);
  });

  it('carries the secrets that names do not tell, in a list below its items, and makes no columns of them', async () => {
    const text = { type: 'string' };
    const key = {
      type: 'object',
      properties: {
        id: text,
        note: { type: 'string', format: 'password' },
        hint: { type: 'string', writeOnly: true },
        key: { type: 'string', description: 'The actual API key you can send' },
        value: { ...text, description: 'What the text is' },
        token: { type: 'integer', description: 'How often the bearer token was used' },
        secret: text,
        config: { $ref: '#/components/schemas/BearerTokenConfig' },
      },
    };
    const schemas = {
      Key: key,
      BearerTokenConfig: { type: 'object', properties: { token: text, prefix: text } },
      Page: {
        type: 'object',
        properties: { results: { type: 'array', items: { $ref: '#/components/schemas/Key' } } },
      },
    };
    const one = async (name: string) =>
      only(
        await imported(
          get({ responses: answer({ $ref: `#/components/schemas/${name}` }) }, { components: { schemas } }),
        ),
      );
    const secrets = { note: true, hint: true, key: true, config: { token: true } };
    expect((await one('Key')).secretData).toEqual(secrets);
    const list = await one('Page');
    expect(list.secretData).toEqual({ results: secrets, items: secrets });
    expect(list.columns).toEqual(['id', 'value', 'token']);
    const plain = only(
      await imported(get({ responses: answer({ properties: { key: text, secret: text } }) })),
    );
    expect(plain.secretData).toBeUndefined();
  });

  it('finds the secrets in each branch of a union, and in what refers to itself', async () => {
    const branch = (type: string, properties: object) => ({
      type: 'object',
      properties: { type: { const: type }, config: { type: 'object', properties } },
    });
    const token = { type: 'string', description: 'Token for the bearer token auth' };
    const schemas = {
      Node: {
        type: 'object',
        properties: {
          next: { $ref: '#/components/schemas/Node' },
          auth_method: { oneOf: [branch('NONE', { note: {} }), branch('BEARER', { token })] },
        },
      },
    };
    const responses = answer({ $ref: '#/components/schemas/Node' });
    const { secretData } = only(await imported(get({ responses }, { components: { schemas } })));
    expect(secretData).toEqual({ auth_method: { config: { token: true } } });
  });

  it('takes no secret for the ID of a record', async () => {
    const text = { type: 'string' };
    const properties = { key: { ...text, description: 'The actual API key' }, name: text, uid: text };
    const { records } = await imported(
      document({
        '/keys/{uid_or_key}': {
          get: {
            parameters: [{ name: 'uid_or_key', in: 'path', required: true, schema: text }],
            responses: answer({ type: 'object', properties }),
          },
        },
      }),
    );
    expect(records.map(({ operation }) => operation.recordId)).toEqual(['uid']);
  });
});

describe('x-payctl-action', () => {
  it('replaces the derived action, unless its value is not an action', async () => {
    const { index, records } = await imported(
      document({
        '/orders/recount': { post: { 'x-payctl-action': 'document', responses: {} } },
        '/orders/{id}': { get: { 'x-payctl-action': 'fetch', responses: {} } },
      }),
    );
    expect(records.map(({ operation }) => operation.action)).toEqual(['document', 'get']);
    expect(index.issues.filter(({ code }) => code === 'model_invalid')).toMatchObject([
      {
        pointer: '/paths/~1orders~1{id}/get',
        message:
          '"x-payctl-action" must be one of list, search, create, get, replace, update, delete, delete-all, custom, document, not "fetch"; it is ignored',
      },
    ]);
  });
});
