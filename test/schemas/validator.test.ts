import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkOf } from '../../src/schemas/validator.ts';
import { propertyRuns } from '../harness/property-runs.ts';

const ajv = new Ajv2020({ strict: false, ownProperties: true, logger: false });
(addFormats as unknown as (instance: Ajv2020) => void)(ajv);

const leaf = fc.oneof(
  fc.constant(true),
  fc.constant({}),
  fc.record({
    type: fc.constantFrom('string', 'integer', 'number', 'null', 'boolean', ['string', 'null'], 'object'),
  }),
  fc.record({ enum: fc.array(fc.constantFrom('a', 'b', 1, null, true), { minLength: 1, maxLength: 3 }) }),
  fc.record({ const: fc.constantFrom('a', 1, null) }),
  fc.record({ minLength: fc.nat(3), maxLength: fc.nat(5) }),
  fc.record({ minimum: fc.integer({ max: 1 }), exclusiveMaximum: fc.nat(9) }),
  fc.record({ pattern: fc.constantFrom('^a', 'b$', '\\p{L}') }),
  fc.record({ format: fc.constantFrom('uuid', 'date', 'unknown') }),
  fc.record({ multipleOf: fc.constantFrom(1, 0.5, 0.01) }),
  fc.record({ const: fc.constantFrom<unknown>([], ['a'], { a: 'a' }), uniqueItems: fc.boolean() }),
);

const { schema } = fc.letrec((tie) => {
  const names = fc.constantFrom('a', 'b', 'constructor');
  const one = tie('schema');
  return {
    schema: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      leaf,
      fc.record(
        {
          type: fc.constant('object'),
          properties: fc.dictionary(names, one, { noNullPrototype: true }),
          required: fc.uniqueArray(names),
          additionalProperties: fc.oneof(fc.boolean(), one),
          maxProperties: fc.nat(3),
        },
        { requiredKeys: ['properties'], noNullPrototype: true },
      ),
      fc.record({ items: one, minItems: fc.nat(2), maxItems: fc.integer({ min: 1, max: 4 }) }),
      fc.record({ anyOf: fc.array(one, { minLength: 1, maxLength: 3 }) }),
      fc.record({ allOf: fc.array(one, { minLength: 1, maxLength: 2 }) }),
      fc
        .record({ oneOf: fc.array(one, { minLength: 1, maxLength: 2 }) })
        .filter(
          ({ oneOf }) => !['integer', 'number'].every((type) => oneOf.some((of) => Object(of).type === type)),
        ),
      fc.record({ not: one }),
      fc
        .tuple(one, one, one)
        .map((parts) => Object.fromEntries(['if', 'then', 'else'].map((name, at) => [name, parts[at]]))),
      fc.record({ patternProperties: fc.record({ '^a': one }), additionalProperties: one }),
      fc.record({ propertyNames: one, dependentRequired: fc.constant({ a: ['b'] }) }),
      fc.record({ dependentSchemas: fc.record({ a: one }), minProperties: fc.nat(1) }),
      fc.record({ prefixItems: fc.array(one, { minLength: 1, maxLength: 2 }), items: one }),
      fc.record({ contains: one, minContains: fc.nat(2), maxContains: fc.integer({ min: 1, max: 2 }) }),
      fc.record({ contains: one, uniqueItems: fc.boolean() }),
      fc.record({ prefixItems: fc.tuple(one), anyOf: fc.tuple(one, one), unevaluatedItems: one }),
      fc.record({ properties: fc.record({ a: one }), allOf: fc.tuple(one, one), unevaluatedProperties: one }),
      fc.constant({ $ref: '#/$defs/Other' }),
      fc.constant({ properties: { a: { $ref: '#' } } }),
    ),
  };
});

const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>('a', 'ab', '', 'é😀', 0, 1, 2.5, -1, null, true, false),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', 'constructor'), tie('value'), { noNullPrototype: true }),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
})).value;

describe('the validator', () => {
  it('agrees with an independent one', { tags: 'slow' }, () => {
    const property = fc.property(schema, leaf, fc.array(value, { minLength: 20 }), (one, other, values) => {
      const whole = { ...(one as object), $defs: { Other: other } };
      let validate: (instance: unknown) => boolean;
      try {
        validate = ajv.compile(whole);
      } catch {
        return;
      }
      const check = checkOf(whole);
      for (const each of values) {
        let found: boolean;
        try {
          found = check(each);
        } catch {
          continue;
        }
        if (validate(each) !== found) expect([whole, each, found]).toBe('judged in the same way');
      }
    });
    fc.assert(property, propertyRuns(500));
  });

  it.each([
    [{ type: 'object', required: ['id'], properties: { id: { type: 'string', format: 'uuid' } } }],
    [{ allOf: [{ $ref: '#/$defs/A' }], $defs: { A: { type: ['object', 'null'], minProperties: 1 } } }],
    [{ properties: { a: { anyOf: [{ type: 'integer', minimum: 0 }, { type: 'null' }] }, id: true } }],
    [{ oneOf: [{ required: ['id'] }, { type: 'string' }, false] }],
    [{ anyOf: [{ multipleOf: 2 }, { required: ['a'] }] }],
    // Strictly, an integer fits both.
    [{ properties: { a: { oneOf: [{ type: 'string' }, { type: 'integer' }, { type: 'number' }] } } }],
  ])('takes what fits: %j', (one) => {
    expect(checkOf(one)({ id: 'd2b4f2a6-51f1-4a5a-9d3f-0f2f8a1b7c3d', a: 0 })).toBe(true);
  });

  it.each([
    [{ type: 'string', oneOf: [{ minLength: 1 }, { maxLength: 9 }] }],
    [{ type: 'integer', multipleOf: 2 }],
    [false],
  ])('refuses what does not fit: %j', (one) => expect(checkOf(one)('a')).toBe(false));

  it.each([
    [{ pattern: '(' }],
    [{ pattern: '^(a+)+$' }],
    [{ $ref: '#/$defs/None' }],
    [{ $ref: 'http://127.0.0.1:9/schema.json' }],
    [{ 'x-payctl-not-checked': true }],
  ])('takes what it cannot check: %j', { tags: 'slow' }, (one) =>
    expect(checkOf(one)(`${'a'.repeat(60)}!`)).toBe(true),
  );

  it('compiles a definition once for all schemas that share it', () => {
    const A = { type: 'string', pattern: '^a' };
    let reads = 0;
    const read = () => {
      reads += 1;
      return A;
    };
    const root = { $defs: Object.defineProperty({}, 'A', { get: read, enumerable: true }) };
    const [one, other] = [{ $ref: '#/$defs/A' }, { items: { $ref: '#/$defs/A' } }];
    expect([checkOf(one, root)('a'), checkOf(other, root)(['a', 'b'])]).toEqual([true, false]);
    expect(reads).toBe(1);
  });
});
