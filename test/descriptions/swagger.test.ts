import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { importDescription } from '../../src/descriptions/import-description.ts';
import { UsageError } from '../../src/errors.ts';
import { imported } from './describe.ts';

const SWAGGER = {
  swagger: '2.0',
  info: { title: 'Refunds', version: '7' },
  host: 'api.example.com',
  basePath: '/v1',
  schemes: ['https'],
  consumes: ['application/json'],
  produces: ['application/json'],
  securityDefinitions: { key: { type: 'apiKey', in: 'header', name: 'X-Key' }, basic: { type: 'basic' } },
  security: [{ key: [] }],
  parameters: { Most: { name: 'most', in: 'query', type: 'integer', maximum: 50 } },
  definitions: {
    Refund: {
      type: 'object',
      required: ['amount'],
      properties: {
        id: { type: 'string' },
        amount: { type: 'integer' },
        note: { type: 'string', 'x-nullable': true },
      },
    },
  },
  paths: {
    '/refunds': {
      get: {
        parameters: [
          { $ref: '#/parameters/Most' },
          {
            name: 'status',
            in: 'query',
            type: 'array',
            items: { type: 'string' },
            collectionFormat: 'multi',
          },
          { name: 'id', in: 'query', type: 'array', items: { type: 'string' } },
        ],
        responses: { 200: { schema: { type: 'array', items: { $ref: '#/definitions/Refund' } } } },
      },
      post: {
        parameters: [
          { name: 'refund', in: 'body', required: true, schema: { $ref: '#/definitions/Refund' } },
        ],
        responses: { 201: { schema: { $ref: '#/definitions/Refund' } } },
      },
    },
    '/refunds/{id}/proof': {
      parameters: [{ name: 'id', in: 'path', required: true, type: 'string' }],
      put: {
        consumes: ['multipart/form-data'],
        security: [{ basic: [] }],
        parameters: [{ name: 'file', in: 'formData', type: 'file', required: true }],
        responses: { 204: {} },
      },
    },
  },
};

describe('a description of Swagger 2.0', () => {
  it('is read as what it is in OpenAPI 3.0', async () => {
    const { index, records } = await imported(SWAGGER);
    expect(index).toMatchObject({
      title: 'Refunds',
      openapi: '2.0',
      servers: ['https://api.example.com/v1'],
      operations: [
        { command: 'refunds list', isList: true, security: [[{ type: 'apiKey', name: 'x-key' }]] },
        { command: 'refunds create' },
        { command: 'refunds proof update', security: [[{ type: 'basic' }]] },
      ],
    });
    const [list, create, upload] = records;
    expect(list?.operation.query).toMatchObject({
      most: { type: 'integer', maximum: 50 },
      status: { multiple: true },
      id: { multiple: true, separator: ',' },
    });
    expect(create?.operation.fields).toEqual(['id', 'amount', 'note']);
    expect(create?.requests[0]).toMatchObject({ schema: { $ref: expect.stringContaining('Refund') } });
    expect(upload?.operation).toMatchObject({ pathParameters: ['id'] });
    expect(upload?.requests).toHaveLength(1);
    expect(index.issues).toEqual([
      {
        code: 'swagger_converted',
        pointer: '/swagger',
        message:
          'Swagger 2.0 was converted to OpenAPI 3.0; the other places, except of repeated fields, are those in the converted document',
      },
    ]);
  });

  it.each(['2.0', "'2.0'", '"2.0"'])('may be YAML whose version is %s', async (version) => {
    const text = `swagger: ${version}\npaths:\n  /things:\n    get:\n      responses: {}\n`;
    const { index } = await importDescription(text, { file: 'd.yaml' });
    expect(index).toMatchObject({ openapi: '2.0', operations: [{ command: 'things get' }] });
  });

  it('is refused where it is malformed', async () => {
    const paths = { '/things': { get: { parameters: [{ name: 'a' }], responses: {} } } };
    await expect(imported({ swagger: '2.0', paths })).rejects.toMatchObject({
      code: 'invalid_description',
      message: expect.stringMatching(
        /^\S+ is malformed for Swagger 2.0: Parameter object must have an "in" property$/,
      ),
    });
  });

  it('is read or refused whatever its parts are, and changes nothing outside of it', {
    tags: 'slow',
  }, async () => {
    const names = fc.constantFrom(
      ...Object.keys(SWAGGER),
      '__proto__',
      'constructor',
      'get',
      'parameters',
      '$ref',
      'in',
      'x',
    );
    const part = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom(null, true, 1, '', 'body', 'formData', '#/definitions/a', '#/parameters/__proto__'),
        fc.array(tie('any'), { maxLength: 3 }),
        fc.dictionary(names, tie('any'), { maxKeys: 4 }),
      ),
    })).any;
    await fc.assert(
      fc.asyncProperty(fc.dictionary(names, part, { maxKeys: 6 }), part, async (others, paths) => {
        const text = JSON.stringify({
          ...others,
          swagger: '2.0',
          paths: { '/a': paths, '/b/{x}': { get: paths } },
        });
        const result = await importDescription(text, { file: 'd.json' }).catch((error: unknown) => error);
        if (result instanceof Error) expect(result).toBeInstanceOf(UsageError);
        expect(Object.keys(Object.prototype)).toEqual([]);
      }),
    );
  });
});
