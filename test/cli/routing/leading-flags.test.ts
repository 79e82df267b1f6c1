import { describe, expect, it } from 'vitest';
import { connectionFlags, displayFlags } from '../../../src/cli/flags/global.ts';
import {
  commandLine,
  isLeadingFlag,
  LEADING_FLAGS,
  splitLeadingFlags,
} from '../../../src/cli/routing/leading-flags.ts';

type Flag = { readonly type: string; readonly char?: string | undefined };
const SHARED: Readonly<Record<string, Flag>> = { ...displayFlags(), ...connectionFlags() };

describe('the flags that may stand before the command', () => {
  it('are those that commands share', () => {
    expect([...LEADING_FLAGS].sort()).toEqual(Object.keys(SHARED).sort());
  });

  it.each(Object.entries(SHARED))('take a value as the parser says: --%s', (name, { type, char }) => {
    const words = [`--${name}`, ...(char === undefined ? [] : [`-${char}`])];
    for (const word of words) {
      const expected = type === 'boolean' ? ['VALUE', 'buyers'] : ['buyers'];
      expect(splitLeadingFlags([word, 'VALUE', 'buyers']).rest).toEqual(expected);
    }
  });

  it('become settings where the parser of the command does not read them', () => {
    const words = ['--base-url=http://a', '-v', '-mM', '-m=M', '--timeout', '5s', '-o', 'json', 'list'];
    const { flags, rest } = splitLeadingFlags(words);
    const isParsed = (name: string) => name === 'verbose' || name === 'output';
    expect(commandLine({ leading: flags, rest }, isParsed)).toEqual({
      argv: ['-v', '-o', 'json', 'list'],
      settings: { 'base-url': 'http://a', 'merchant-account': 'M', timeout: '5s' },
    });
  });

  it.each([
    ['--base-url', true],
    ['-m', true],
    ['--limit', false],
    ['-x', false],
  ])('are known: %s %s', (word, isKnown) => {
    expect(isLeadingFlag(word)).toBe(isKnown);
  });
});
