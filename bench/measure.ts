import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';

/** A program to measure: its command line, what its environment has besides, and the file that its output goes to. */
export type Program = {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv | undefined;
  readonly output?: string;
  /** How it ends; by default with 0. */
  readonly exitCode?: number;
};

/**
 * What one run took: milliseconds from start to exit; milliseconds of CPU time, user and system, of the program and of the
 * processes that it waited for; the peak of its memory in MiB. What the platform does not tell is left out.
 */
export type Run = { readonly wall: number; readonly cpu?: number; readonly mib?: number };

/**
 * Several runs in one unit: the best of them (the least time or memory, the highest rate), CPU time where it is known
 * (its least time, the highest rate for a second of it), and the median.
 */
export type Values = { readonly best: number; readonly cpu?: number; readonly median: number };

/** Milliseconds of CPU time that all children took that have ended; undefined where Node or the platform does not tell. */
export const cpuOfChildren = await readCpuOfChildren();

/** Whether `run` can tell the peak of memory: that takes the `time` of GNU. */
export const tellsMemory = spawnSync('time', ['-f', '%M', 'true']).status === 0;

/** Runs a program to its end. @throws when it fails, with what it said. */
export async function run(program: Program, { memory = false } = {}): Promise<Run> {
  const { command, args, env, output, exitCode = 0 } = program;
  const words = memory && tellsMemory ? ['time', '-f', '%M', command, ...args] : [command, ...args];
  const before = cpuOfChildren?.();
  const started = performance.now();
  const child = spawn(words[0] ?? command, words.slice(1), {
    env: { ...process.env, ...env },
    stdio: ['ignore', output === undefined ? 'pipe' : openSync(output, 'w'), 'pipe'],
  });
  let said = '';
  child.stdout?.resume();
  child.stderr?.on('data', (chunk) => {
    said += chunk;
  });
  const [code] = await once(child, 'close');
  const wall = performance.now() - started;
  if (code !== exitCode) throw new Error(`${command} ${args.join(' ')} ended with ${code}: ${said.trim()}`);
  return {
    wall,
    ...(before !== undefined && cpuOfChildren && { cpu: cpuOfChildren() - before }),
    ...(memory && tellsMemory && { mib: Number(said.trim().split('\n').at(-1)) / 1024 }),
  };
}

/**
 * Runs of each program. They are interleaved, so that a busy moment of the machine falls on all of them; the first rounds warm
 * the caches and do not count.
 */
export async function interleave<Name extends string>(
  programs: Readonly<Record<Name, Program>>,
  { rounds = 60, warmUp = 3, memory = false } = {},
): Promise<Record<Name, readonly Run[]>> {
  const names = Object.keys(programs) as Name[];
  const runs = Object.fromEntries(names.map((name) => [name, [] as Run[]])) as Record<Name, Run[]>;
  for (let round = -warmUp; round < rounds; round += 1) {
    for (const name of names) {
      const each = await run(programs[name], { memory });
      if (round >= 0) runs[name].push(each);
    }
  }
  return runs;
}

/** The times of some runs, in milliseconds. */
export function timesOf(runs: readonly Run[]): Values {
  const cpus = runs.flatMap(({ cpu }) => (cpu === undefined ? [] : [cpu]));
  return {
    ...leastOf(runs.map(({ wall }) => wall)),
    ...(cpus.length > 0 && { cpu: Math.min(...cpus) }),
  };
}

/** Values of which the least is the best. */
export function leastOf(values: readonly number[]): Values {
  return { best: Math.min(...values), median: median(values) };
}

/** Values of which the greatest is the best. */
export function mostOf(values: readonly number[]): Values {
  return { best: Math.max(...values), median: median(values) };
}

/** The middle value; the lower one of an even number. */
function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? Number.NaN;
}

/**
 * Node tells nothing about a child that has ended, but the system adds up what its children took: to the microsecond, where shells
 * and /proc round to 1 or 10 ms. Asking it needs node:ffi, which is experimental: `all.ts` turns it on where there is one.
 */
async function readCpuOfChildren(): Promise<(() => number) | undefined> {
  try {
    const { dlopen } = await import('node:ffi');
    const { functions } = dlopen(null, { getrusage: { return: 'i32', arguments: ['i32', 'pointer'] } });
    const usage = Buffer.alloc(256);
    const milliseconds = (at: number) => usage.readInt32LE(at) * 1000 + usage.readInt32LE(at + 8) / 1000;
    const CHILDREN = -1;
    return () => {
      if (functions.getrusage(CHILDREN, usage) !== 0) throw new Error('getrusage failed');
      return milliseconds(0) + milliseconds(16);
    };
  } catch {
    return undefined;
  }
}
