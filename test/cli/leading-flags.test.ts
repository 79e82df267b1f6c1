import { describe, expect, it } from 'vitest';
import { connectionFlags, displayFlags } from '../../src/cli/flags/global.ts';
import { LEADING_FLAGS, splitLeadingFlags } from '../../src/cli/leading-flags.ts';

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
});
