import type { Random } from '../../text/random.ts';
import { oncePerName, oncePerObject } from '../memoize.ts';

/** What the generators of texts and numbers know about a record. */
export type Facts = {
  readonly random: Random;
  /** When the record was created, in milliseconds since 1970. */
  readonly atMs: number;
  /** The name of the kind of record in texts, such as `refund`. */
  readonly noun: string;
  /** The record was just created: it has only required members, with the smallest values that the schema allows. */
  readonly isFresh?: boolean;
  /** Nothing has happened to the record later than this, in milliseconds since 1970. */
  readonly untilMs?: number;
};

/** A name in lower case with underscores. */
export const snake = oncePerName((name) =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .toLowerCase(),
);

/** The name of the member that a request names, perhaps in another notation. */
export function memberNamed(members: ReadonlyMap<string, unknown>, name: string): string | undefined {
  return members.has(name) ? name : namesOf(members).get(snake(name));
}

const namesOf = oncePerObject(
  (members: ReadonlyMap<string, unknown>) => new Map([...members.keys()].map((name) => [snake(name), name])),
);
