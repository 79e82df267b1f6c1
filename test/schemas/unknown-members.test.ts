import { describe, expect, it } from 'vitest';
import { undescribedMembers } from '../../src/schemas/unknown-members.ts';

const schema = {
  $ref: '#/$defs/Payment',
  $defs: {
    Payment: {
      type: 'object',
      properties: {
        amount: { type: 'integer' },
        items: { type: 'array', items: { $ref: '#/$defs/Item' } },
        method: { oneOf: [{ properties: { card: {} } }, { properties: { wallet: {} } }] },
        metadata: { type: 'object', additionalProperties: { type: 'string' } },
        parent: { $ref: '#/$defs/Payment' },
      },
    },
    Item: { allOf: [{ properties: { name: {} } }, { properties: { quantity: {} } }] },
  },
};

describe('the members that a schema does not describe', () => {
  it.each([
    [{ amout: 1 }, ['/amout']],
    [{ amount: 1, items: [{ name: 'Tea', qty: 1 }, { qty: 2 }] }, ['/items/0/qty']],
    [{ method: { card: 1, wallet: 2, cash: 3 } }, ['/method/cash']],
    [{ metadata: { anything: 'goes' } }, []],
    [{ parent: { parent: { 'a/b': 1 } } }, ['/parent/parent/a~1b']],
    [{ amount: { of: 'any' } }, []],
    ['a text', []],
  ])('of %j are %j', (body, pointers) => {
    expect(undescribedMembers(schema, body).map(({ pointer }) => pointer)).toEqual(pointers);
  });

  it('are looked for neither without end nor where a schema names no member', () => {
    let deep: unknown = { typo: 1 };
    for (let level = 0; level < 1000; level += 1) deep = { parent: deep };
    expect(undescribedMembers(schema, deep)).toEqual([]);
    expect(undescribedMembers({ type: 'object' }, { a: 1 })).toEqual([]);
    expect(undescribedMembers(true, { a: 1 })).toEqual([]);
  });
});
