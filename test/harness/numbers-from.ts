import { createRandom } from '../../src/text/random.ts';

/** Numbers from 0 to 1 that are the same in each run. */
export function numbersFrom(seed: number): () => number {
  const { below } = createRandom(seed);
  return () => below(2 ** 32) / 2 ** 32;
}
