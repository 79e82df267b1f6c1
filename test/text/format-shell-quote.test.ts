import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shellQuote } from '../../src/text/format.ts';

test.each([
  ['/home/ann/.config/payctl/profiles.json', '/home/ann/.config/payctl/profiles.json'],
  ['key_1+2.pem', 'key_1+2.pem'],
  ['-rf', '-rf'],
  ['', "''"],
  ["it's", "'it'\\''s'"],
  ['$(rm x)', "'$(rm x)'"],
  ['C:\\Users\\Ann', "'C:\\Users\\Ann'"],
  ['~/key', "'~/key'"],
  ['a\nb', "'a\nb'"],
])('%j is written %s', (path, word) => {
  expect(shellQuote(path)).toBe(word);
});

test.skipIf(process.platform === 'win32')('a shell takes every path as it is', () => {
  const unit = fc.constantFrom(...'ab/.-\'"\\$`!*?[]{}()<>|&;~# \t\n=%^,:@ü');
  const paths = fc.sample(fc.string({ unit, maxLength: 12 }), 500);
  const script = `printf '%s\\0' ${paths.map(shellQuote).join(' ')}`;
  const { stdout } = spawnSync('sh', ['-c', script], { encoding: 'utf8' });
  expect(stdout.split('\0').slice(0, -1)).toEqual(paths);
});
