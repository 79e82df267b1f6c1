import type { Interfaces } from '@oclif/core';
import type { Operation } from '../../contract/operation.ts';
import { formatNamed } from '../../output/formats.ts';
import { flagWords } from '../routing/leading-flags.ts';
import type { Runtime } from '../runtime.ts';
import type { FurtherQuery } from '../session/connect.ts';
import { displayFlags } from './global.ts';

type Values = Readonly<Record<string, unknown>>;

/** Parses the words of one command line, and keeps what only an imported description knows about them. */
export class CommandParser {
  readonly #operation: Operation | undefined;
  readonly #runtime: Runtime;
  #furtherFlags: Interfaces.FlagInput = {};
  #furtherQuery: FurtherQuery | undefined;

  /** `operation` is the one of the command whose parameters an imported description may know better. */
  constructor(operation: Operation | undefined, runtime: Runtime) {
    this.#operation = operation;
    this.#runtime = runtime;
  }

  /** Flags in addition to those of the command. */
  get furtherFlags(): Interfaces.FlagInput {
    return this.#furtherFlags;
  }

  /** The parameters that these flags gave. */
  get furtherQuery(): FurtherQuery | undefined {
    return this.#furtherQuery;
  }

  /**
   * Parses by the flags of the command. Only an unknown flag makes it look at the imported description, which may know further
   * parameters for its operation. @throws what `parse` and the description throw
   */
  async parse<Parsed extends { readonly flags: Values }>(
    flags: Interfaces.FlagInput,
    argv: readonly string[],
    parse: (flags: Interfaces.FlagInput) => Promise<Parsed>,
  ): Promise<Parsed> {
    try {
      return await parse(namedFlags(flags, argv));
    } catch (error) {
      const operation = this.#operation;
      if (!operation) throw error;
      const { isUnknownFlag } = await import('../failure/usage-error.ts');
      if (!isUnknownFlag(error)) throw error;
      const { furtherFlags, readParameters } = await import('./further-flags.ts');
      const { environment } = this.#runtime;
      const taken = Object.keys({ ...flags, ...displayFlags() });
      const further = await furtherFlags(operation, { argv, environment, taken });
      if (!further) throw error;
      this.#furtherFlags = further.flags;
      const parsed = await parse({ ...flags, ...further.flags });
      const options = { query: further.query, runtime: this.#runtime };
      this.#furtherQuery = { operation, query: await readParameters(parsed.flags, further, options) };
      return parsed;
    }
  }
}

/** The words with `--sort -amount` as `--sort=-amount`: the parser of oclif would take the `-m` of `-method` for a flag. */
export function joinSort(argv: readonly string[]): string[] {
  const at = flagWords(argv).indexOf('--sort');
  const value = argv[at + 1] ?? '';
  if (at === -1 || !/^-[^-]/.test(value)) return [...argv];
  return [...argv.slice(0, at), `--sort=${value}`, ...argv.slice(at + 2)];
}

/** The words of a command line without `--watch`, and the interval that it names. */
export type WatchedWords = { readonly argv: readonly string[]; readonly interval: string };

const DEFAULT_INTERVAL = '5s';

/**
 * Takes `--watch`, `--watch 10s` or `--watch=10s` out of the words; undefined where there is none. Before arguments, a number without a
 * unit may be an ID.
 */
export function splitWatch(argv: readonly string[], args: Interfaces.ArgInput): WatchedWords | undefined {
  const pattern = Object.keys(args).length > 0 ? /^\d+[smh]$/ : /^\d/;
  const at = flagWords(argv).findIndex((word) => /^--watch(?:=|$)/.test(word));
  if (at === -1) return undefined;
  const [, joined] = (argv[at] ?? '').split('=');
  const next = joined === undefined && pattern.test(argv[at + 1] ?? '') ? argv[at + 1] : undefined;
  const rest = [...argv.slice(0, at), ...argv.slice(next === undefined ? at + 1 : at + 2)];
  return { argv: rest, interval: joined ?? next ?? DEFAULT_INTERVAL };
}

/** The words of a command line with the format of `--output` as the help spells it: oclif's parser knows no other spellings. */
export function withFormatNames(argv: readonly string[]): string[] {
  const words = [...argv];
  for (const { index, flag, text } of formatWords(argv)) words[index] = flag + (formatNamed(text) ?? text);
  return words;
}

/** The values of `--output`, each with the index of its word and what is before it in the word. */
export function formatWords(argv: readonly string[]) {
  return flagWords(argv).flatMap((word, index, words) => {
    const [, flag = '', joined] = /^(--output=|-o=?)(.+)$/.exec(word) ?? [];
    const text = joined ?? (/^(?:-o|--output)$/.test(words[index - 1] ?? '') ? word : undefined);
    return text === undefined ? [] : [{ index, flag, text }];
  });
}

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
