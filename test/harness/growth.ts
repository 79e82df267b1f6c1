/**
 * How many times the CPU time of some work grows as its input grows eightfold: about 8 where it is linear, 64 where it is
 * quadratic, 1 where it does not depend on the input. Counts the CPU time of this thread, so that neither other programs nor the
 * threads of V8 matter. Takes the least time of several measurements: three where the growth is plainly linear, more where the
 * caches of a busy machine may have slowed the larger input.
 */
export async function growthOf(work: (size: number) => unknown, size: number): Promise<number> {
  let [large, small] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let attempt = 0; attempt < 3 || (attempt < 20 && large / small > LINEAR / 2); attempt += 1) {
    large = Math.min(large, await timeOf(() => work(8 * size)));
    small = Math.min(small, await timeOf(() => work(size)));
  }
  return large / small;
}

/** Less than quadratic, with room for what the collector of garbage does. */
export const LINEAR = 24;

/** Microseconds of CPU time, by as many repetitions as can be measured. */
async function timeOf(work: () => unknown): Promise<number> {
  for (let count = 1; ; count *= 4) {
    const begin = process.threadCpuUsage();
    for (let each = 0; each < count; each += 1) await work();
    const { user, system } = process.threadCpuUsage(begin);
    if (user + system > 2_000) return (user + system) / count;
  }
}
