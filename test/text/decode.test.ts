import { expect, it } from 'vitest';
import { decodeComponent } from '../../src/text/decode.ts';

it.each([
  ['a%20b%2Fc', 'a b/c'],
  ['%C3%A9', 'é'],
  ['100%', '100%'],
  ['%C3', '%C3'],
  ['', ''],
])('%j is decoded to %j', (text, decoded) => {
  expect(decodeComponent(text)).toBe(decoded);
});
