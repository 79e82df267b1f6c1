import type { Interfaces } from '@oclif/core';
import { custom, option } from '@oclif/core/flags';
import { parseDuration } from '../../config/values.ts';
import { UsageError } from '../../errors.ts';
import { listValues, quote } from '../../text/format.ts';

/** What the flags that a function makes parse to, each of which a command may lack. */
export type FlagValues<Make extends (...args: never) => Interfaces.FlagInput> = {
  readonly [Name in keyof ReturnType<Make>]?: ValueOf<ReturnType<Make>[Name]> | undefined;
};

type ValueOf<Flag> = Flag extends Interfaces.BooleanFlag<infer Value> | Interfaces.OptionFlag<infer Value>
  ? Value extends readonly (infer Element)[]
    ? readonly Element[]
    : Value
  : never;

type IntegerLimits = {
  readonly min: number;
  readonly max?: number;
  /** The hint for a number above the maximum, and for `all`. */
  readonly tooMany?: string;
};

/** A flag for a whole number within limits; anything else is refused before anything is sent. */
export const integerFlag = custom<number, IntegerLimits>({
  parse: async (input, _context, { name, min, max, tooMany }) => {
    const value = /^\d{1,15}$/.test(input) ? Number(input) : Number.NaN;
    if (value >= min && value <= (max ?? Number.MAX_SAFE_INTEGER)) return value;
    const range = max === undefined ? `of ${min} or more` : `from ${min} to ${max}`;
    const hint = value > (max ?? value) || /^(\d{16,}|all)$/.test(input) ? tooMany : undefined;
    throw new FlagError(`--${name} must be a whole number ${range}, not ${JSON.stringify(input)}`, hint);
  },
});

/** A flag for text that the service compares with; an empty one would silently mean something else. */
export const textFlag = custom<string, { readonly maxLength?: number }>({
  parse: async (input, _context, { name, maxLength }) => {
    if (input === '') {
      throw new FlagError(`--${name} cannot be empty`, `Remove --${name}, or give it a value.`);
    }
    const length = [...input].length;
    if (maxLength === undefined || length <= maxLength) return input;
    throw new FlagError(`--${name} must have at most ${maxLength} characters, not ${length}`);
  },
});

/** A flag for a comma-separated list of names without blanks; empty names are refused. */
export const listFlag = custom<readonly string[]>({
  parse: async (input, _context, { name }) => {
    const names = splitNames(input);
    if (names.every((part) => part !== '')) return names;
    throw new FlagError(`--${name} must be a comma-separated list of names, not ${JSON.stringify(input)}`);
  },
});

/** A flag for a comma-separated list of names out of `known`; its value has them in that order, each once. */
export function namesFlag<const Name extends string>(known: readonly Name[]) {
  return custom<readonly Name[]>({
    helpValue: 'a,b',
    parse: async (input, _context, { name }) => {
      const names: readonly string[] = splitNames(input);
      const wrong = names.find((one) => !known.some((candidate) => candidate === one));
      if (wrong === undefined) return known.filter((one) => names.includes(one));
      const hint = `Use one or more of ${listValues(known)}, separated by commas.`;
      throw new FlagError(`--${name} cannot be ${quote(wrong)}`, hint);
    },
  });
}

/** The names in a comma-separated list. */
export function splitNames(text: string): readonly string[] {
  return text.split(',').map((part) => part.trim());
}

/** A flag for a duration, which stays as it was typed. */
export const durationFlag = custom<string>({
  parse: async (input, _context, { name }) => {
    parseDuration(input, `--${name}`);
    return input;
  },
});

/** What `readTime` reads, for messages. */
export const TIME_EXAMPLES =
  '1h, 2h30m, 7d, today, 10:00, 10am, yesterday 10:00, 2026-03-01 10:00 or 2026-03-01T10:00:00Z';

/** The flags, which help shows together under this heading. */
export function inGroup<Flags extends Readonly<Record<string, object>>>(
  helpGroup: string,
  flags: Flags,
): Flags {
  for (const flag of Object.values(flags)) Object.assign(flag, { helpGroup });
  return flags;
}

/** What makes a flag one that can be given several times, with one value each time. */
export const repeatable = { multiple: true, multipleNonGreedy: true } as const;

/** A flag with a closed set of values, which completion and help show. */
export { option as choiceFlag };

/** A flag's value that its parser refuses. */
export class FlagError extends UsageError {
  constructor(problem: string, hint?: string) {
    super('bad_flag', problem, { hint });
  }
}
