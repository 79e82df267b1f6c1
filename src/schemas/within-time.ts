import { type Context, createContext, Script } from 'node:vm';
import { isObject } from '../json/is-object.ts';

/** What `withinTime` gives for work that took too long. */
export const TOO_LONG = Symbol('too long');

/** Made once: a context takes ten times as long to make as a timer. */
let runner: { readonly context: Context; readonly script: Script } | undefined;

/** The longest time by the clock, in milliseconds, however little of it the work got, and the factor of each extension. */
const LONGEST_MS = 30_000;
const MOST_GROWTH = 8;

/**
 * Runs work whose cost depends on a description or a pattern, and ends it after this many milliseconds of CPU time: it may take longer
 * than anyone can wait. Node can limit it only by the clock, so if the machine was busy and the work got less than half of its time,
 * it starts over with a higher limit; the work has to be repeatable. @throws what the work throws
 */
export function withinTime<T>(work: () => T, milliseconds: number): T | typeof TOO_LONG {
  for (let limit = milliseconds; ; ) {
    const before = computingMs();
    const result = withinClock(work, limit);
    const used = Math.max(computingMs() - before, 1);
    if (result !== TOO_LONG || used >= milliseconds / 2 || limit >= LONGEST_MS) return result;
    limit = Math.ceil(Math.min(LONGEST_MS, limit * Math.min(MOST_GROWTH, milliseconds / used)));
  }
}

/** The CPU time of this process so far, in milliseconds. */
function computingMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function withinClock<T>(work: () => T, milliseconds: number): T | typeof TOO_LONG {
  try {
    runner ??= { context: createContext({}), script: new Script('work()') };
    runner.context.work = work;
    return runner.script.runInContext(runner.context, { timeout: milliseconds }) as T;
  } catch (error) {
    // It is an error of the other context, and so no instance of the Error of this one.
    const { code } = isObject(error) ? error : {};
    if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return TOO_LONG;
    throw error;
  }
}
