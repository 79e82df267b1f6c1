import { spawn } from 'node:child_process';

/** One program to time: what it is called, and its command line. */
export type Contestant = {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
};

/**
 * Median wall-clock milliseconds of each contestant, from start to exit. The runs are interleaved, so that a busy moment of
 * the machine falls on all of them; the first rounds warm the caches and do not count.
 */
export async function medians(
  contestants: readonly Contestant[],
  { rounds = 40, warmUp = 5, env = process.env } = {},
): Promise<ReadonlyMap<string, number>> {
  const times = new Map(contestants.map(({ name }) => [name, [] as number[]]));
  for (let round = -warmUp; round < rounds; round += 1) {
    for (const contestant of contestants) {
      const milliseconds = await timeOnce(contestant, env);
      if (round >= 0) times.get(contestant.name)?.push(milliseconds);
    }
  }
  return new Map([...times].map(([name, list]) => [name, median(list)]));
}

/** The middle value; the lower one of an even number. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? Number.NaN;
}

/** A row of the report: what was measured, the ratio that counts, and the bar it has to stay under or over. */
export function reportRow(row: { name: string; value: string; bar: string; met: boolean }): string {
  return `${row.met ? 'met   ' : 'MISSED'}  ${row.name.padEnd(58)} ${row.value.padStart(26)}   bar: ${row.bar}`;
}

function timeOnce({ command, args, name }: Contestant, env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    child.stdout.resume();
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(performance.now() - started);
      else reject(new Error(`${name} ended with ${code}`));
    });
  });
}
