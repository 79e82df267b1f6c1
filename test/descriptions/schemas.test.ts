import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answer, codes, document, get, imported, type Json, only } from './describe.ts';

const body = (schema: unknown, components: Json = {}) =>
  imported({
    ...document(
      {
        '/things': { post: { requestBody: { content: { 'application/json': { schema } } }, responses: {} } },
      },
      { components },
    ),
    openapi: '3.0.3',
  });

describe('a schema', () => {
  it.each([
    [{ type: 'string', nullable: true }, { type: ['string', 'null'] }],
    [
      { type: 'string', nullable: true, enum: ['a'] },
      { type: ['string', 'null'], enum: ['a', null] },
    ],
    [{ type: 'object', nullable: false }, { type: 'object' }],
    [
      { allOf: [{ type: 'object' }], nullable: true, description: 'D' },
      { description: 'D', anyOf: [{ allOf: [{ type: 'object' }] }, { type: 'null' }] },
    ],
    [
      { type: 'integer', minimum: 1, exclusiveMinimum: true, maximum: 5, exclusiveMaximum: false },
      { type: 'integer', exclusiveMinimum: 1, maximum: 5 },
    ],
    [
      { type: 'number', exclusiveMinimum: 0 },
      { type: 'number', exclusiveMinimum: 0 },
    ],
    [
      { type: 'string', example: 'x', 'x-other': 1, xml: {}, externalDocs: {} },
      { type: 'string', examples: ['x'] },
    ],
    [
      { type: 'array', items: [{ type: 'string' }] },
      { type: 'array', prefixItems: [{ type: 'string' }] },
    ],
    [{ $id: 'https://evil.example', $schema: 'x', type: 'string' }, { type: 'string' }],
    [{ pattern: '/^[a-z]+$/' }, { pattern: '^[a-z]+$' }],
    [{ pattern: '/things/' }, { pattern: '/things/' }],
  ])('%j of 3.0 becomes %j', async (schema, expected) => {
    const result = await body(schema);
    expect(only(result).requestSchema).toEqual(expected);
    expect(codes(result)).toEqual([]);
  });

  it('keeps definitions apart, with a mapping that leads to them', async () => {
    const schemas = {
      Line: {
        oneOf: [{ $ref: '#/components/schemas/Product' }],
        discriminator: {
          propertyName: 'kind',
          mapping: { product: '#/components/schemas/Product', other: 'Fee' },
        },
      },
      Product: { type: 'object' },
      Fee: { properties: { parent: { $ref: '#/components/schemas/Line' } } },
    };
    expect(only(await body({ $ref: '#/components/schemas/Line' }, { schemas })).requestSchema).toEqual({
      $ref: '#/$defs/Line',
      $defs: {
        Line: {
          oneOf: [{ $ref: '#/$defs/Product' }],
          discriminator: {
            propertyName: 'kind',
            mapping: { product: '#/$defs/Product', other: '#/$defs/Fee' },
          },
        },
        Product: { type: 'object' },
        Fee: { properties: { parent: { $ref: '#/$defs/Line' } } },
      },
    });
  });

  it('may be referred to by any pointer and any name', { tags: 'slow' }, async () => {
    const names = [
      '__proto__',
      'constructor',
      'a/b',
      'a~b',
      'a b',
      'a.b',
      '3',
      'A%20',
      '\u001b[31m',
      '$(id)',
    ];
    const schemas = Object.fromEntries(names.map((name, index) => [name, { const: index }]));
    const escaped = (name: string) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
    const properties = Object.fromEntries(
      names.map((name, index) => [`p${index}`, { $ref: `#/components/schemas/${escaped(name)}` }]),
    );
    const result = await body(
      {
        type: 'object',
        properties: { ...properties, deep: { $ref: '#/components/schemas/Whole/properties/x' } },
      },
      { schemas: { ...schemas, Whole: { properties: { x: { type: 'string' } } } } },
    );
    const schema = only(result).requestSchema as object;
    const validate = new Ajv2020().compile(schema);
    expect(
      validate({ ...Object.fromEntries(names.map((_, index) => [`p${index}`, index])), deep: 'x' }),
    ).toBe(true);
    expect(validate({ p0: 1 })).toBe(false);
    expect(validate({ deep: 1 })).toBe(false);
    expect(codes(result)).toEqual([]);
  });

  it('asks for no member that only the service writes', async () => {
    const schemas = { Id: { type: 'string', readOnly: true } };
    const schema = {
      type: 'object',
      required: ['id', 'at', 'by', 'name'],
      properties: {
        id: { $ref: '#/components/schemas/Id' },
        at: { type: 'string', readOnly: true },
        by: { allOf: [{ type: 'string' }, { readOnly: true }] },
        name: { type: 'string' },
      },
    };
    expect(only(await body(schema, { schemas })).requestSchema).toMatchObject({ required: ['name'] });
  });

  it.each([
    [{ type: 'int' }, {}, 'schema_invalid'],
    [{ pattern: '/^[a-z]+$/i' }, {}, 'schema_invalid'],
    [{ type: ['string', 7] }, {}, 'schema_invalid'],
    [{ minLength: '5' }, {}, 'schema_invalid'],
    [{ required: true }, {}, 'schema_invalid'],
    [{ enum: {} }, {}, 'schema_invalid'],
    [{ properties: [] }, {}, 'schema_invalid'],
    [{ allOf: [] }, {}, 'schema_invalid'],
    [{ pattern: '(' }, {}, 'schema_invalid'],
    [{ multipleOf: 0 }, {}, 'schema_invalid'],
    [{ requried: ['a'] }, {}, 'schema_invalid'],
    [{ format: 'uuid', maxLength: 24 }, { maxLength: 24 }, 'schema_invalid'],
    [
      { format: 'uuid', example: '536e564f316c83104c000020' },
      { examples: ['536e564f316c83104c000020'] },
      'schema_invalid',
    ],
    [{ format: 'email', default: 'nobody' }, { default: 'nobody' }, 'schema_invalid'],
    [{ $dynamicRef: '#x' }, {}, 'schema_invalid'],
    ['string', {}, 'schema_invalid'],
    [{ $ref: '#/components/schemas/None' }, {}, 'reference_missing'],
    [{ discriminator: 'kind' }, {}, 'schema_invalid'],
  ])('%j is checked less, which is reported', async (schema, expected, code) => {
    const result = await body(schema);
    expect(only(result).requestSchema).toEqual(expected);
    expect(result.index.issues.map((issue) => issue.code)).toEqual([code]);
  });

  it('that applies itself again without an end is opened', async () => {
    const schemas = {
      A: { $ref: '#/components/schemas/B' },
      B: { allOf: [{ $ref: '#/components/schemas/A' }, { type: 'object' }] },
      C: { anyOf: [{ $ref: '#/components/schemas/C' }, { type: 'string' }] },
    };
    const result = await body(
      { properties: { a: { $ref: '#/components/schemas/A' }, c: { $ref: '#/components/schemas/C' } } },
      { schemas },
    );
    const validate = new Ajv2020().compile(only(result).requestSchema as object);
    expect(validate({ a: {}, c: 'x' })).toBe(true);
    expect(validate({ a: 7 })).toBe(false);
    expect(result.index.issues.map(({ code }) => code)).toEqual(['schema_endless', 'schema_endless']);
  });

  it('that applies a billion schemas to one value is opened', async () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 31 }, (_, index) => [
        `L${index}`,
        index === 30
          ? { type: 'string' }
          : {
              anyOf: [
                { $ref: `#/components/schemas/L${index + 1}` },
                { $ref: `#/components/schemas/L${index + 1}` },
              ],
            },
      ]),
    );
    const result = await body({ $ref: '#/components/schemas/L0' }, { schemas });
    expect(result.index.issues.every(({ code }) => code === 'schema_endless')).toBe(true);
    expect(result.index.issues.length).toBeGreaterThan(0);
    expect(result.definitions.size).toBe(31);
  });

  it('is as deep as it is, and a long chain of them is no way to a stack overflow', {
    tags: 'slow',
  }, async () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 8_000 }, (_, index) => [
        `L${index}`,
        {
          type: 'object',
          properties: {
            next: { $ref: `#/components/schemas/L${index + 1}` },
            secret: { 'x-personal-data': true },
          },
        },
      ]),
    );
    const result = await imported(
      get({ responses: answer({ $ref: '#/components/schemas/L0' }) }, { components: { schemas } }),
    );
    expect(result.definitions.size).toBe(8_000);
    expect(only(result).personalData).toMatchObject({ secret: true });
  });

  it('is one that a validator takes, whatever the document says', { tags: 'slow' }, async () => {
    const { schema } = fc.letrec((tie) => ({
      schema: fc.oneof(
        { maxDepth: 3, depthIdentifier: 'schema' },
        // The first one is taken where it is deep enough.
        fc.constantFrom({}, true, { type: 'string' }, 7),
        fc.record(
          {
            type: fc.oneof(
              fc.constantFrom('string', 'object', 'array', 'any', 7, ['string', 'null']),
              fc.anything(),
            ),
            properties: fc.oneof(
              fc.dictionary(
                fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor')),
                tie('schema'),
              ),
              fc.anything(),
            ),
            items: fc.oneof(tie('schema'), fc.anything()),
            allOf: fc.array(tie('schema'), { maxLength: 3 }),
            anyOf: fc.oneof(fc.array(tie('schema'), { maxLength: 3 }), fc.anything()),
            required: fc.oneof(fc.array(fc.string()), fc.boolean()),
            enum: fc.oneof(fc.array(fc.jsonValue()), fc.anything()),
            nullable: fc.anything(),
            minimum: fc.oneof(fc.double(), fc.string()),
            exclusiveMinimum: fc.oneof(fc.boolean(), fc.double()),
            pattern: fc.string(),
            $ref: fc.constantFrom(
              '#/components/schemas/A',
              '#/components/schemas/B',
              '#/components/schemas/%ZZ',
              '#',
              'x',
              '#/paths/~1things',
            ),
          },
          { requiredKeys: [] },
        ),
        fc.jsonValue(),
      ),
    }));
    const ajv = new Ajv2020({ strict: false, logger: false, validateFormats: false });
    await fc.assert(
      fc.asyncProperty(schema, schema, schema, async (first, A, B) => {
        const result = await body(first, { schemas: { A, B } });
        for (const { operation } of result.records) {
          const whole = only(result).requestSchema;
          expect(operation.hasBody).toBe(true);
          const validate = ajv.compile((whole ?? {}) as object | boolean);
          expect(() => validate({ a: [1, 'x', null, { a: {} }] })).not.toThrow();
        }
      }),
      { numRuns: 100 },
    );
  });
});
