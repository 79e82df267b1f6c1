import { expect, it } from 'vitest';
import { createQueryCache } from '../../../src/emulator/store/database.ts';

it('reads once per name until a refresh finds another version', () => {
  let version = '1';
  let reads = 0;
  const { cached, refresh } = createQueryCache(() => version);
  const read = () => cached('a', () => ++reads);
  refresh();
  expect([read(), read()]).toEqual([1, 1]);
  refresh();
  expect(read()).toBe(1);
  version = '2';
  expect(read()).toBe(1);
  refresh();
  expect([read(), cached('b', () => undefined), cached('b', () => 1)]).toEqual([2, undefined, undefined]);
});

it('keeps the last 100 answers, and none of a read that failed', () => {
  const { cached } = createQueryCache(() => '');
  expect(() =>
    cached('x', () => {
      throw new Error('failed');
    }),
  ).toThrow('failed');
  for (let n = 0; n <= 100; n += 1) cached(`${n}`, () => n);
  expect(cached('0', () => 'read again')).toBe('read again');
  expect(cached('100', () => 'read again')).toBe(100);
});
