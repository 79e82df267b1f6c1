import { expect, it } from 'vitest';
import { isObject } from '../../src/json/is-object.ts';

it.each([{}, { a: 1 }, Object.create(null)])('%j is an object', (value) => {
  expect(isObject(value)).toBe(true);
});

it.each([null, undefined, [], ['a'], 'a', '', 1, 0, true, () => {}])('%j is none', (value) => {
  expect(isObject(value)).toBe(false);
});
