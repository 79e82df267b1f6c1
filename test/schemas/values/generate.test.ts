import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textOfPattern } from '../../../src/schemas/values/from-pattern.ts';
import { generate } from '../../../src/schemas/values/generate.ts';
import { createRandom } from '../../../src/text/random.ts';
import { propertyRuns } from '../../harness/property-runs.ts';

const ajv = new Ajv2020({ strict: false });
(addFormats as unknown as (instance: Ajv2020) => void)(ajv);

function made(schema: unknown, seed: number, isFresh = false): unknown {
  return generate(schema, { root: schema, random: createRandom(seed), atMs: 1e12, noun: 'thing', isFresh });
}

/** Schemas as descriptions have them: types, limits, enumerations, lists, objects and unions in each other. */
const schemas = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    tie('text'),
    tie('number'),
    tie('choice'),
    tie('list'),
    tie('object'),
    tie('union'),
  ),
  text: fc
    .record({ least: fc.nat(20), more: fc.nat(30) })
    .map(({ least, more }) => ({ type: 'string', minLength: least, maxLength: least + more })),
  number: fc
    .record({
      type: fc.constantFrom('integer', 'number'),
      least: fc.integer({ min: -1000, max: 1000 }),
      more: fc.nat(500),
    })
    .map(({ type, least, more }) => ({ type, minimum: least, maximum: least + more })),
  choice: fc.oneof(
    fc
      .constantFrom('uuid', 'date-time', 'date', 'email', 'uri', 'ipv4', 'ipv6', 'hostname', 'time')
      .map((format) => ({
        type: ['string', 'null'],
        format,
      })),
    fc
      .uniqueArray(fc.jsonValue({ maxDepth: 1 }), {
        minLength: 1,
        maxLength: 4,
        selector: (value) => JSON.stringify(value),
      })
      .map((values) => ({ enum: values })),
    fc.boolean().map(() => ({ type: 'boolean' })),
  ),
  list: fc
    .record({ items: tie('any'), least: fc.nat(3) })
    .map(({ items, least }) => ({ type: 'array', items, minItems: least, maxItems: least + 2 })),
  object: fc
    .dictionary(
      fc.constantFrom('id', 'status', 'amount', 'buyer_id', 'name', 'currency', 'created_at', 'inner'),
      tie('any'),
      {
        maxKeys: 5,
      },
    )
    .map((properties) => ({
      type: 'object',
      properties,
      required: Object.keys(properties).slice(0, 2),
      additionalProperties: false,
    })),
  union: fc
    .array(tie('any'), { minLength: 1, maxLength: 3 })
    .map((branches) => ({ anyOf: [...branches, { type: 'null' }] })),
}));

describe('a value that is made from a schema', () => {
  it('fits it, as an independent validator reads it', { tags: 'slow' }, () => {
    fc.assert(
      fc.property(schemas.any, fc.nat(), fc.boolean(), (schema, seed, isFresh) => {
        const validate = ajv.compile(schema as object);
        const value = made(schema, seed, isFresh);
        expect([validate(value), value, validate.errors]).toEqual([true, value, null]);
      }),
      propertyRuns(500),
    );
  });

  it('is the same for the same seed', () => {
    const schema = { type: 'object', properties: { id: { type: 'string' }, amount: { type: 'integer' } } };
    expect(made(schema, 5)).toEqual(made(schema, 5));
    expect(made(schema, 5)).not.toEqual(made(schema, 6));
  });

  it('ends where a schema holds itself', () => {
    const schema = {
      $ref: '#/$defs/Tree',
      $defs: {
        Tree: {
          type: 'object',
          required: ['parts'],
          properties: {
            parts: { type: 'array', items: { $ref: '#/$defs/Tree' } },
            above: { anyOf: [{ $ref: '#/$defs/Tree' }, { type: 'null' }] },
          },
        },
      },
    };
    expect(ajv.validate(schema, made(schema, 1))).toBe(true);
  });

  it('keeps the value that a branch itself has for the discriminator', () => {
    const branch = (value: string) => ({
      type: 'object',
      required: ['type'],
      properties: { type: { type: 'string', enum: [value] } },
    });
    const schema = {
      $defs: { ActiveStatus: branch('active'), LockedStatus: branch('locked') },
      oneOf: [{ $ref: '#/$defs/ActiveStatus' }, { $ref: '#/$defs/LockedStatus' }],
      discriminator: { propertyName: 'type' },
    };
    for (let seed = 1; seed < 8; seed += 1) {
      const { type } = made(schema, seed) as { type: string };
      expect(['active', 'locked']).toContain(type);
    }
  });

  it('ends where a branch has the union that it belongs to among its parts', () => {
    const schema = {
      $defs: {
        Pet: { oneOf: [{ $ref: '#/$defs/Cat' }], discriminator: { propertyName: 'kind' } },
        Cat: { allOf: [{ $ref: '#/$defs/Pet' }, { type: 'object' }] },
      },
      $ref: '#/$defs/Pet',
    };
    expect(made(schema, 1)).toEqual({ kind: 'Cat' });
  });

  it('names further members as the schema of their names says', () => {
    const names = { type: 'string', enum: ['queued', 'done'] };
    const schema = { type: 'object', additionalProperties: { type: 'integer' }, propertyNames: names };
    for (const minProperties of [0, 2]) {
      const keys = Object.keys(made({ ...schema, minProperties }, 3) as object);
      expect(keys.length).toBe(Math.max(minProperties, 1));
      for (const key of keys) expect(names.enum).toContain(key);
    }
  });

  it('ends with null where a required member may be null instead of the same again', () => {
    const node = {
      type: 'object',
      required: ['inner'],
      properties: { inner: { anyOf: [{ $ref: '#/$defs/Node' }, { type: 'null' }] } },
    };
    const schema = { $defs: { Node: node }, $ref: '#/$defs/Node' };
    for (let seed = 1; seed < 8; seed += 1) expect(JSON.stringify(made(schema, seed))).toMatch(/null\}+$/);
  });

  it('names the branch of a union by its discriminator', () => {
    const branch = (name: string) => ({
      type: 'object',
      required: [name],
      properties: { [name]: { type: 'string' } },
    });
    const schema = {
      oneOf: [{ $ref: '#/$defs/Cat' }, { $ref: '#/$defs/Dog' }],
      discriminator: { propertyName: 'kind', mapping: { cat: '#/$defs/Cat' } },
      $defs: { Cat: branch('purr'), Dog: branch('bark') },
    };
    const kinds = Array.from({ length: 20 }, (_, seed) => made(schema, seed) as Record<string, unknown>);
    for (const one of kinds) expect(one.kind).toBe('purr' in one ? 'cat' : 'Dog');
    expect(new Set(kinds.map(({ kind }) => kind)).size).toBe(2);
  });
});

describe('a value of a branch that is named by no mapping', () => {
  it('has in the discriminator what the branch says, else the name of the branch', () => {
    const definition = (properties: object) => ({
      type: 'object',
      properties,
      required: Object.keys(properties),
    });
    const schema = (kind: object) => ({
      $defs: { Card: definition(kind) },
      oneOf: [{ $ref: '#/$defs/Card' }],
      discriminator: { propertyName: 'kind' },
    });
    expect(made(schema({ kind: { enum: ['card'] } }), 1)).toEqual({ kind: 'card' });
    expect(made(schema({ kind: { type: 'string' } }), 1)).toEqual({ kind: 'Card' });
    expect(made(schema({}), 1)).toEqual({ kind: 'Card' });
  });
});

describe('a text that is made from a pattern', () => {
  it.each([
    '^[A-Z]{3}$',
    '^tmpl_[a-zA-Z0-9]+$',
    '^(visa|amex|mastercard)$',
    String.raw`^\d{4}-(0[1-9]|1[0-2])$`,
    '^[^@ ]+@[a-z]+[.][a-z]{2,}$',
    String.raw`^\+?[1-9]\d{1,14}$`,
    String.raw`^\p{Lu}\w*(?:-\w+)?$`,
    '^([a-f0-9]{2}:){5}[a-f0-9]{2}$',
    '[A-Z]',
  ])('matches %s', (pattern) => {
    for (let seed = 0; seed < 50; seed += 1) {
      expect(textOfPattern(pattern, createRandom(seed))).toMatch(new RegExp(pattern, 'u'));
    }
  });

  it('says of a response that it is a success', () => {
    const flag = { type: 'boolean' };
    const schema = { type: 'object', properties: { status: flag, success: flag, other: flag } };
    for (const seed of [1, 2, 3])
      expect(made({ ...schema, required: ['status', 'success'] }, seed, true)).toEqual({
        status: true,
        success: true,
      });
  });

  it('keeps to lengths', () => {
    const text = textOfPattern('^[a-z]+$', createRandom(1), { minLength: 30, maxLength: 32 });
    expect(text).toMatch(/^[a-z]{30,32}$/);
  });

  it.each(['^(?=a)b$', String.raw`(a)\1`, '[', '(?<!a)b'])('is none for %s', (pattern) => {
    expect(textOfPattern(pattern, createRandom(1))).toBeUndefined();
  });
});
