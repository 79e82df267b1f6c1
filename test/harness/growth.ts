/** Less than quadratic, with room for what the collector of garbage does. */
export const LINEAR = 24;

/**
 * How many times the CPU time of some work grows as its input grows eightfold: about 8 where it is linear, 64 where it is
 * quadratic, 1 where it does not depend on the input. Counts the CPU time of this thread, so that neither other programs nor the
 * threads of V8 matter. Compiling, and the caches of a busy machine, may have slowed the larger input, so it measures up to twenty
 * times until the growth is below `enough`, and takes the least time of each input.
 */
export async function growthOf(
  work: (size: number) => unknown,
  size: number,
  enough = LINEAR,
): Promise<number> {
  let [large, small] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let attempt = 0; attempt === 0 || (attempt < 20 && large / small >= enough); attempt += 1) {
    large = Math.min(large, await timeOf(() => work(8 * size)));
    small = Math.min(small, await timeOf(() => work(size)));
  }
  return large / small;
}

/** Microseconds of CPU time, by as many repetitions as can be measured. */
async function timeOf(work: () => unknown): Promise<number> {
  for (let count = 1; ; count *= 4) {
    const begin = process.threadCpuUsage();
    for (let each = 0; each < count; each += 1) await work();
    const { user, system } = process.threadCpuUsage(begin);
    if (user + system > 1_000) return (user + system) / count;
  }
}
