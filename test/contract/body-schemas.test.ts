import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodySchemas } from '../../src/contract/generated/body-schemas.ts';
import document from '../../src/contract/generated/description.json' with { type: 'json' };
import { type Operation, operations } from '../../src/contract/generated/operations.ts';
import { validateBody } from '../../src/emulator/http/validate-body.ts';
import { isObject } from '../../src/json/is-object.ts';
import { checkOf, explain } from '../../src/schemas/validator.ts';
import { propertyRuns } from '../harness/property-runs.ts';

type Schema = Readonly<Record<string, unknown>>;
type Name = keyof typeof bodySchemas;

const names = Object.keys(bodySchemas) as Name[];
const schemas: Readonly<Record<string, Schema>> = document.components.schemas;
const problemsOf = (name: Name, body: unknown) => explain(checkOf(bodySchemas[name]), body).problems;

/** The description with the assumed limits in force. */
const service = JSON.parse(JSON.stringify(document), (_, part) =>
  isObject(part) && isObject(part['x-assumed']) ? { ...part, ...part['x-assumed'] } : part,
);

/** What Ajv finds, as pointer and keyword; of a value that may be null, what is wrong with its other form is enough. */
function byAjv(root: object, validateFormats: boolean) {
  const ajv = new Ajv2020({ strict: false, allErrors: true, ownProperties: true, validateFormats });
  (addFormats as unknown as (instance: Ajv2020) => void)(ajv);
  ajv.addSchema(root, 'contract');
  return (name: Name, value: unknown) => {
    const validate = ajv.getSchema(`contract#/components/schemas/${name}`);
    validate?.(value);
    const relevant = (validate?.errors ?? []).filter(
      ({ keyword, params, schemaPath }) =>
        keyword !== 'anyOf' && !(params.type === 'null' && schemaPath.includes('/anyOf/')),
    );
    return relevant.map(({ instancePath, keyword }) => `${instancePath} ${keyword}`).sort();
  };
}

const TEXTS = [
  ...['', 'a', '+4722225555', '4722', 'NO', 'no', 'NO-03', 'x'.repeat(51), 'x'.repeat(101), 'é'.repeat(255)],
  ...['😀'.repeat(256), 'x'.repeat(321), '2026-02-28', '2026-02-30', '2026-02-28T09:30:00+00:00'],
  ...['2026-02-28T24:00:00Z', '2026-02-28T09:30:00'],
];

/** Values that may fit the schema, and values that do not. */
function valuesFor(schema: Schema): fc.Arbitrary<unknown> {
  const { $ref, anyOf, properties, items } = schema;
  if (typeof $ref === 'string') return valuesFor(schemas[$ref.replace(/^.*\//, '')] ?? {});
  if (Array.isArray(anyOf)) return fc.oneof(...anyOf.map(valuesFor));
  const other = fc.constantFrom<unknown>(null, true, 7, 1.5, 1e21, [], {}, ...TEXTS);
  if (isObject(items)) return fc.oneof(fc.array(valuesFor(items), { maxLength: 3 }), other);
  if (!isObject(properties)) return fc.oneof(other, fc.dictionary(fc.string(), other));
  const members = Object.entries(properties).map(([name, part]) => [name, valuesFor(part as Schema)]);
  const known = fc.record(Object.fromEntries(members), { requiredKeys: [] });
  const all = fc.tuple(known, fc.dictionary(fc.constantFrom('new', '__proto__', 'toString'), other));
  return fc.oneof({ weight: 9, arbitrary: all.map(([one, two]) => ({ ...one, ...two })) }, other);
}

describe('the check of a body of the contract', () => {
  const ofService = byAjv(service, true);
  const ofClient = byAjv(document, false);

  it.each(names)(
    'finds what Ajv finds, with and without what is left to the service: %s',
    { tags: 'slow' },
    (name) => {
      const property = fc.property(valuesFor(schemas[name] ?? {}), (body) => {
        const found = problemsOf(name, body).map(({ pointer, keyword }) => `${pointer} ${keyword}`);
        expect(found.sort()).toEqual(ofClient(name, body));
        const pointers = validateBody(name, body).map(({ pointer }) => pointer);
        expect(pointers.sort()).toEqual(ofService(name, body).map((one) => one.replace(/ .*/, '')));
      });
      fc.assert(property, propertyRuns(300));
    },
  );

  it('compares bodies that break every keyword of the contract', { tags: 'slow' }, () => {
    const broken = new Set<string>();
    for (const name of names)
      for (const body of fc.sample(valuesFor(schemas[name] ?? {}), { numRuns: 100, seed: 1 }))
        for (const one of ofService(name, body)) broken.add(one.replace(/^.* /, ''));
    expect([...broken].sort()).toEqual(['format', 'maxLength', 'minLength', 'pattern', 'type']);
  });

  it.each<[Name, object, string]>([
    ['CheckoutSessionUpdate', { airline: { issued_at: '17.05.1988' } }, 'value_error.datetime'],
    ['CheckoutSessionUpdate', { airline: { passengers: [{ date_of_birth: 'x' }] } }, 'value_error.date'],
    ['ShippingDetailCreate', { address: { city: 'x'.repeat(101) } }, 'value_error.any_str.max_length'],
    ['ShippingDetailCreate', { address: { country: 'no' } }, 'value_error.str.regex'],
  ])('leaves dates, times and assumed limits to the service: %s %j', (name, body, type) => {
    expect(problemsOf(name, body)).toEqual([]);
    expect(validateBody(name, body).map((detail) => detail.type)).toEqual([type]);
  });

  it.each([
    ['x'.repeat(255), true],
    ['😀'.repeat(255), true],
    [`${'😀'.repeat(255)}x`, false],
    ['\uD83D'.repeat(256), false],
    ['\uDE00'.repeat(255), true],
  ])('counts characters, not UTF-16 units: %#', (first_name, isValid) => {
    expect(problemsOf('ShippingDetailCreate', { first_name })).toHaveLength(isValid ? 0 : 1);
  });

  it('is there for each operation with a body', () => {
    const all: readonly Operation[] = Object.values(operations);
    expect(names).toEqual(all.flatMap(({ bodySchema }) => bodySchema ?? []));
  });
});
