import type { Random } from '../seed/random.ts';

/** What the generators of texts and numbers know about a record. */
export type Facts = {
  readonly random: Random;
  /** When the record was created, in milliseconds since 1970. */
  readonly atMs: number;
  /** The name of the kind of record in texts, such as `refund`. */
  readonly noun: string;
  /** The record was just created: nothing has happened to it since. */
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

/** A function of names that computes each result once, for as many names as any useful description has. */
export function remembering<T>(work: (name: string) => T): (name: string) => T {
  const results = new Map<string, T>();
  return (name) => {
    if (results.has(name)) return results.get(name) as T;
    const result = work(name);
    if (results.size < MOST_NAMES) results.set(name, result);
    return result;
  };
}
