import type { Interfaces } from '@oclif/core';

/**
 * The flags that words of a command line name, and those that count without being named: oclif's parser takes several steps for
 * each flag that it is given. All flags, where a word may be more than one of them, or none.
 */
export function namedFlags(flags: Interfaces.FlagInput, argv: readonly string[]): Interfaces.FlagInput {
  const named: Interfaces.FlagInput = {};
  const names: Record<string, string> = {};
  for (const name in flags) {
    const flag = flags[name];
    if (!flag) continue;
    names[`--${name}`] = name;
    if (flag.char !== undefined) names[`-${flag.char}`] = name;
    if (flag.required || flag.env !== undefined || flag.default !== undefined) named[name] = flag;
  }
  for (const word of argv) {
    if (!word.startsWith('-') || word === '-' || word === '--') continue;
    const name = names[word.startsWith('--') ? (word.split('=', 1)[0] ?? word) : word];
    const flag = name === undefined ? undefined : flags[name];
    if (name === undefined || !flag) return flags;
    named[name] = flag;
  }
  return named;
}
