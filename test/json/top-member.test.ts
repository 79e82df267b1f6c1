import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textAt } from '../../src/json/edit.ts';
import { TopMembers } from '../../src/json/top-member.ts';
import { propertyRuns } from '../harness/property-runs.ts';

const NAMES = ['id', 'x"id', '"id', '\\"id', 'id"', 'x"id":1', 'a.id'];

const { members } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(...NAMES),
    fc.nat(9),
    fc.array(tie('value'), { maxLength: 2 }),
    tie('members'),
  ),
  members: fc.dictionary(fc.constantFrom(...NAMES), tie('value'), { maxKeys: 4 }),
}));

describe('TopMembers', () => {
  it('finds what a reader of the whole object finds', () => {
    fc.assert(
      fc.property(members, fc.constantFrom(0, 1), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(new TopMembers(text).find('id', 'id":')).toBe(textAt(text, 'id'));
      }),
      propertyRuns(1000),
    );
  });
});
