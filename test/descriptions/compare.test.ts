import { describe, expect, it } from 'vitest';
import { type Comparable, compareDescriptions } from '../../src/descriptions/compare.ts';
import { growthOf, LINEAR } from '../harness/growth.ts';
import { answer, document, imported, type Json } from './describe.ts';
import { largeDescription } from './large-description.ts';

/** What has changed, as `! code where` for what breaks. */
async function changes(before: Json, after: Json): Promise<string[]> {
  const all = compareDescriptions(await imported(before), await imported(after));
  return all.map(({ breaking, code, where }) => `${breaking ? '! ' : ''}${code} ${where}`.trim());
}

const record = answer({ type: 'object', properties: { name: { type: 'string' } } });
const item = (name: string, operationId: string) => ({
  [`/things/{${name}}`]: {
    get: {
      operationId,
      parameters: [{ name, in: 'path', required: true, schema: { type: 'string' } }],
      responses: record,
    },
  },
});

const get = (operation: Json) =>
  document({ '/things': { get: { operationId: 'x', responses: {}, ...operation } } });
const query = (schema: Json, others: Json = {}) =>
  get({ parameters: [{ name: 'q', in: 'query', schema, ...others }] });
const body = (schema: unknown, others: Json = {}, responses: Json = {}) =>
  document({
    '/things': {
      post: {
        operationId: 'x',
        requestBody: { content: { 'application/json': { schema } }, ...others },
        responses,
      },
    },
  });
const answering = (schema: unknown) => get({ responses: answer(schema) });
const member = (schema: unknown, required: readonly string[] = []) => ({
  type: 'object',
  required,
  properties: { m: schema },
});

/** A payment method, which its member `kind` selects. */
const method = (kind: string, members: Json = {}) => ({
  type: 'object',
  required: ['kind', 'number'],
  properties: { kind: { const: kind }, number: { type: 'string' }, ...members },
});

const labels = (schema: unknown) => member({ type: 'array', items: schema });

describe('two paths that differ only in the names of parameters', () => {
  const both = document({ ...item('id', 'getThing'), ...item('number', 'getThingByNumber') });

  it('are compared each with itself', async () => {
    expect(await changes(both, both)).toEqual([]);
  });

  it('are named where one of them is gone', async () => {
    const all = compareDescriptions(await imported(both), await imported(document(item('id', 'getThing'))));
    expect(all.map(({ code, operation }) => `${code} ${operation}`)).toEqual([
      'operation_gone GET /things/{number}',
    ]);
  });

  it('are one path with another name where each document has one', async () => {
    expect(await changes(document(item('id', 'getThing')), document(item('key', 'getThing')))).toEqual([]);
  });
});

describe('two descriptions', () => {
  it('have no differences where they are the same', { tags: 'slow' }, async () => {
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

  it('differ in where a request sends a value, which is one difference', async () => {
    const text = { type: 'string' };
    const sending = (parameters: readonly Json[], properties: Json) =>
      document({
        '/things': {
          post: {
            operationId: 'x',
            parameters: parameters.map((one) => ({ schema: text, ...one })),
            requestBody: { content: { 'application/json': { schema: { type: 'object', properties } } } },
            responses: {},
          },
        },
      });
    const key = [{ name: 'Idempotency-Key', in: 'header' }];
    const [inHeader, inBody] = [sending(key, { m: text }), sending([], { m: text, idempotency_key: text })];
    const messages = async (before: Json, after: Json) =>
      compareDescriptions(await imported(before), await imported(after)).map(({ message }) => message);
    expect(await changes(inHeader, inBody)).toEqual(['! idempotency_key body idempotency_key']);
    expect(await messages(inHeader, inBody)).toEqual([
      'The idempotency key is now sent in the body, as "idempotency_key"',
    ]);
    expect(await messages(inBody, inHeader)).toEqual([
      'The idempotency key is now sent in the header, as "idempotency-key"',
    ]);
    expect(await changes(sending([], { m: text }), inHeader)).toEqual([
      'idempotency_key header idempotency-key',
    ]);
    expect(await messages(inBody, sending([], { m: text }))).toContain(
      'It no longer takes an idempotency key',
    );
    const [inQuery, inOther] = ['query', 'header'].map((place) =>
      sending([{ name: place === 'query' ? 'traceId' : 'X-Trace-Id', in: place, required: true }], {
        m: text,
      }),
    );
    expect(await messages(inQuery ?? {}, inOther ?? {})).toEqual([
      'The parameter is now sent in the header, as "x-trace-id"',
    ]);
    expect(await changes(inQuery ?? {}, sending([], { m: text, trace_id: text }))).toEqual([
      '! parameter_moved body trace_id',
      'parameter_optional body trace_id',
    ]);
    // Both places have it before.
    expect(await changes(sending(key, { m: text, idempotency_key: text }), inBody)).toEqual([
      '! idempotency_key body idempotency_key',
    ]);
  });

  it.each<[before: Json, after: Json, required: readonly string[], expected: string[]]>([
    [
      { type: 'integer' },
      { type: 'number', minimum: 5 },
      ['amount'],
      ['! parameter_required', 'type_changed', '! limit_changed'],
    ],
    [{ type: 'integer', enum: [1, 2] }, { type: 'integer', enum: [1, 2] }, [], []],
    [{ type: 'array', items: { type: 'string' } }, { type: 'array', items: { type: 'string' } }, [], []],
    [{ type: 'array', items: { type: 'string' } }, { type: 'string' }, [], ['! parameter_single']],
    [
      { type: 'string' },
      { type: 'object', properties: {} },
      ['amount'],
      ['! parameter_required', '! type_changed'],
    ],
  ])('differ in a parameter %j that moved and is now %j', async (before, after, required, expected) => {
    const sending = (parameters: readonly Json[], schema: Json) =>
      document({
        '/things': {
          post: {
            operationId: 'x',
            parameters,
            requestBody: { content: { 'application/json': { schema: { type: 'object', ...schema } } } },
            responses: {},
          },
        },
      });
    const inQuery = sending([{ name: 'amount', in: 'query', schema: before }], { properties: { m: {} } });
    const inBody = sending([], { required, properties: { m: {}, amount: after } });
    expect(await changes(inQuery, inBody)).toEqual(
      ['! parameter_moved', ...expected].map((change) => `${change} body amount`),
    );
  });

  it('differ in a field of the body that has another name and another schema', async () => {
    const fields = (properties: Json, required: readonly string[] = []) =>
      body({ type: 'object', required, properties });
    const address = (maxLength: number) => ({
      type: 'object',
      properties: { city: { type: 'string', maxLength } },
    });
    expect(
      await changes(
        fields({ homeAddress: address(9) }),
        fields({ home_address: address(5) }, ['home_address']),
      ),
    ).toEqual([
      '! parameter_moved body home_address',
      '! parameter_required body home_address',
      '! limit_changed body home_address city',
    ]);
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
    expect(await changes(list({ Link: {} }), list({}))).toEqual(['! paging_gone response']);
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
    [member({ type: 'string' }), { type: 'object' }, ['! member_gone body'], ['! member_gone response']],
    [{ type: 'object' }, member({ type: 'string' }), ['member_added body'], ['member_added response']],
    [
      { type: 'object' },
      member({ type: 'string' }, ['m']),
      ['! member_required body'],
      ['member_added response'],
    ],
    [member({}), member({}, ['m']), ['! member_required body'], ['member_required response']],
    [member({}, ['m']), member({}), ['member_optional body'], ['! member_optional response']],
    [
      member({ type: 'string' }),
      member({ type: ['string', 'null'] }),
      ['null_changed body m'],
      ['! null_changed response m'],
    ],
    [
      member({ type: ['string', 'null'] }),
      member({ type: 'string' }),
      ['! null_changed body m'],
      ['null_changed response m'],
    ],
    [
      member({ type: 'string' }),
      member({ type: ['string', 'integer'] }),
      ['type_changed body m'],
      ['! type_changed response m'],
    ],
    [
      member({ type: ['string', 'integer'] }),
      member({ type: 'string' }),
      ['! type_changed body m'],
      ['type_changed response m'],
    ],
    [
      member({ enum: ['a', 'b'] }),
      member({ enum: ['a'] }),
      ['! value_gone body m'],
      ['value_gone response m'],
    ],
    [
      member({ enum: ['a'] }),
      member({ enum: ['a', 'b'] }),
      ['value_added body m'],
      ['value_added response m'],
    ],
    [
      member({ type: 'string', maxLength: 9 }),
      member({ type: 'string', maxLength: 8 }),
      ['! limit_changed body m'],
      [],
    ],
    [
      member({ type: 'string' }),
      member({ type: 'string', format: 'uuid', pattern: '^a' }),
      ['! pattern_changed body m', '! format_changed body m'],
      [],
    ],
    [
      member({ type: 'string', format: 'uuid', pattern: '^a' }),
      member({ type: 'string', format: 'color' }),
      ['pattern_gone body m', 'format_gone body m'],
      [],
    ],
    [
      member({ type: 'integer', multipleOf: 4 }),
      member({ type: 'integer', multipleOf: 2 }),
      ['limit_changed body m'],
      [],
    ],
    [
      member({ type: 'integer', multipleOf: 2 }),
      member({ type: 'integer', multipleOf: 4 }),
      ['! limit_changed body m'],
      [],
    ],
    [member({ type: 'array' }), member({ type: 'array', uniqueItems: true }), ['! check_changed body m'], []],
    [member({ not: { type: 'string' } }), member({}), ['check_gone body m'], []],
    [
      member({ type: 'array' }),
      member({ type: 'array', items: { type: 'string' } }),
      ['! type_changed body m.0'],
      ['type_changed response m.0'],
    ],
    [
      { ...member({}), additionalProperties: true },
      { ...member({}), additionalProperties: false },
      ['! members_closed body'],
      [],
    ],
    [
      { ...member({}), additionalProperties: false },
      { ...member({}), additionalProperties: { type: 'string' } },
      ['members_open body'],
      [],
    ],
    [
      { type: 'object', additionalProperties: { type: 'string' } },
      { type: 'object', additionalProperties: { type: 'integer' } },
      ['! type_changed body *'],
      ['! type_changed response *'],
    ],
    [
      { type: 'object', additionalProperties: { type: 'string' } },
      { ...member({ type: 'integer' }), additionalProperties: { type: 'string' } },
      ['member_added body', '! type_changed body m'],
      ['member_added response'],
    ],
    [
      { oneOf: [method('card'), method('wallet')] },
      { oneOf: [method('card'), method('bank')] },
      ['! branch_gone body', 'branch_added body'],
      ['branch_gone response', 'branch_added response'],
    ],
    [
      { oneOf: [method('card'), method('wallet')] },
      { oneOf: [method('wallet'), method('card', { number: { type: 'integer' } })] },
      ['! type_changed body number'],
      ['! type_changed response number'],
    ],
    [
      method('card'),
      { oneOf: [method('card'), method('wallet')] },
      ['branch_added body'],
      ['branch_added response'],
    ],
    [
      method('card'),
      { oneOf: [method('card'), { type: 'object', properties: { pin: { type: 'string' } } }] },
      ['branch_added body'],
      ['! member_optional response', '! member_optional response', 'branch_added response'],
    ],
    [
      { anyOf: [{ type: 'integer' }, { type: 'string' }] },
      { anyOf: [{ type: 'number' }, { type: 'boolean' }] },
      ['! branch_gone body', 'branch_added body', 'type_changed body'],
      [
        '! type_changed response',
        'branch_gone response',
        'branch_gone response',
        'branch_added response',
        'branch_added response',
      ],
    ],
    [
      { type: 'string', enum: ['a', 'b'] },
      {
        oneOf: [
          { type: 'string', const: 'a' },
          { type: 'string', enum: ['c', 'b'] },
        ],
      },
      ['value_added body'],
      ['value_added response'],
    ],
    [
      { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'string', enum: ['b'] }, { type: 'null' }] },
      { type: 'string', enum: ['a'] },
      ['! null_changed body', '! value_gone body'],
      ['null_changed response', 'value_gone response'],
    ],
    [
      { oneOf: [labels({ type: 'string' }), labels(method('card'))] },
      labels({ oneOf: [{ type: 'string' }, method('card', { pin: { type: 'string' } })] }),
      ['branch_added body m.0'],
      ['branch_gone response', '! type_changed response m.0', 'branch_added response m.0'],
    ],
    [
      { oneOf: [labels({ type: 'string' }), labels(method('card'))] },
      labels({ oneOf: [{ type: 'string' }, method('card', { number: { type: 'integer' } })] }),
      ['! branch_gone body', 'branch_added body m.0'],
      ['branch_gone response', '! type_changed response m.0', 'branch_added response m.0'],
    ],
    [
      { type: 'array', items: member({ type: 'string' }) },
      { type: 'array', items: member({ type: 'integer' }) },
      ['! type_changed body 0.m'],
      ['! type_changed response 0.m'],
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
      '! list_changed response',
    ]);
    expect(await changes(answering({}), get({}))).toEqual(['! response_gone response']);
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
    expect(await changes(recursive('string'), recursive('integer'))).toContain(
      '! type_changed response name',
    );
  });

  it('list a change of a definition once for each body and response that use it, where it is nearest', async () => {
    const of = (type: string) => {
      const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
      const Money = { type: 'object', properties: { value: { type } } };
      const Part = { type: 'object', properties: { price: reference('Money'), tax: reference('Money') } };
      const Order = { type: 'object', properties: { part: reference('Part'), total: reference('Money') } };
      const schema = reference('Order');
      return { ...body(schema, {}, answer(schema)), components: { schemas: { Money, Part, Order } } };
    };
    expect(await changes(of('string'), of('integer'))).toEqual([
      '! type_changed body total.value',
      '! type_changed response total.value',
    ]);
  });

  it('are compared in a time that grows with them, not with the paths through their definitions', {
    tags: 'slow',
  }, async () => {
    const imports = new Map<number, Promise<Comparable>>();
    const of = (size: number) => {
      const reference = (index: number) => ({ $ref: `#/components/schemas/S${index % size}` });
      const properties = (index: number) =>
        Object.fromEntries([1, 2, 3].map((step) => [`m${step}`, reference(index * step + 1)]));
      const schemas = Array.from({ length: size }, (_, index) => [
        `S${index}`,
        { type: 'object', properties: properties(index) },
      ]);
      const paths = Array.from({ length: size }, (_, index) => [
        `/r${index}`,
        { get: { responses: answer(reference(index)) } },
      ]);
      return imported({
        ...document(Object.fromEntries(paths)),
        components: { schemas: Object.fromEntries(schemas) },
      });
    };
    for (const size of [20, 160]) imports.set(size, of(size));
    const all = new Map<number, Comparable>();
    for (const [size, one] of imports) all.set(size, await one);
    const compare = (size: number) => {
      const one = all.get(size) as Comparable;
      return compareDescriptions(one, one);
    };
    expect(await growthOf(compare, 20)).toBeLessThan(LINEAR);
  });

  it('differ in the media types of an response that is no JSON', async () => {
    const file = (...types: string[]) =>
      get({ responses: { 200: { content: Object.fromEntries(types.map((type) => [type, {}])) } } });
    expect(await changes(file('text/csv'), file('text/csv'))).toEqual([]);
    expect(await changes(file('text/csv'), file('application/pdf'))).toEqual([
      '! response_type_gone response',
      'response_type_added response',
    ]);
    expect(await changes(answering({ type: 'object' }), file('text/csv'))).toEqual([
      '! response_type_gone response',
      'response_type_added response',
    ]);
    expect(await changes(get({}), file('text/csv'))).toEqual(['response_type_added response']);
  });
});
