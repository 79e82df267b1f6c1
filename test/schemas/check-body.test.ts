import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseKeepingNumbers } from '../../src/json/exact.ts';
import { checkBody, checkIntegers, isValidBody } from '../../src/schemas/check-body.ts';
import { growthOf, LINEAR } from '../harness/growth.ts';

const card = {
  type: 'object',
  required: ['method', 'number'],
  properties: { method: { const: 'card' }, number: { type: 'string', minLength: 12 } },
};
const token = {
  type: 'object',
  required: ['method', 'id'],
  properties: { method: { const: 'id' }, id: { type: 'string', format: 'uuid' } },
  additionalProperties: false,
};
const $defs = {
  Card: card,
  Token: token,
  Node: { properties: { child: { $ref: '#/$defs/Node' }, n: { type: 'integer' } } },
};
const union = (keyword: string, more: object = {}) => ({
  $defs,
  properties: {
    payment_method: { [keyword]: [{ $ref: '#/$defs/Card' }, { $ref: '#/$defs/Token' }], ...more },
  },
});
const check = (schema: unknown, body: unknown) =>
  checkBody(schema, body)?.problems.map(({ pointer, message, branch }) => [
    pointer,
    message,
    ...(branch ? [branch] : []),
  ]);

describe('checkBody', () => {
  it.each([
    [{ type: 'object' }, [], [['', 'must be an object, not an array']]],
    [{ required: ['a', 'b'] }, { b: 1 }, [['/a', 'is required']]],
    [
      { properties: { a: { enum: ['one', 'two'] } } },
      { a: 'tow' },
      [['/a', 'must be one of one, two (did you mean two?)']],
    ],
    [{ properties: { a: { type: 'integer', minimum: 1 } } }, { a: 0 }, [['/a', 'must be 1 or more']]],
    [
      { properties: { a: { type: ['string', 'null'] } } },
      { a: 1 },
      [['/a', 'must be a string or null, not a number']],
    ],
    [
      { properties: { 'a/b': { maxLength: 1 } } },
      { 'a/b': 'xy' },
      [['/a~1b', 'must have at most 1 character']],
    ],
    [{ properties: { 'a%': { type: 'string' } } }, { 'a%': 1 }, [['/a%', 'must be a string, not a number']]],
    [
      { additionalProperties: false, properties: { a: {} } },
      { a: 1, b: 2 },
      [['/b', 'is not in the description']],
    ],
    [
      { unevaluatedProperties: false, allOf: [{ properties: { a: {} } }] },
      { a: 1, c: 2 },
      [['/c', 'is not in the description']],
    ],
    [{ properties: { a: { pattern: '^x$' } } }, { a: 'y' }, [['/a', 'must match the pattern "^x$"']]],
    [
      { properties: { a: { pattern: '^[A-Z]{3}$' } } },
      { a: 'eur' },
      [['/a', 'must match the pattern "^[A-Z]{3}$" (did you mean EUR?)']],
    ],
    [
      { properties: { a: { items: { type: 'string' } } } },
      { a: ['x', 1] },
      [['/a/1', 'must be a string, not a number']],
    ],
    [
      { $defs, $ref: '#/$defs/Node' },
      { child: { child: { n: 'x' } } },
      [['/child/child/n', 'must be an integer, not a string']],
    ],
    [
      { properties: { constructor: { type: 'string' } }, required: ['constructor'] },
      {},
      [['/constructor', 'is required']],
    ],
  ])('compares with %j: %j', (schema, body, problems) => {
    expect(check(schema, body)).toEqual(problems);
  });

  it.each(['anyOf', 'oneOf'])(
    'reports one branch of %s alone: the one that a constant member names',
    (keyword) => {
      expect(check(union(keyword), { payment_method: { method: 'card', number: '4111' } })).toEqual([
        ['/payment_method/number', 'must have at least 12 characters', 'card'],
      ]);
      expect(check(union(keyword), { payment_method: { method: 'id', id: 'x' } })).toEqual([
        ['/payment_method/id', 'must be a UUID', 'id'],
      ]);
    },
  );

  it('says which values name a branch where the member is missing, wrong, or no object is there', () => {
    expect(check(union('oneOf'), { payment_method: {} })).toEqual([
      ['/payment_method/method', 'is required: one of card, id'],
    ]);
    expect(check(union('oneOf'), { payment_method: { method: 'crad' } })).toEqual([
      ['/payment_method/method', 'must be one of card, id (did you mean card?)'],
    ]);
    expect(check(union('oneOf'), { payment_method: 5 })).toEqual([
      ['/payment_method', 'must be an object whose method is one of card, id'],
    ]);
  });

  it('takes the member of a discriminator for required, and its mapping for the branches', () => {
    const mapping = { plastic: '#/$defs/Card', stored: '#/$defs/Token' };
    const schema = {
      $defs: {
        Card: { properties: { number: { type: 'string' } } },
        Token: { properties: { id: { type: 'string' } } },
      },
      anyOf: [{ $ref: '#/$defs/Card' }, { $ref: '#/$defs/Token' }],
      discriminator: { propertyName: 'kind', mapping },
    };
    expect(check(schema, { number: '4' })).toEqual([['/kind', 'is required: one of plastic, stored']]);
    expect(check(schema, { kind: 'plastic', number: 4, id: 5 })).toEqual([
      ['/number', 'must be a string, not a number', 'plastic'],
    ]);
    expect(check(schema, { kind: 'plastic', number: '4' })).toEqual([]);
  });

  it('chooses the branch of the right type with the fewest problems, and names it by its schema, title or number', () => {
    const branches = [
      { type: 'object', required: ['a', 'b', 'c'] },
      { type: 'object', required: ['d'], title: 'By d' },
      { type: 'string' },
      { type: 'null' },
    ];
    expect(check({ anyOf: branches }, {})).toEqual([['/d', 'is required', 'By d']]);
    expect(check({ anyOf: branches.slice(0, 1).concat(branches.slice(2)) }, { a: 1 })).toEqual([
      ['/b', 'is required', 'branch 1 of 3'],
      ['/c', 'is required', 'branch 1 of 3'],
    ]);
    expect(check({ anyOf: branches }, null)).toEqual([]);
  });

  it('names no branch of a union that only allows null, too', () => {
    expect(check(union('anyOf'), { payment_method: { method: 'card' } })).toEqual([
      ['/payment_method/number', 'is required', 'card'],
    ]);
    const nullable = { $defs, properties: { card: { anyOf: [{ $ref: '#/$defs/Card' }, { type: 'null' }] } } };
    expect(check(nullable, { card: { method: 'card' } })).toEqual([['/card/number', 'is required']]);
  });

  it('refuses what fits two branches of which one may fit', () => {
    const schema = {
      oneOf: [
        { title: 'A', type: 'object' },
        { title: 'B', type: 'object' },
      ],
    };
    expect(check(schema, {})).toEqual([['', 'matches A and B, but may match only one']]);
  });

  it('explains a union in a union by the inner branch', () => {
    const outer = {
      oneOf: [
        { properties: { kind: { const: 'x' }, inner: union('anyOf').properties.payment_method } },
        { properties: { kind: { const: 'y' } } },
      ],
    };
    expect(check({ $defs, ...outer }, { kind: 'x', inner: { method: 'id' } })).toEqual([
      ['/inner/id', 'is required', 'id'],
    ]);
  });

  it('places what a branch forbids in that branch', () => {
    expect(
      check(union('anyOf'), {
        payment_method: { method: 'id', id: '8b1f5c0e-6c1d-4b52-9a53-2f1f0d9c8f11', x: 1 },
      }),
    ).toEqual([['/payment_method/x', 'is not in the description', 'id']]);
  });

  it('says which values name a branch where the discriminator is missing, also of a body that fits a branch', () => {
    const discriminator = { propertyName: 'method' };
    for (const keyword of ['oneOf', 'anyOf'])
      for (const method of [{}, { number: '123456789012' }, { id: 1 }])
        expect(check(union(keyword, { discriminator }), { payment_method: method })).toEqual([
          ['/payment_method/method', 'is required: one of card, id'],
        ]);
  });

  it('takes what fits a branch that has the member of a discriminator as an optional one, also what fits two', () => {
    const branch = (kind: string, more: object) => ({
      type: 'object',
      properties: { kind: { enum: [kind] }, ...more },
      required: Object.keys(more),
    });
    const short = branch('message', { text: {} });
    const schema = { oneOf: [short, branch('call', { name: {} })], discriminator: { propertyName: 'kind' } };
    expect(check(schema, { text: 'a' })).toEqual([]);
    expect(check(schema, { text: 'a', name: 'b' })).toEqual([]);
    expect(check(schema, { kind: 'call', text: 'a' })).toEqual([['/name', 'is required', 'call']]);
    expect(check(schema, { kind: 'cal', text: 'a' })).toEqual([
      ['/kind', 'must be one of message, call (did you mean call?)'],
    ]);
    expect(check({ ...schema, oneOf: [{ ...short, required: ['text', 'kind'] }] }, { text: 'a' })).toEqual([
      ['/kind', 'is required: one of message'],
    ]);
  });

  it('names a branch by the value that selects it, of several', () => {
    const mapping = { visa: '#/$defs/Card', card: '#/$defs/Card' };
    const Card = { ...card, properties: { ...card.properties, method: {} } };
    const schema = {
      $defs: { Card },
      oneOf: [{ $ref: '#/$defs/Card' }],
      discriminator: { propertyName: 'method', mapping },
    };
    expect(check(schema, { method: 'card', number: 1 })).toEqual([
      ['/number', 'must be a string, not a number', 'card'],
    ]);
  });

  it.each([
    ['$ref', { properties: { a: { $ref: '#/$defs/None' }, b: { type: 'string' } } }, { a: 1, b: 2 }],
    [
      'pattern',
      { properties: { a: { pattern: '^(a+)+$' }, b: { type: 'string' } } },
      { a: `${'a'.repeat(50)}b`, b: 2 },
    ],
    [
      '$ref',
      { properties: { a: { 'x-payctl-not-checked': true, type: 'string' }, b: { type: 'string' } } },
      { a: 'x', b: 2 },
    ],
  ])(
    'checks everything else of a schema with a %s that cannot be checked',
    { tags: 'slow' },
    (keyword, schema, body) => {
      expect(checkBody(schema, body)).toMatchObject({
        unchecked: keyword,
        problems: [{ pointer: '/b', message: 'must be a string, not a number' }],
      });
      expect(checkBody(schema, { ...body, b: 'x' })).toEqual({ unchecked: keyword, problems: [] });
      expect(isValidBody(schema, { ...body, b: 'x' })).toBe(false);
    },
  );

  it('checks nothing of a schema that applies itself to the same value without an end', () => {
    expect(checkBody({ $ref: '#' }, {})).toBeUndefined();
  });

  it('gives up on what takes too long or makes no sense, instead of hanging', () => {
    const unchecked = (schema: unknown, body: unknown) => checkBody(schema, body)?.unchecked;
    expect(unchecked({ pattern: '^(a+)+$' }, `${'a'.repeat(50)}b`)).toBe('pattern');
    expect(unchecked({ pattern: '(' }, 'x')).toBe('pattern');
    expect(unchecked({ $ref: '#/$defs/None' }, {})).toBe('$ref');
  });

  it('never resolves an address', () => {
    expect(checkBody({ $ref: 'http://127.0.0.1:9/schema.json' }, {})?.unchecked).toBe('$ref');
    expect(
      checkBody({ $id: 'http://example.com/', $ref: '#/$defs/A', $defs: { A: { type: 'string' } } }, 1)
        ?.problems,
    ).toHaveLength(1);
  });
});

describe('checkIntegers', () => {
  const integer = { type: 'integer' };
  const found = (schema: unknown, json: string) =>
    checkIntegers(schema, parseKeepingNumbers(json))?.map(({ pointer }) => pointer);

  it.each<[string, unknown, string, readonly string[]]>([
    ['the body itself', integer, '5.0', ['']],
    ['a member whose name has a slash', { properties: { 'a/b': integer } }, '{"a/b":5.0}', ['/a~1b']],
    ['a reference', { $defs: { A: integer }, properties: { a: { $ref: '#/$defs/A' } } }, '{"a":5.0}', ['/a']],
    ['elements', { items: { items: integer } }, '[[1,2.0],[3e0]]', ['/0/1', '/1/0']],
    ['elements by their place', { prefixItems: [{}, integer] }, '[1.0,2.0]', ['/1']],
    ['further members', { additionalProperties: integer }, '{"x":1.0}', ['/x']],
    ['members by a pattern', { patternProperties: { '^n': integer } }, '{"n1":1.0,"m":1.0}', ['/n1']],
    ['a type that may be null', { type: ['integer', 'null'] }, '1.0', ['']],
    ['a type that may be a number', { type: ['integer', 'number'] }, '1.0', []],
    ['a number', { type: 'number' }, '1.0', []],
    ['no type', {}, '1.0', []],
    ['allOf', { allOf: [{ minimum: 1 }, integer] }, '1.0', ['']],
    ['anyOf with null', { anyOf: [{ type: 'null' }, integer] }, '1.0', ['']],
    ['anyOf with a number', { anyOf: [integer, { type: 'number' }] }, '1.0', []],
    ['oneOf with a text', { oneOf: [{ type: 'string', pattern: '^a' }, integer] }, '1.0', ['']],
    ['a text that a union takes', { oneOf: [{ type: 'string' }, integer] }, '"1.0"', []],
    ['a number among limits', { anyOf: [integer, { type: 'number', maximum: 5 }] }, '5.00', []],
    ['a constant', { properties: { v: { type: 'integer', const: 1 } } }, '{"v":1.0}', ['/v']],
    ['a number of a list', { properties: { v: { type: 'number', enum: [1] } } }, '{"v":1.0}', ['/v']],
    ['a text with digits', integer, '"5.00"', ['']],
    ['a text of digits', integer, '"5"', []],
    ['a text without digits', integer, '"five"', []],
    [
      'a slow pattern',
      { properties: { a: { pattern: '^(a+)+$' }, n: integer } },
      `{"a":"${'a'.repeat(60)}!","n":1.0}`,
      ['/n'],
    ],
  ])('finds what is no integer where the schema takes only integers: %s', (_, schema, json, pointers) => {
    expect(found(schema, json)).toEqual(pointers);
  });

  it('decides by the branch that a member names', () => {
    const branch = (kind: string, type: string) => ({
      properties: { kind: { const: kind }, amount: { type } },
      required: ['kind'],
    });
    const schema = { oneOf: [branch('minor', 'integer'), branch('major', 'number')] };
    expect(found(schema, '{"kind":"minor","amount":5.00}')).toEqual(['/amount']);
    expect(found(schema, '{"kind":"major","amount":5.00}')).toEqual([]);
  });

  it('takes time in proportion to the numbers that it finds', { tags: 'slow' }, async () => {
    const bodies = [2000, 16_000].map(
      (count) => [count, parseKeepingNumbers(`[${Array(count).fill('1.0')}]`)] as const,
    );
    const work = (size: number) => checkIntegers({ items: integer }, new Map(bodies).get(size));
    expect(work(2000)).toHaveLength(2000);
    expect(await growthOf(work, 2000)).toBeLessThan(LINEAR);
  });

  it('agrees with a regular expression on how any number is written, wherever it is', () => {
    const number = fc.stringMatching(/^-?(0|[1-9]\d{0,20})(\.\d{1,4})?([eE][+-]?\d{1,3})?$/);
    const schema = {
      $defs: { List: { type: 'array', items: { anyOf: [{ type: 'integer' }, { type: 'null' }] } } },
      properties: { list: { $ref: '#/$defs/List' }, free: {}, n: { type: ['number', 'string'] } },
      additionalProperties: { type: 'integer' },
    };
    fc.assert(
      fc.property(fc.array(number, { maxLength: 5 }), number, number, (list, any, member) => {
        const json = `{"list":[null,${['1', ...list].join(',')}],"free":${any},"n":${any},"x":${member}}`;
        const isOther = (text: string) => !/^-?[0-9]+$/.test(text);
        const expected = list.flatMap((text, index) => (isOther(text) ? [`/list/${index + 2}`] : []));
        expect(found(schema, json)?.toSorted()).toEqual(
          [...expected, ...(isOther(member) ? ['/x'] : [])].toSorted(),
        );
      }),
    );
  });
});
