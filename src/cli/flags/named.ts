import type { Interfaces } from '@oclif/core';

/**
 * The flags that words of a command line name, and those that count without being named, in their order: oclif's parser takes
 * several steps for each flag that it is given. All flags, where a word may be more than one of them, or none.
 */
export function namedFlags(flags: Interfaces.FlagInput, argv: readonly string[]): Interfaces.FlagInput {
  const wanted = new Set<string>();
  const names: Record<string, string> = {};
  for (const name in flags) {
    const flag = flags[name];
    if (!flag) continue;
    names[`--${name}`] = name;
    if (flag.char !== undefined) names[`-${flag.char}`] = name;
    if (flag.required || flag.env !== undefined || flag.default !== undefined) wanted.add(name);
  }
  for (const word of argv) {
    if (!word.startsWith('-') || word === '-' || word === '--') continue;
    const name = names[word.startsWith('--') ? (word.split('=', 1)[0] ?? word) : word];
    if (name === undefined) return flags;
    wanted.add(name);
  }
  const named: Interfaces.FlagInput = {};
  for (const name in flags) {
    const flag = flags[name];
    if (flag && wanted.has(name)) named[name] = flag;
  }
  return named;
}
