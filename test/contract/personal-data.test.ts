import { describe, expect, it } from 'vitest';
import { personalDataOf } from '../../src/contract/personal-data.ts';

const of = (schema: unknown, schemas: Record<string, unknown> = {}) =>
  personalDataOf(schema, { components: { schemas } });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const personal = { type: 'string', 'x-personal-data': true };

describe('personalDataOf', () => {
  it('finds nothing where nothing is marked', () => {
    for (const schema of [undefined, true, {}, { properties: { a: { type: 'string' } } }, ref('None')]) {
      expect(of(schema)).toBeUndefined();
    }
  });

  it('follows members, elements, alternatives and references', () => {
    const schemas = {
      Page: { properties: { items: { type: 'array', items: ref('Item') }, limit: {} } },
      Item: { allOf: [{ properties: { name: personal } }, { oneOf: [ref('Extra'), { type: 'null' }] }] },
      Extra: { properties: { born: personal }, additionalProperties: personal },
    };
    expect(of(ref('Page'), schemas)).toEqual({ items: { name: true, born: true, '*': true } });
  });

  it('marks everything in a schema that is marked, but what is marked false', () => {
    const tax = { properties: { kind: { 'x-personal-data': false }, value: {} } };
    const person = { 'x-personal-data': true, properties: { tax, name: {} } };
    expect(of({ properties: { person } })).toEqual({
      person: { tax: { kind: false, '*': true }, '*': true },
    });
    expect(of({ 'x-personal-data': true, properties: { name: {} } })).toEqual({ '*': true });
  });

  it('reads marks beside a reference', () => {
    const schemas = { Address: { properties: { city: {} } } };
    expect(of({ properties: { home: { ...ref('Address'), 'x-personal-data': true } } }, schemas)).toEqual({
      home: true,
    });
    expect(of({ properties: { home: { ...ref('Address'), 'x-personal-data': false } } }, schemas)).toEqual({
      home: false,
    });
  });

  it('ends where a schema holds itself', () => {
    const schemas = { Node: { properties: { name: personal, children: { items: ref('Node') } } } };
    expect(of(ref('Node'), schemas)).toEqual({ name: true });
  });

  it('reads names with slashes and tildes in references', () => {
    expect(of(ref('a~1b~0c'), { 'a/b~c': { properties: { x: personal } } })).toEqual({ x: true });
  });
});
