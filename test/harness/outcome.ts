import type { Run } from './follow-process.ts';
import { lines } from './lines.ts';

/** A run that succeeded, with everything that it printed. */
export function succeeded(stdout: string, stderr = ''): Run {
  return { stdout, stderr, code: 0, signal: null };
}

/** A run that failed with nothing on stdout and these lines on stderr. */
export function failed(code: number, ...stderr: readonly string[]): Run {
  return { stdout: '', stderr: lines(...stderr), code, signal: null };
}
