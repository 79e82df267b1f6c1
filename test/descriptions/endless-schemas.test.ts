import { describe, expect, it } from 'vitest';
import { codes, get, imported } from './describe.ts';

/** The issues of these schemas, of which the first is a body. */
async function issuesOf(schemas: Record<string, unknown>): Promise<readonly string[]> {
  const [first] = Object.keys(schemas);
  const requestBody = {
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${first}` } } },
  };
  const { paths, ...rest } = get({ operationId: 'x', requestBody }, { components: { schemas } }) as {
    paths: { '/things': { get: object } };
  };
  const post = { paths: { '/things': { post: paths['/things'].get } }, ...rest };
  return codes(await imported(post));
}

const to = (name: string) => ({ $ref: `#/components/schemas/${name}` });

describe('a schema that no finite value fits', () => {
  it.each([
    [{ A: { type: 'object', required: ['a'], properties: { a: to('A') } } }, ['A']],
    [{ A: { required: ['a'], properties: { a: to('A') } } }, ['A']],
    [{ A: { type: 'array', minItems: 1, items: to('A') } }, ['A']],
    [
      {
        A: { type: 'object', required: ['b'], properties: { b: to('B') } },
        B: { allOf: [{ type: 'object', required: ['a'], properties: { a: to('A') } }] },
      },
      ['A', 'B'],
    ],
    [
      {
        A: { oneOf: [to('B'), to('C')] },
        B: { type: 'object', required: ['a'], properties: { a: to('A') } },
        C: { type: 'object', required: ['b'], properties: { b: to('B') } },
      },
      ['A', 'B', 'C'],
    ],
  ])('is reported: %j', async (schemas, names) => {
    const issues = await issuesOf(schemas);
    expect(issues.toSorted()).toEqual(
      names.map((name) => `schema_unsatisfiable /components/schemas/${name}`),
    );
  });

  it.each([
    [{ A: { type: 'object', properties: { a: to('A') } } }],
    [{ A: { type: ['object', 'null'], required: ['a'], properties: { a: to('A') } } }],
    [{ A: { type: 'array', items: to('A') } }],
    [{ A: { type: 'object', required: ['a'], properties: { a: { type: 'array', items: to('A') } } } }],
    [{ A: { type: 'object', required: ['a'], properties: { a: { oneOf: [to('A'), { type: 'string' }] } } } }],
    [{ A: { type: 'object', required: ['a'], properties: {} } }],
    [{ A: { type: 'object', required: ['a'], properties: { a: { enum: ['x'] } } } }],
  ])('is not what %j is', async (schemas) => {
    expect(await issuesOf(schemas)).toEqual([]);
  });

  it('is not what a long chain of definitions is', async () => {
    const names = Array.from({ length: 300 }, (_, number) => `S${number}`);
    const chain = Object.fromEntries(
      names.map((name, number) => [
        name,
        {
          type: 'object',
          required: ['next'],
          properties: { next: number === 299 ? {} : to(`S${number + 1}`) },
        },
      ]),
    );
    expect(await issuesOf(chain)).toEqual([]);
  });
});
