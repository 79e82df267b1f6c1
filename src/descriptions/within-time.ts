import { type Context, createContext, Script } from 'node:vm';
import { isObject } from '../json/is-object.ts';

/** What `withinTime` gives for work that took too long. */
export const TOO_LONG = Symbol('too long');

/** Made once: a context takes ten times as long to make as a timer. */
let runner: { readonly context: Context; readonly script: Script } | undefined;

/**
 * Does work that a description decides on, and ends it after so many milliseconds: a regular expression or a schema of a
 * hostile document may take longer than anybody can wait. What the work throws, this throws.
 */
export function withinTime<T>(work: () => T, milliseconds: number): T | typeof TOO_LONG {
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

const PATTERN_MS = 200;

/** Whether a text matches a pattern of a description; true where the pattern cannot be used, or takes too long. */
export function matchesPattern(pattern: string, text: string): boolean {
  const expression = compilePattern(pattern);
  return expression === undefined || withinTime(() => expression.test(text), PATTERN_MS) !== false;
}

/** A pattern as JSON Schema reads it, or as JavaScript did before it knew code points; undefined where it is neither. */
export function compilePattern(pattern: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(pattern, flags);
    } catch {
      // The next way to read it.
    }
  }
  return undefined;
}
