import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeForm, typedForm } from '../../src/descriptions/form-body.ts';
import { readEncoding } from '../../src/descriptions/form-encoding.ts';
import { readForm } from '../../src/descriptions/read-form.ts';
import { parseJsonInput } from '../../src/json/input.ts';
import { anyText } from '../harness/any-text.ts';
import { codes, document, imported, only } from './describe.ts';

const form = (media: object, others: object = {}) =>
  document({
    '/charges': {
      post: {
        requestBody: { ...others, content: { 'application/x-www-form-urlencoded': media } },
        responses: { 200: { description: '' } },
      },
    },
  });

describe('a form body', () => {
  it('is the body of an operation that takes nothing else, or files', async () => {
    const schema = { type: 'object', properties: { metadata: { type: 'object' }, tags: { type: 'array' } } };
    const encoding = {
      metadata: { style: 'deepObject', explode: true },
      tags: { style: 'form', explode: false },
      raw: { contentType: 'application/json' },
      piped: { style: 'pipeDelimited' },
      spaced: { style: 'spaceDelimited', explode: true },
      plain: { style: 'form', explode: true },
    };
    const found = await imported(form({ schema, encoding }, { required: true }));
    expect(codes(found)).toEqual([]);
    expect(only(found)).toMatchObject({
      hasBody: true,
      bodyRequired: true,
      bodyType: 'application/x-www-form-urlencoded',
      bodyEncoding: { metadata: 'brackets', tags: ',', raw: 'json', piped: '|', spaced: 'repeat' },
      requestSchema: schema,
    });
    expect(readEncoding(undefined)).toBeUndefined();
  });

  it('is not taken where there is JSON, and not there where nothing is in it', async () => {
    const schema = { type: 'object', properties: { a: {} } };
    const content = { 'application/x-www-form-urlencoded': { schema }, 'application/json': { schema } };
    const both = document({ '/a': { post: { requestBody: { content }, responses: {} } } });
    expect(only(await imported(both)).bodyType).toBeUndefined();
    const empty = {
      'application/x-www-form-urlencoded': { encoding: {}, schema: { type: 'object', properties: {} } },
    };
    const operation = { requestBody: { required: false, content: empty }, responses: {} };
    const found = await imported(document({ '/a': { get: operation, delete: operation } }));
    expect(codes(found)).toEqual([]);
    expect(found.records.map(({ operation: { hasBody } }) => hasBody)).toEqual([false, false]);
  });

  it.each([
    [{ amount: 100, currency: 'gbp' }, 'amount=100&currency=gbp'],
    [{ metadata: { key: 'v', 'a b': 'x&y=é' } }, 'metadata[key]=v&metadata[a+b]=x%26y%3D%C3%A9'],
    [
      { items: [{ price: 'p', tiers: [1, 2] }, { price: 'q' }] },
      'items[0][price]=p&items[0][tiers][0]=1&items[0][tiers][1]=2&items[1][price]=q',
    ],
    [{ tags: ['a', 'b'] }, 'tags=a&tags=b'],
    [{ tags: [['a'], 'b'] }, 'tags[0][0]=a&tags[1]=b'],
    [{ on: true, off: false, none: null, list: [], map: {} }, 'on=true&off=false&none=&list=&map='],
    [{ 'a[b]': '1', __proto__x: '+' }, 'a%5Bb%5D=1&__proto__x=%2B'],
    [{}, ''],
  ])('is written %j', (body, text) => {
    expect(encodeForm(body)).toBe(text);
  });

  it('is written with the styles of the description and with numbers as they were given', () => {
    const body = parseJsonInput(
      '{"a":["x","y z"],"b":["x","y"],"c":["x","y"],"d":{"n":1.0},"e":["x"],"f":12345678901234567890}',
    );
    const encoding = { a: ',', b: ' ', c: '|', d: 'json', e: 'brackets' } as const;
    expect(encodeForm(body, encoding)).toBe(
      'a=x%2Cy+z&b=x+y&c=x%7Cy&d=%7B%22n%22%3A1.0%7D&e[0]=x&f=12345678901234567890',
    );
  });

  it('has no exponent, with which services would read another amount', () => {
    const numbers = {
      1e2: '100',
      '1.5E+3': '1500',
      '12e-1': '1.2',
      '-0.5e1': '-5',
      '1e-3': '0.001',
      '2.50e1': '25.0',
    };
    for (const [written, text] of Object.entries({ ...numbers, '100.0': '100.0', '1e999': '1e999' })) {
      expect(encodeForm(parseJsonInput(`{"a":${written}}`))).toBe(`a=${text}`);
    }
    expect(encodeForm({ a: 1e21 })).toBe('a=1000000000000000000000');
    const schema = { properties: { a: { type: 'integer' } } };
    expect([typedForm({ a: '1e2' }, schema), typedForm({ a: '007' }, schema)]).toEqual([
      { a: '1e2' },
      { a: '007' },
    ]);
  });

  it.each([
    [{ a: { 'b[c]': 1 } }, {}, '/a/b[c] cannot be written in a form: the name "b[c]" has a bracket'],
    [{ a: [{ ']': 1 }] }, {}, '/a/0/] cannot be written in a form: the name "]" has a bracket'],
    [{ 'a[b]': { c: 1 } }, {}, '/a[b] cannot be written in a form: the name "a[b]" has a bracket'],
    [{ a: { '': 1 } }, {}, '/a/ cannot be written in a form: a name is empty'],
    [{ '': 1 }, {}, '/ cannot be written in a form: a name is empty'],
    [
      { a: ['x,y', 'z'] },
      { a: ',' },
      '/a cannot be written in a form: "," separates its elements, and is in one of them',
    ],
  ] as const)('is not written where it would be read as something else: %j', (body, encoding, message) => {
    expect(() => encodeForm(body, encoding)).toThrow(
      expect.objectContaining({
        code: 'bad_body',
        message: `The request body is not valid: ${message}`,
        hint: 'Nothing was sent.',
      }),
    );
  });

  it('is read as it was typed, or not written, whatever its names are', () => {
    const awkward = fc.string({
      unit: fc.constantFrom(
        'a',
        '[',
        ']',
        '0',
        '.',
        '%',
        '+',
        '&',
        '=',
        'é',
        '\n',
        '__proto__',
        'constructor',
      ),
      maxLength: 4,
    });
    const { object } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        text,
        tie('object'),
        fc.array(text.filter(Boolean), { minLength: 1, maxLength: 3 }),
        fc.array(tie('object'), { minLength: 1, maxLength: 3 }),
      ),
      object: fc.dictionary(awkward, tie('value'), { noNullPrototype: true, minKeys: 1, maxKeys: 3 }),
    }));
    // A name with brackets that is below no other is a key that somebody has written out.
    const isPlain = (value: object) => Object.keys(value).every((key) => !/[[\]]/.test(key));
    fc.assert(
      fc.property(object.map(Object).filter(isPlain), (value) => {
        const written = writtenForm(value);
        if (written === undefined) return;
        expect(readForm(written, { schema: schemaOf(value) })).toEqual(value);
      }),
    );
  });

  it('has elements that brackets append after those with an index', () => {
    const schema = { properties: { a: { type: 'array' } } };
    expect(readForm('a[1]=x&a[]=y&a[0]=w&a[]=z', { schema })).toEqual({ a: ['w', 'x', 'y', 'z'] });
    expect(readForm('=x', { schema })).toEqual({ '': 'x' });
  });

  it.each([[[1]], ['a'], [null]])('is nothing but an object: %j', (body) => {
    expect(() => encodeForm(body)).toThrow('a form must be an object');
  });

  const text = anyText(8).filter((value) => value.isWellFormed());
  const name = fc.string({
    unit: fc.constantFrom('a', '_', '.', ' ', '&', '=', '%', '+', 'é'),
    minLength: 1,
    maxLength: 5,
  });
  const scalar = fc.oneof(text, fc.integer(), fc.boolean());
  const flat = fc.dictionary(name, scalar, { noNullPrototype: true, minKeys: 1, maxKeys: 4 });

  it('is read by the emulator as it was meant', { tags: 'slow' }, () => {
    const schema = {
      type: 'object',
      properties: {
        n: { type: 'integer' },
        on: { type: ['boolean', 'null'] },
        text: { type: 'string' },
        tags: { type: 'array', items: { type: 'string' } },
        lines: { type: 'array', items: { $ref: '#/$defs/Line' } },
        map: { type: 'object', additionalProperties: { type: ['string', 'integer', 'boolean'] } },
      },
      $defs: {
        Line: {
          type: 'object',
          properties: { count: { type: 'integer' }, ids: { type: 'array', items: { type: 'number' } } },
        },
      },
    };
    const body = fc.record(
      {
        n: fc.maxSafeInteger(),
        on: fc.option(fc.boolean()),
        text,
        tags: fc.array(text, { minLength: 1 }).filter((tags) => tags.length > 1 || tags[0] !== ''),
        lines: fc.array(fc.record({ count: fc.integer(), ids: fc.array(fc.integer(), { minLength: 1 }) }), {
          minLength: 1,
        }),
        map: fc.dictionary(name, text, { noNullPrototype: true, minKeys: 1 }),
      },
      { requiredKeys: [], noNullPrototype: true },
    );
    fc.assert(
      fc.property(body, fc.constantFrom('brackets', 'repeat'), (value, style) => {
        const encoding = { tags: style } as const;
        expect(readForm(encodeForm(value, encoding), { schema, encoding })).toEqual(value);
      }),
    );
    fc.assert(
      fc.property(flat, (value) => {
        const texts = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, String(one)]));
        expect(readForm(encodeForm(value), { schema: {} })).toEqual(texts);
      }),
    );
  });

  it('is read without a failure, whatever it is', () => {
    const piece = fc.constantFrom(
      'a',
      '[',
      ']',
      '=',
      '&',
      '0',
      '1',
      '%41',
      '+',
      '__proto__',
      '[]',
      'constructor',
    );
    fc.assert(
      fc.property(fc.string({ unit: piece, maxLength: 60 }), (value) => {
        const found = readForm(value, { schema: { properties: { a: { type: 'array' } } } });
        expect(typeof found).toBe('object');
        expect(({} as { a?: unknown }).a).toBeUndefined();
      }),
    );
    expect(() => readForm('a=%zz', { schema: {} })).toThrow(URIError);
    expect(readForm(`a${'[b]'.repeat(10_000)}=1`, { schema: {} })).toEqual({
      [`a${'[b]'.repeat(10_000)}`]: '1',
    });
  });

  it('has the types of its schema, and keeps what they do not allow', () => {
    const schema = {
      properties: {
        n: { type: 'integer' },
        t: { type: 'array', items: { type: 'integer' } },
        o: { type: 'object' },
      },
    };
    expect(typedForm({ n: '12', t: '3', o: '' }, schema)).toEqual({ n: 12, t: [3], o: {} });
    expect(typedForm({ n: 'x', t: ['1', 'y'], other: '1' }, schema)).toEqual({
      n: 'x',
      t: [1, 'y'],
      other: '1',
    });
    expect(typedForm({ t: { 1: 'b', 0: '7' } }, schema)).toEqual({ t: [7, 'b'] });
  });

  it('ends where a list consists of lists of its own', () => {
    const $defs = { Nest: { type: 'array', items: { $ref: '#/$defs/Nest' } } };
    const made = typedForm({ a: 'x' }, { $defs, properties: { a: { $ref: '#/$defs/Nest' } } });
    expect(JSON.stringify(made)).toMatch(/^\{"a":\[+"x"\]+\}$/);
  });
});

/** Undefined for what is refused. */
function writtenForm(value: unknown): string | undefined {
  try {
    return encodeForm(value);
  } catch (error) {
    expect(error).toMatchObject({ code: 'bad_body' });
    return undefined;
  }
}

function schemaOf(value: unknown): object {
  if (Array.isArray(value)) return { type: 'array', items: { anyOf: value.map(schemaOf) } };
  if (typeof value !== 'object' || value === null) return { type: 'string' };
  const properties = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, schemaOf(one)]));
  return { type: 'object', properties };
}
