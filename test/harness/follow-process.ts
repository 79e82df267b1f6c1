import { readFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';

/** Everything that a finished process left behind. On a terminal `stdout` holds what the terminal received. */
export type Run = {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
};

/** A process that is under way. */
export type RunningProcess = {
  readonly pid: number;
  /** Resolves when the process has ended and its output is read. */
  readonly done: Promise<Run>;
  /** Resolves with everything on a stream so far as soon as it holds the text. Rejects when the process ends before. */
  sees(stream: 'stdout' | 'stderr', text: string): Promise<string>;
  kill(signal: NodeJS.Signals): void;
  /** Types into the terminal of the run. */
  type(keys: string): void;
};

/** What is followed: a `ChildProcess`, or what stands for a process that another one started. */
type Followed = {
  readonly pid?: number | undefined;
  readonly stdin: Writable | null;
  readonly stdout: Readable | null;
  readonly stderr: Readable | null;
  kill(signal: NodeJS.Signals): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'close', listener: (code: number | null, signal: NodeJS.Signals | null) => void): unknown;
};

/** `stderrFile` holds its stderr where a terminal is its only stream; `cleanUp` is called at its end. */
type Following = { readonly stderrFile?: string; readonly cleanUp?: () => void };

/** Gathers what a started process prints, until it has ended. */
export function followProcess(child: Followed, { stderrFile, cleanUp }: Following = {}): RunningProcess {
  const texts = { stdout: '', stderr: '' };
  const read = (name: 'stdout' | 'stderr') =>
    name === 'stderr' && stderrFile !== undefined ? readFileSync(stderrFile, 'utf8') : texts[name];
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (chunk: string) => {
      texts[name] += chunk;
    });
  }
  const done = new Promise<Run>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      const outsideOfTerminal = stderrFile === undefined ? '' : texts.stderr;
      const run = { stdout: read('stdout'), stderr: outsideOfTerminal + read('stderr'), code, signal };
      cleanUp?.();
      resolve(run);
    });
  });
  let ended = false;
  const end = () => {
    ended = true;
  };
  done.then(end, end);
  return {
    pid: child.pid ?? 0,
    done,
    kill: (signal) => void (ended || child.kill(signal)),
    type: (keys) => void child.stdin?.write(keys),
    async sees(stream, text) {
      for (;;) {
        if (ended) {
          const run = await done;
          if (run[stream].includes(text)) return run[stream];
          throw new Error(
            `the process ended without ${JSON.stringify(text)} on ${stream}: ${JSON.stringify(run)}`,
          );
        }
        const seen = read(stream);
        if (seen.includes(text)) return seen;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
  };
}
