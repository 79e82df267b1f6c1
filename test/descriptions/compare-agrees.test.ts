import {
  type Arbitrary,
  array,
  assert,
  constant,
  constantFrom,
  letrec,
  oneof,
  property,
  record,
  tuple,
  uniqueArray,
} from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SchemaComparison } from '../../src/descriptions/compare-schemas.ts';
import { isObject } from '../../src/json/is-object.ts';
import { checkOf, explain } from '../../src/schemas/validator.ts';
import { propertyRuns } from '../harness/property-runs.ts';
import type { Json } from './describe.ts';

type Schema = Json;

const keyword = (name: string, ...values: unknown[]): Arbitrary<Schema> =>
  oneof(
    constant({}),
    constantFrom(...values).map((value) => ({ [name]: value })),
  );
const joined = (type: string, ...keywords: Arbitrary<Schema>[]): Arbitrary<Schema> =>
  array(oneof(...keywords), { maxLength: 2 }).map((parts) => Object.assign({ type }, ...parts));

const text = joined(
  'string',
  keyword('format', 'uuid', 'date', 'color'),
  keyword('pattern', '^a', '^[a-z]+$'),
  keyword('enum', ['a', 'ab'], ['ab', 'card']),
  keyword('const', 'card', 'ab'),
  keyword('minLength', 1, 3),
  keyword('maxLength', 2, 36),
);
const number = (type: string) =>
  joined(type, keyword('minimum', 0, 3), keyword('maximum', 4, 100), keyword('multipleOf', 2, 3));

/** Schemas as descriptions have them, not deeper than two levels. */
const { schema } = letrec<{ schema: Schema; flat: Schema; branch: Schema }>((tie) => ({
  flat: oneof(text, number('integer'), number('number'), constant({ type: 'boolean' }), constant({})),
  branch: oneof(tie('flat'), objectOf(tie('flat') as Arbitrary<Schema>)),
  schema: oneof(
    tie('flat'),
    objectOf(oneof(tie('flat') as Arbitrary<Schema>, objectOf(tie('flat') as Arbitrary<Schema>))),
    record({ type: constant('array'), items: tie('flat') }),
    keyword('uniqueItems', true).map((rule) => ({ type: 'array', ...rule })),
    uniqueArray(tie('branch'), { minLength: 1, maxLength: 3, selector: (one) => JSON.stringify(one) }).map(
      (anyOf) => ({ anyOf }),
    ),
    objectOf(tie('branch') as Arbitrary<Schema>),
  ),
}));

function objectOf(member: Arbitrary<Schema>): Arbitrary<Schema> {
  return record({
    members: array(record({ name: constantFrom('kind', 'm', 'n'), schema: member }), { maxLength: 3 }),
    required: uniqueArray(constantFrom('kind', 'm'), { maxLength: 2 }),
    closed: constantFrom(
      {},
      {},
      { additionalProperties: false },
      { additionalProperties: { type: 'string' } },
    ),
  }).map(({ members, required, closed }) => {
    const properties = Object.fromEntries(members.map(({ name, schema }) => [name, schema]));
    return {
      type: 'object',
      properties,
      required: required.filter((name) => Object.hasOwn(properties, name)),
      ...closed,
    };
  });
}

const SCALARS = [
  null,
  true,
  'a',
  'ab',
  'card',
  'bbbb',
  '2026-01-31',
  '7a3f9c10-1b2c-4d5e-8f90-a1b2c3d4e5f6',
  0,
  1,
  3,
  4,
  6,
  7,
  1.5,
  200,
];
const OBJECTS = [
  {},
  ...SCALARS.flatMap((one) => [
    { m: one },
    { kind: one },
    { kind: 'card', m: one },
    { kind: 'ab', n: one, m: 'a' },
  ]),
];
/** Bodies of every shape that the schemas describe. */
const BODIES: readonly unknown[] = [
  ...SCALARS,
  ...OBJECTS,
  ...OBJECTS.map((one) => ({ m: one })),
  [],
  ['a', 'a'],
  ...SCALARS.map((one) => [one]),
];

const names = (one: unknown): readonly string[] => {
  if (typeof one !== 'object' || one === null) return [];
  const own = Array.isArray(one) ? [] : Object.keys(one);
  return [...own, ...Object.values(one).flatMap(names)];
};

/** The schema without fields that it does not name: who sends one cannot rely on it. */
const closed = (one: unknown): unknown => {
  if (Array.isArray(one)) return one.map(closed);
  if (!isObject(one)) return one;
  const parts = Object.fromEntries(Object.entries(one).map(([name, part]) => [name, closed(part)]));
  return isObject(one.properties) ? { additionalProperties: false, ...parts } : parts;
};

/** Two schemas of which only a part differs, and two that have nothing to do with each other. */
const pairs = oneof(
  tuple(schema, schema),
  record({
    one: schema,
    other: schema,
    third: schema,
    place: constantFrom('member', 'items', 'branch', 'added'),
  }).map(({ one, other, third, place }): [Schema, Schema] => {
    const around = (inner: Schema): Schema => {
      if (place === 'member') return { type: 'object', properties: { m: inner, n: third } };
      if (place === 'items') return { type: 'array', items: inner };
      return { anyOf: [inner, third] };
    };
    return [around(one), place === 'added' ? { anyOf: [other, one, third] } : around(other)];
  }),
);

/** What `isValidBody` says, without its limit of time. */
function isValid(schema: unknown, body: unknown): boolean {
  const { problems, unchecked } = explain(checkOf(schema), body);
  return problems.length === 0 && unchecked === undefined;
}

describe('api diff and the check of bodies', () => {
  it('agree: a body that was accepted and is refused now has a breaking change', { tags: 'slow' }, () => {
    assert(
      property(pairs, ([old, now]) => {
        const isBreaking = new SchemaComparison(new Map(), new Map(), 'request')
          .changes(old, now, 'body')
          .some(({ breaking }) => breaking);
        if (isBreaking) return;
        const [known, named] = [JSON.stringify(old), closed(old)];
        const refused = BODIES.filter((body) => names(body).every((name) => known.includes(`"${name}"`)))
          .filter((body) => isValid(named, body))
          .filter((body) => !isValid(now, body));
        expect(refused).toEqual([]);
      }),
      propertyRuns(3_000),
    );
  });
});
