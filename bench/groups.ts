import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Absent, Line, Row } from './row.ts';

/** What a group of measurements gave. A group that fails keeps the rows that it had by then. */
export type Outcome = {
  readonly rows: readonly Row[];
  readonly absent: readonly Absent[];
  readonly failure?: string;
};

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** What lets `measure.ts` ask the system for CPU time, on a Node that has it. */
const FFI = process.allowedNodeEnvironmentFlags.has('--experimental-ffi')
  ? ['--experimental-ffi', '--disable-warning=ExperimentalWarning']
  : [];

/**
 * Runs a group in a process of its own, with a folder of its own for its files, and ends whatever it has started. `shown` gets
 * each line as it comes. Never throws for what the group does.
 */
export async function runGroup(
  file: string,
  shown: (line: Line) => void,
  { limitMilliseconds = 300_000 } = {},
): Promise<Outcome> {
  const temporary = mkdtempSync(join(tmpdir(), 'payctl-bench-'));
  const child = spawn(process.execPath, [...FFI, file], {
    env: { ...process.env, TMPDIR: temporary, TMP: temporary },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  });
  let overdue = false;
  const timer = setTimeout(() => {
    overdue = true;
    endAll(child.pid);
  }, limitMilliseconds);
  const interrupt = (signal: NodeJS.Signals) => {
    endAll(child.pid);
    rmSync(temporary, { recursive: true, force: true });
    process.removeListener(signal, interrupt);
    process.kill(process.pid, signal);
  };
  for (const signal of SIGNALS) process.on(signal, interrupt);
  const lines: Line[] = [];
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  createInterface(child.stdout).on('line', (text) => {
    const line = JSON.parse(text) as Line;
    lines.push(line);
    shown(line);
  });
  const { promise: closed, resolve } = Promise.withResolvers<number | null>();
  // Not `close`: what the group has left running may hold its streams open.
  child.on('exit', (code) => {
    endAll(child.pid);
    child.on('close', () => resolve(code));
  });
  const code = await closed;
  clearTimeout(timer);
  for (const signal of SIGNALS) process.removeListener(signal, interrupt);
  rmSync(temporary, { recursive: true, force: true });
  const failure = overdue ? `took longer than ${limitMilliseconds / 1000} s` : reasonOf(code, said);
  return {
    rows: lines.flatMap((line) => ('row' in line ? [line.row] : [])),
    absent: lines.flatMap((line) => ('absent' in line ? [line.absent] : [])),
    ...(failure !== undefined && { failure }),
  };
}

/** The line that names the error, where there is one. */
function reasonOf(code: number | null, said: string): string | undefined {
  if (code === 0) return undefined;
  const lines = said.split('\n');
  return lines.find((line) => /^\w*Error\b/.test(line)) ?? lines.find((line) => line) ?? `ended with ${code}`;
}

/** Ends a group and the processes that it started. */
function endAll(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // Nothing is left of it.
  }
}
