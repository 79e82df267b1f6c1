import type { Random } from '../seed/random.ts';

/** What texts and numbers are made with. */
export type Facts = {
  readonly random: Random;
  /** When the record was made, in milliseconds since 1970. */
  readonly atMs: number;
  /** What a record is called in texts, such as `refund`. */
  readonly noun: string;
  /** The record has just been made: nothing happened to it since. */
  readonly isFresh?: boolean;
};

const MOST_NAMES = 10_000;

/** A name in lower case with underscores. */
export const snake = remembering((name) =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .toLowerCase(),
);

/** A function of names that works each out once, for as many as any useful description has. */
export function remembering<T>(work: (name: string) => T): (name: string) => T {
  const results = new Map<string, T>();
  return (name) => {
    if (results.has(name)) return results.get(name) as T;
    const result = work(name);
    if (results.size < MOST_NAMES) results.set(name, result);
    return result;
  };
}
