import { expect, it } from 'vitest';
import { personalMarks } from '../../src/descriptions/response-marks.ts';
import type { AnySchema } from '../../src/schemas/definitions.ts';
import { viewsIn } from '../../src/schemas/schema-view.ts';

const ref = (name: string) => ({ $ref: `#/$defs/${name}` });
const personal = { type: 'string', 'x-personal-data': true };
const tax = { properties: { kind: { 'x-personal-data': false }, value: {} } };
const $defs = {
  Page: { properties: { items: { type: 'array', items: ref('Item') }, limit: {} } },
  Item: { allOf: [{ properties: { name: personal } }, { oneOf: [ref('Extra'), { type: 'null' }] }] },
  Extra: { properties: { born: personal }, additionalProperties: personal },
  Address: { properties: { city: {} } },
  Node: { properties: { name: personal, children: { items: ref('Node') } } },
};

it.each<[what: string, schema: AnySchema, marks: unknown]>([
  ['nothing where nothing is marked', { properties: { a: { type: 'string' } } }, undefined],
  ['nothing behind a broken reference', ref('None'), undefined],
  ['members, elements, alternatives', ref('Page'), { items: { name: true, born: true, '*': true } }],
  [
    'everything in a schema that is marked, but what is marked false',
    { properties: { person: { 'x-personal-data': true, properties: { tax, name: {} } } } },
    { person: { tax: { kind: false, '*': true }, '*': true } },
  ],
  ['a schema as a whole', { 'x-personal-data': true, properties: { name: {} } }, true],
  [
    'marks beside a reference',
    {
      properties: {
        home: { ...ref('Address'), 'x-personal-data': true },
        work: { ...ref('Address'), 'x-personal-data': false },
      },
    },
    { home: true, work: false },
  ],
  ['a schema that holds itself, once', ref('Node'), { name: true }],
])('personal data: %s', (_, schema, marks) => {
  expect(personalMarks(viewsIn({ $defs }).of(schema))).toEqual(marks);
});
