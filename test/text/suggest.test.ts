import { expect, test } from 'vitest';
import { suggest } from '../../src/text/suggest.ts';

test.each([
  ['emulato', ['emulator', 'production'], 'emulator'],
  ['prodcution', ['emulator', 'production'], 'production'],
  ['EMULATOR', ['emulator'], 'emulator'],
  ['jsno', ['table', 'json', 'ndjson'], 'json'],
  ['prod', ['emulator', 'sandbox'], undefined],
  ['x', ['json'], undefined],
  ['', ['a'], undefined],
  ['a', [], undefined],
])('for %j among %j it suggests %s', (word, candidates, expected) => {
  expect(suggest(word, candidates)).toBe(expected);
});
