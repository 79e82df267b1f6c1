import {
  type Arbitrary,
  anything,
  array,
  assert,
  asyncProperty,
  constant,
  constantFrom,
  integer,
  oneof,
  record,
  string,
} from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PayctlError } from '../../src/errors.ts';
import { readyBody } from '../../src/features/api/body.ts';
import { parseKeepingNumbers } from '../../src/json/exact.ts';
import { plainCheck } from '../../src/schemas/plain-check.ts';
import { growthOf, LINEAR } from '../harness/growth.ts';
import { propertyRuns } from '../harness/property-runs.ts';

const payment = {
  $ref: '#/$defs/Payment',
  $defs: {
    Payment: {
      type: 'object',
      required: ['amount', 'currency'],
      properties: {
        amount: { type: 'integer', minimum: 1, maximum: 99_999_999 },
        currency: { type: 'string', pattern: '^[A-Z]{3}$', minLength: 3, maxLength: 3 },
        intent: { enum: ['authorize', 'capture'] },
        buyer_id: { anyOf: [{ type: 'string', format: 'uuid' }, { type: 'null' }] },
        rate: { type: ['number', 'null'], exclusiveMinimum: 0 },
        is_test: { type: 'boolean' },
        address: { $ref: '#/$defs/Address' },
        metadata: { type: 'object', additionalProperties: { type: 'string', maxLength: 5 } },
        slow: { type: 'string', pattern: '^(a+)+$' },
        other: { type: 'string', not: { const: 'x' } },
        tags: { type: 'array', items: { type: 'string' } },
      },
    },
    Address: { properties: { city: { type: 'string', title: 'City', default: 'Berlin' } } },
  },
};
const least = { amount: 500, currency: 'EUR' };

describe('plainCheck', () => {
  it.each([
    least,
    { ...least, intent: 'capture', buyer_id: null },
    { ...least, buyer_id: 'fe26475d-ec3e-4884-9553-f7356683f7f9', rate: 0.5, is_test: false },
    { ...least, address: { city: '' }, metadata: { order: '12345', é: '' } },
  ])('accepts %j', (body) => {
    expect(plainCheck(payment)?.(body)).toBe(true);
  });

  it.each([
    { amount: 500 },
    { ...least, amount: 0 },
    { ...least, amount: '5.00EUR' },
    { ...least, amount: 2 ** 53 },
    { ...least, amount: 1.5 },
    parseKeepingNumbers('{"amount":5.00,"currency":"EUR"}'),
    { ...least, amount: 500n },
    { ...least, currency: 'eur' },
    { ...least, intent: 'Capture' },
    { ...least, buyer_id: 'x' },
    { ...least, rate: 0 },
    { ...least, ammount: 1 },
    { ...least, address: { town: 'Bonn' } },
    { ...least, metadata: { order: '123456' } },
    // Valid, but left to the check whose time is limited, or that knows these keywords.
    { ...least, slow: 'a' },
    { ...least, other: 'y' },
    { ...least, tags: [] },
    [],
    undefined,
  ])('leaves the rest to the full check: case %#', (body) => {
    expect(plainCheck(payment)?.(body)).toBe(false);
  });

  it.each([
    { ...payment.$defs.Payment, dependentRequired: { amount: ['rate'] } },
    { ...payment.$defs.Payment, minProperties: 9 },
    { ...payment, required: ['rate'] },
    { $ref: '#/$defs/Nowhere' },
    true,
    undefined,
  ])('does not read a schema with other rules: case %#', (schema) => {
    expect(plainCheck(schema)?.(least) ?? false).toBe(false);
  });

  it('is made in time that is linear in the members that refer to their own schema', async () => {
    const nested = (count: number) => ({
      properties: Object.fromEntries(
        Array.from({ length: count }, (_, index) => [`m${index}`, { $ref: '#' }]),
      ),
    });
    expect(plainCheck(nested(2))?.({ m0: { m1: {} } })).toBe(true);
    expect(await growthOf((count) => plainCheck(nested(count)), 10)).toBeLessThan(LINEAR);
  });

  it('changes nothing about what becomes of a body', { tags: 'slow' }, async () => {
    await assert(
      asyncProperty(schemas, bodies, async (requestSchema, body) => {
        const fast = await outcomeOf(body, requestSchema, plainCheck(requestSchema));
        expect(fast).toEqual(await outcomeOf(body, requestSchema));
      }),
      propertyRuns(3000),
    );
  });
});

/** The body as it is sent and the warnings, or the error. */
async function outcomeOf(body: unknown, requestSchema: unknown, isPlain?: ReturnType<typeof plainCheck>) {
  const warnings: string[] = [];
  const display = { warn: (_: string, text: string) => void warnings.push(text), info: () => {} };
  const described = { id: 'create', method: 'POST', requestSchema } as const;
  try {
    const ready = await readyBody(body, described, {
      session: { display, record: async () => ({ state: 'none' }) },
      path: () => '/payments',
      isPlain,
    });
    return warnings.length > 0 ? { body: ready, warnings } : { body: ready };
  } catch (error) {
    if (!(error instanceof PayctlError)) throw error;
    return { code: error.code, message: error.message };
  }
}

const keywords: Arbitrary<object> = constantFrom<object[]>(
  ...[{}, {}, {}, { minLength: 2 }, { maxLength: 3 }, { pattern: '^[a-z]+$' }, { pattern: '(a|b)' }],
  ...[{ format: 'uuid' }, { format: 'date' }, { format: 'email' }, { format: 'color' }],
  ...[{ minimum: 1 }, { maximum: 10 }, { exclusiveMinimum: 0 }, { multipleOf: 5 }, { enum: ['a', 1, 'EUR'] }],
  ...[{ const: 'EUR' }, { enum: [5, 7] }, { not: { const: 'a' } }, { nullable: true }, { minimum: '1' }],
);
const scalars = oneof(
  record({
    type: constantFrom<unknown[]>(
      ...['string', 'integer', 'number', 'boolean', 'null', 'array', 'object'],
      ...[['string', 'null'], ['integer', 'string'], ['integer', 'number'], undefined],
    ),
    keywords,
  }).map(({ type, keywords: more }) => (type === undefined ? more : { type, ...more })),
  constantFrom<unknown[]>(true, false, { $ref: '#/$defs/Text' }, { $ref: '#/$defs/None' }, { items: {} }),
);
const values = oneof(
  scalars,
  record({ name: constantFrom('anyOf', 'oneOf', 'allOf'), parts: array(scalars, { maxLength: 3 }) }).map(
    ({ name, parts }) => ({ [name]: parts }),
  ),
);
const NAMES = ['amount', 'currency', 'total', 'note', 'inner'];
const objects = (member: Arbitrary<unknown>): Arbitrary<object> =>
  record({
    members: array(record({ name: constantFrom(...NAMES), schema: member }), { maxLength: 4 }),
    more: constantFrom<object[]>(
      ...[{}, {}, {}, { type: 'object' }, { required: ['amount'] }, { additionalProperties: false }],
      ...[{ additionalProperties: { type: 'string' } }, { additionalProperties: true }, { maxProperties: 2 }],
      ...[{ patternProperties: { '^a': { type: 'string' } } }, { dependentRequired: { note: ['amount'] } }],
      ...[
        { if: { required: ['note'] }, else: { required: ['total'] } },
        { discriminator: { propertyName: 'note' } },
      ],
    ),
  }).map(({ members, more }) => {
    return { properties: Object.fromEntries(members.map(({ name, schema }) => [name, schema])), ...more };
  });
const schemas = objects(oneof(values, values, objects(values))).map((schema) => ({
  ...schema,
  $defs: { Text: { type: 'string', maxLength: 4 } },
}));

const leaves = oneof(
  constantFrom<unknown[]>(
    'a',
    'EUR',
    'abc',
    '5.00EUR',
    '5',
    '1,000',
    '',
    null,
    true,
    'fe26475d-ec3e-4884-9553-f7356683f7f9',
    '2026-01-31',
  ),
  constantFrom<unknown[]>(0, 1, 5, 7, 0.5, -3, 1e21, 2 ** 53, 12n, [], {}),
  constantFrom('5.00', '1e2', '-0', '1e400').map((text) => parseKeepingNumbers(`{"a":${text}}`).a),
  integer({ min: -2, max: 12 }),
  string({ maxLength: 4 }),
);
const bodyOf = (member: Arbitrary<unknown>) =>
  array(record({ name: oneof(constantFrom(...NAMES), constantFrom('amuont', '__proto__')), value: member }), {
    maxLength: 4,
  }).map((members) => Object.fromEntries(members.map(({ name, value }) => [name, value])));
const bodies: Arbitrary<unknown> = oneof(
  {
    weight: 12,
    arbitrary: bodyOf(oneof({ weight: 4, arbitrary: leaves }, { weight: 1, arbitrary: bodyOf(leaves) })),
  },
  { weight: 1, arbitrary: oneof(constant([]), leaves) },
  {
    weight: 1,
    arbitrary: anything({ maxDepth: 1, key: constantFrom(...NAMES), values: [leaves] }).map(
      (value) => value ?? null,
    ),
  },
);
