import { describe, expect, it } from 'vitest';
import { codes, get, imported, type Json } from './describe.ts';

const created = {
  type: 'object',
  required: ['gte'],
  properties: {
    gte: { type: 'string', format: 'date-time', description: 'Not before.' },
    lt: { type: 'integer' },
  },
};

async function read(parameter: Json, others: readonly Json[] = [], document: Json = {}) {
  const result = await imported(
    get({ parameters: [{ in: 'query', ...parameter }, ...others], responses: {} }, document),
  );
  const [record] = result.records;
  return { query: record?.operation.query, path: record?.operation.pathValues, codes: codes(result) };
}

describe('an object in the query', () => {
  it('is a parameter in brackets for each member of deepObject', async () => {
    const { query, codes } = await read({ name: 'created', style: 'deepObject', schema: created });
    expect(query).toEqual({
      'created[gte]': { type: 'string', format: 'date-time', summary: 'Not before.' },
      'created[lt]': { type: 'integer' },
    });
    expect(codes).toEqual([]);
  });

  it('has no parameter for a name with a bracket', async () => {
    const schema = { type: 'object', properties: { 'a][b': { type: 'string' }, c: { type: 'string' } } };
    const { query, codes } = await read({ name: 'f', style: 'deepObject', schema });
    expect(Object.keys(query ?? {})).toEqual(['f[c]']);
    expect(codes).toEqual(['parameter_name /paths/~1things/get/parameters/0/schema']);
  });

  it('needs a member only where the parameter and the member are required', async () => {
    const { query } = await read({ name: 'c', style: 'deepObject', required: true, schema: created });
    expect(Object.entries(query ?? {}).filter(([, { required }]) => required)).toMatchObject([
      ['c[gte]', {}],
    ]);
  });

  it('needs a member of a union only where every branch does', async () => {
    const properties = { number: {}, integer: {}, of: {} };
    const anyOf = ['number', 'integer'].map((name) => ({
      type: 'object',
      properties,
      required: ['of', name],
    }));
    const { query } = await read({ name: 'c', style: 'deepObject', required: true, schema: { anyOf } });
    const required = Object.entries(query ?? {}).filter(([, parameter]) => parameter.required);
    expect(required.map(([name]) => name)).toEqual(['c[of]']);
  });

  it('is a parameter for each member of form, which is the default', async () => {
    const status = { type: 'string', enum: ['open'] };
    const schema = { properties: { status, tags: { type: 'array', items: { type: 'string' } } } };
    const { query } = await read({ name: 'filter', schema });
    expect(query).toEqual({
      status: { type: 'string', enum: ['open'] },
      tags: { type: 'string', multiple: true },
    });
  });

  it('never replaces a parameter that the operation has itself', async () => {
    const { query } = await read(
      { name: 'filter', schema: { properties: { limit: { type: 'string' }, a: {} } } },
      [{ name: 'limit', in: 'query', schema: { type: 'integer' } }],
    );
    expect(query).toEqual({ a: { type: 'string' }, limit: { type: 'integer' } });
  });

  it('has the members of references, of parts and of the objects of a union, beside its scalar', async () => {
    const { query } = await read(
      {
        name: 'created',
        style: 'deepObject',
        required: true,
        schema: { anyOf: [{ $ref: '#/components/schemas/Range' }, { type: 'integer' }] },
      },
      [],
      {
        components: { schemas: { Range: { allOf: [created, { properties: { gt: { type: 'integer' } } }] } } },
      },
    );
    expect(Object.keys(query ?? {})).toEqual(['created[gte]', 'created[lt]', 'created[gt]', 'created']);
    expect(Object.values(query ?? {}).some(({ required }) => required)).toBe(false);
  });

  it('has the members of objects within deepObject, and none of them within form', async () => {
    const schema = { properties: { a: { properties: { b: { type: 'integer' } } } } };
    const deep = await read({ name: 'f', style: 'deepObject', schema });
    expect(deep.query).toEqual({ 'f[a][b]': { type: 'integer' } });
    const flat = await read({ name: 'f', schema });
    expect(flat).toMatchObject({
      query: {},
      codes: ['parameter_object /paths/~1things/get/parameters/0/schema', expect.anything()],
    });
  });

  it('takes members of any name as pairs, beside those that it names', async () => {
    const schema = { properties: { a: {} }, additionalProperties: { type: 'string', maxLength: 5 } };
    const { query } = await read({
      name: 'm',
      style: 'deepObject',
      description: 'Any.',
      required: true,
      schema,
    });
    expect(query).toEqual({
      'm[a]': { type: 'string' },
      m: { type: 'string', maxLength: 5, multiple: true, pairs: true, summary: 'Any.' },
    });
    const free = { type: 'object', additionalProperties: true };
    const { query: any } = await read({ name: 'm', style: 'deepObject', required: true, schema: free });
    expect(any).toEqual({ m: { type: 'string', multiple: true, pairs: true, required: true } });
  });

  it('ends where a schema contains itself', async () => {
    const node = { properties: { a: { $ref: '#/components/schemas/N' }, v: { type: 'integer' } } };
    const { query } = await read(
      { name: 'f', style: 'deepObject', schema: { $ref: '#/components/schemas/N' } },
      [],
      { components: { schemas: { N: node } } },
    );
    expect(Object.keys(query ?? {}).length).toBeLessThan(10);
    expect(query).toHaveProperty(['f[a][v]']);
  });

  it.each([
    { style: 'form', explode: false, schema: created },
    { style: 'pipeDelimited', schema: created },
    { style: 'deepObject', schema: { type: 'object' } },
    { style: 'deepObject', schema: { type: 'object', additionalProperties: { type: 'object' } } },
    { style: 'deepObject', schema: { properties: { 'a\u001b[2J': {} } } },
  ])('is reported where payctl cannot send it: %j', async (parameter) => {
    const { query, codes } = await read({ name: 'f', ...parameter });
    expect(query).toEqual({});
    expect(codes.at(-1)).toBe('parameter_object /paths/~1things/get/parameters/0');
  });

  it('is typed as JSON where the parameter is a document', async () => {
    const content = { 'application/json': { schema: created } };
    expect((await read({ name: 'where', content })).query).toEqual({
      where: { type: 'string', format: 'json' },
    });
  });
});
