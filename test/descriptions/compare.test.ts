import { describe, expect, it } from 'vitest';
import { compareDescriptions } from '../../src/descriptions/compare.ts';
import { answer, document, imported, type Json } from './describe.ts';
import { largeDescription } from './large-description.ts';

/** What has changed, as `! code where` for what breaks. */
async function changes(before: Json, after: Json): Promise<string[]> {
  const all = compareDescriptions(await imported(before), await imported(after));
  return all.map(({ breaking, code, where }) => `${breaking ? '! ' : ''}${code} ${where}`.trim());
}

const get = (operation: Json) =>
  document({ '/things': { get: { operationId: 'x', responses: {}, ...operation } } });
const query = (schema: Json, others: Json = {}) =>
  get({ parameters: [{ name: 'q', in: 'query', schema, ...others }] });
const body = (schema: unknown, others: Json = {}) =>
  document({
    '/things': {
      post: {
        operationId: 'x',
        requestBody: { content: { 'application/json': { schema } }, ...others },
        responses: {},
      },
    },
  });
const answering = (schema: unknown) => get({ responses: answer(schema) });
const member = (schema: unknown, required: readonly string[] = []) => ({
  type: 'object',
  required,
  properties: { m: schema },
});

describe('two descriptions', () => {
  it('have no differences where they are the same', async () => {
    expect(await changes(largeDescription(), largeDescription())).toEqual([]);
  });

  it('differ in operations, commands, ids and scopes', async () => {
    const operation = (others: Json = {}) => ({ operationId: 'x', responses: {}, ...others });
    const secured = (...scopes: string[]) => operation({ 'x-scopes': scopes });
    expect(
      await changes(document({ '/a': { get: operation() } }), document({ '/b': { get: operation() } })),
    ).toEqual(['operation_added', '! operation_gone']);
    expect(
      await changes(
        document({ '/a/{x}': { get: operation() } }),
        document({ '/a/{y}': { get: operation({ deprecated: true }) } }),
      ),
    ).toEqual(['deprecated']);
    expect(await changes(get({}), get({ 'x-payctl-name': 'other words' }))).toEqual([
      '! command_gone command',
    ]);
    expect(
      await changes(get({}), get({ 'x-payctl-name': 'other words', 'x-cli-name': 'things get' })),
    ).toEqual([]);
    expect(await changes(get({}), get({ operationId: 'y' }))).toEqual(['! id_changed id']);
    expect(
      await changes(document({ '/a': { get: secured('r') } }), document({ '/a': { get: secured('w') } })),
    ).toEqual(['! scopes_changed scopes']);
    expect(
      await changes(
        document({ '/a': { get: secured('r') } }),
        document({ '/a': { get: secured('r', 'w') } }),
      ),
    ).toEqual(['scopes_changed scopes']);
  });

  it.each([
    [{ type: 'string' }, { type: 'integer' }, ['! type_changed query q']],
    [{ type: 'integer' }, { type: 'number' }, ['type_changed query q']],
    [{ enum: ['a', 'b'] }, { enum: ['a'] }, ['! value_gone query q']],
    [{ enum: ['a'] }, { enum: ['a', 'b'] }, ['value_added query q']],
    [{ type: 'string' }, { type: 'string', enum: ['a'] }, ['! values_limited query q']],
    [{ type: 'string', enum: ['a'] }, { type: 'string' }, ['values_open query q']],
    [{ type: 'string', maxLength: 5 }, { type: 'string', maxLength: 4 }, ['! limit_changed query q']],
    [{ type: 'string', maxLength: 5 }, { type: 'string' }, ['limit_changed query q']],
    [{ type: 'integer', minimum: 1 }, { type: 'integer', minimum: 2 }, ['! limit_changed query q']],
    [{ type: 'string' }, { type: 'string', pattern: 'a' }, ['! pattern_changed query q']],
    [{ type: 'array', items: { type: 'string' } }, { type: 'string' }, ['! parameter_single query q']],
    [{ type: 'string' }, { type: 'array', items: { type: 'string' } }, ['parameter_multiple query q']],
  ])('differ in a parameter %j that is now %j', async (before, after, expected) => {
    expect(await changes(query(before), query(after))).toEqual(expected);
  });

  it('differ in the headers that there are and have to be, and in links to further pages', async () => {
    const header = (required: boolean) =>
      get({ parameters: [{ name: 'If-Match', in: 'header', required, schema: { type: 'string' } }] });
    expect(await changes(header(false), get({}))).toEqual(['! parameter_gone header if-match']);
    expect(await changes(header(false), header(true))).toEqual(['! parameter_required header if-match']);
    const list = (headers: Json) => {
      const content = { 'application/json': { schema: { type: 'array' } } };
      return get({ responses: { 200: { description: '', content, headers } } });
    };
    expect(await changes(list({ Link: {} }), list({}))).toEqual(['! paging_gone answer']);
  });

  it('differ in which parameters there are and have to be', async () => {
    expect(await changes(query({ type: 'string' }), get({}))).toEqual(['! parameter_gone query q']);
    expect(await changes(get({}), query({ type: 'string' }))).toEqual(['parameter_added query q']);
    expect(await changes(get({}), query({ type: 'string' }, { required: true }))).toEqual([
      '! parameter_required query q',
    ]);
    expect(await changes(query({ type: 'string' }), query({ type: 'string' }, { required: true }))).toEqual([
      '! parameter_required query q',
    ]);
    expect(await changes(query({ type: 'string' }, { required: true }), query({ type: 'string' }))).toEqual([
      'parameter_optional query q',
    ]);
  });

  it.each([
    [member({ type: 'string' }), { type: 'object' }, ['! member_gone body'], ['! member_gone answer']],
    [{ type: 'object' }, member({ type: 'string' }), ['member_added body'], ['member_added answer']],
    [
      { type: 'object' },
      member({ type: 'string' }, ['m']),
      ['! member_required body'],
      ['member_added answer'],
    ],
    [member({}), member({}, ['m']), ['! member_required body'], ['member_required answer']],
    [member({}, ['m']), member({}), ['member_optional body'], ['! member_optional answer']],
    [
      member({ type: 'string' }),
      member({ type: ['string', 'null'] }),
      ['null_changed body m'],
      ['! null_changed answer m'],
    ],
    [
      member({ type: ['string', 'null'] }),
      member({ type: 'string' }),
      ['! null_changed body m'],
      ['null_changed answer m'],
    ],
    [
      member({ type: 'string' }),
      member({ type: ['string', 'integer'] }),
      ['type_changed body m'],
      ['! type_changed answer m'],
    ],
    [
      member({ type: ['string', 'integer'] }),
      member({ type: 'string' }),
      ['! type_changed body m'],
      ['type_changed answer m'],
    ],
    [member({ enum: ['a', 'b'] }), member({ enum: ['a'] }), ['! value_gone body m'], ['value_gone answer m']],
    [member({ enum: ['a'] }), member({ enum: ['a', 'b'] }), ['value_added body m'], ['value_added answer m']],
    [
      member({ type: 'string', maxLength: 9 }),
      member({ type: 'string', maxLength: 8 }),
      ['! limit_changed body m'],
      [],
    ],
    [
      { type: 'array', items: member({ type: 'string' }) },
      { type: 'array', items: member({ type: 'integer' }) },
      ['! type_changed body 0.m'],
      ['! type_changed answer 0.m'],
    ],
  ])(
    'differ in a schema %j that is now %j, each way in its own direction',
    async (before, after, inBody, inAnswer) => {
      expect(await changes(body(before), body(after))).toEqual(inBody);
      expect(await changes(answering(before), answering(after))).toEqual(inAnswer);
    },
  );

  it('differ in the types of bodies', async () => {
    const taking = (...types: string[]) => {
      const content = Object.fromEntries(types.map((type) => [type, { schema: {} }]));
      return document({ '/things': { post: { operationId: 'x', requestBody: { content }, responses: {} } } });
    };
    const [json, parts, csv] = ['application/json', 'multipart/form-data', 'text/csv'] as const;
    expect(await changes(taking(json), taking(parts))).toEqual(['body_type body']);
    expect(await changes(taking(parts), taking(json))).toEqual(['! body_type body']);
    expect(await changes(taking(csv), taking(parts))).toContain('! body_type body');
    expect(await changes(taking(csv, 'image/png'), taking(csv))).toEqual(['! body_type body']);
    expect(await changes(taking(csv), taking(csv, 'image/png'))).toEqual([]);
  });

  it('differ in bodies, lists and paging', async () => {
    const list = (properties: Json) =>
      answering({ type: 'object', properties: { items: { type: 'array', items: {} }, ...properties } });
    expect(
      await changes(body({}), document({ '/things': { post: { operationId: 'x', responses: {} } } })),
    ).toEqual(['! body_gone body']);
    expect(await changes(body({}), body({}, { required: true }))).toEqual(['! body_required body']);
    expect(await changes(list({}), answering({ type: 'array', items: {} }))).toEqual([
      '! list_changed answer',
    ]);
    expect(await changes(answering({}), get({}))).toEqual(['! answer_gone answer']);
  });

  it('that hold themselves are compared to an end', async () => {
    const recursive = (type: string) => ({
      ...answering({ $ref: '#/components/schemas/T' }),
      components: {
        schemas: {
          T: {
            type: 'object',
            properties: {
              name: { type },
              next: { $ref: '#/components/schemas/T' },
              other: { $ref: '#/components/schemas/T' },
            },
          },
        },
      },
    });
    expect(await changes(recursive('string'), recursive('integer'))).toContain('! type_changed answer name');
  });

  it('differ in the media types of an answer that is no JSON', async () => {
    const file = (...types: string[]) =>
      get({ responses: { 200: { content: Object.fromEntries(types.map((type) => [type, {}])) } } });
    expect(await changes(file('text/csv'), file('text/csv'))).toEqual([]);
    expect(await changes(file('text/csv'), file('application/pdf'))).toEqual([
      '! answer_type_gone answer',
      'answer_type_added answer',
    ]);
    expect(await changes(answering({ type: 'object' }), file('text/csv'))).toEqual([
      '! answer_type_gone answer',
      'answer_type_added answer',
    ]);
    expect(await changes(get({}), file('text/csv'))).toEqual(['answer_type_added answer']);
  });
});
