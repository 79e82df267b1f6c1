import { expect, it } from 'vitest';
import { Issues } from '../../src/descriptions/issues.ts';

it('lists issues again after what was read quietly, also where that failed', () => {
  const issues = new Issues();
  const fail = () => {
    issues.add(undefined, 'a', 'A');
    throw new Error('unreadable');
  };
  expect(() => issues.quietly(fail)).toThrow('unreadable');
  issues.add(undefined, 'b', 'B');
  expect(issues.list()).toMatchObject([{ code: 'b' }]);
});
