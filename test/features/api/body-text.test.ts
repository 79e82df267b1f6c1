import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodyRows } from '../../../src/features/api/body-text.ts';

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const text = { type: 'string' };

describe('the members of a body', () => {
  it('are shown with those in them, by the paths that -F takes', () => {
    const line = object(
      { description: text, amount: { type: 'integer', minimum: 1 } },
      { required: ['amount'] },
    );
    const schema = object(
      {
        customer: { ...text, description: 'Who pays.\nMore.' },
        address: object({
          country: { ...text, minLength: 2, maxLength: 2 },
          geo: object({ lat: { type: 'number' } }),
        }),
        lines: { type: 'array', items: line },
        tags: { type: 'array', items: { enum: ['a', 'b'] } },
        metadata: { type: 'object', additionalProperties: text },
        target: { oneOf: [object({ kind: { const: 'a' } }), object({ kind: { const: 'b' } })] },
        raw: { type: 'object', additionalProperties: true },
        id: { ...text, readOnly: true },
      },
      { required: ['lines'] },
    );
    expect(bodyRows(schema)).toEqual([
      ['customer', 'string. Who pays.'],
      ['address', 'object.'],
      ['address.country', 'string, exactly 2 characters.'],
      ['address.geo', 'object.'],
      ['address.geo.lat', 'number.'],
      ['lines', 'array of object, required.'],
      ['lines[].description', 'string.'],
      ['lines[].amount', 'integer, at least 1, required.'],
      ['tags', 'array of a | b.'],
      ['metadata', 'object of string.'],
      ['target', 'object.'],
      ['raw', 'object.'],
    ]);
  });

  it('end where a schema contains itself, and three levels down', () => {
    const schema = {
      $ref: '#/$defs/Node',
      $defs: {
        Node: object({
          next: { $ref: '#/$defs/Node' },
          all: { type: 'array', items: { $ref: '#/$defs/Leaf' } },
        }),
        Leaf: object({ a: object({ b: object({ c: text }) }), leaf: { $ref: '#/$defs/Leaf' } }),
      },
    };
    expect(bodyRows(schema).map(([path]) => path)).toEqual([
      'next',
      'all',
      'all[].a',
      'all[].a.b',
      'all[].leaf',
    ]);
  });

  it('are only those of the body itself where there are too many', () => {
    const wide = (count: number, part: object) =>
      object(Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, part])));
    expect(bodyRows(wide(70, text))).toHaveLength(70);
    expect(bodyRows(wide(20, wide(20, text))).map(([path]) => path)).toEqual(
      Array.from({ length: 20 }, (_, index) => `m${index}`),
    );
  });

  it('are none of what is no object', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.constant(undefined)), (schema) => {
        expect(Array.isArray(bodyRows(schema))).toBe(true);
      }),
    );
  });
});
