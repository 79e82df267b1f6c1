import { describe, expect, it } from 'vitest';
import { completedMembers } from '../../../src/features/api/completed-members.ts';

describe('completedMembers', () => {
  it('lists what -F may set, by its path and with the values that there are', () => {
    const schema = {
      allOf: [{ $ref: '#/$defs/Base' }],
      properties: {
        status: { enum: ['active', 'no more', '@/etc/passwd', '-', '', null] },
        capture: { type: 'boolean' },
        tags: { type: 'array', items: { type: 'string' } },
        'a.b': { type: 'string' },
        'with space': {},
        'json:': {},
        'a=b': {},
        buyer: { $ref: '#/$defs/Buyer' },
        items: { type: 'array', items: { properties: { name: {} } } },
      },
      $defs: {
        Base: { properties: { amount: { type: 'integer' } } },
        Buyer: { properties: { name: {}, friend: { $ref: '#/$defs/Buyer' } } },
      },
    };
    const members = completedMembers(schema);
    expect(members.slice(0, 13)).toEqual([
      'status=',
      'status=active',
      'status=no more',
      'capture=',
      'capture=true',
      'capture=false',
      'tags[]=',
      'a\\.b=',
      'with space=',
      'amount=',
      'buyer.name=',
      'items[0].name=',
      'buyer.friend.name=',
    ]);
    expect(members.length).toBeLessThan(20);
  });

  it('has an @ for a file of a body of parts', () => {
    const file = { type: 'string', format: 'binary' };
    const schema = {
      properties: { file, more: { type: 'array', items: file }, csv: { contentMediaType: 'text/csv' } },
    };
    expect(completedMembers(schema, true)).toEqual(['file=@', 'more[]=@', 'csv=@']);
    expect(completedMembers(schema)).toEqual(['file=', 'more[]=', 'csv=']);
  });

  it('has nothing for a body that is not described', () => {
    expect(completedMembers(undefined)).toEqual([]);
  });
});
