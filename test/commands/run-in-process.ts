import { join } from 'node:path';
import { runCommandLine } from '../../src/cli/routing/run.ts';
import { createRuntime } from '../../src/cli/runtime.ts';
import { routeImported } from '../../src/features/api/imported-program.ts';
import type { OutputStream } from '../../src/output/streams.ts';

/** What a run printed, and how it ended. */
export type Run = { readonly stdout: string; readonly stderr: string; readonly code: number };

/** How a run is made. */
export type RunOptions = {
  readonly env: Readonly<Record<string, string>>;
  /** Makes stdout a terminal of so many columns. */
  readonly columns?: number | undefined;
  /** What both streams print is one terminal, and is the stdout of the run. */
  readonly withStderr?: boolean | undefined;
  /** How many writes stdout takes before its disk is full. */
  readonly room?: number | undefined;
  /** Makes stdout a pipe whose reader takes nothing; called when something is written to it. */
  readonly onStalled?: () => void;
  /** Called with each text when it is written to stderr. */
  readonly onStderr?: (text: string) => void;
  /** Ends the run, as a signal does. */
  readonly signal?: AbortSignal;
  /** Standard input; empty by default. */
  readonly stdin?: Uint8Array | AsyncIterable<Uint8Array>;
  /** Called with the bytes of stdout, of which the text replaces what is not UTF-8. */
  readonly onBytes?: (bytes: Buffer) => void;
};

const PROGRAM_FOLDER = join(import.meta.dirname, '../../src');

/** Runs a command line within the test, from the sources: quick, with streams that remember what they were given. */
export async function runInProcess(
  argv: readonly string[],
  {
    env,
    columns,
    withStderr = false,
    room,
    onBytes,
    onStderr,
    onStalled,
    signal = new AbortController().signal,
    stdin = new Uint8Array(),
  }: RunOptions,
): Promise<Run> {
  const stdout = remember(columns, room);
  const stderr = remember(undefined, undefined, onStderr);
  const stalled: OutputStream = { write: () => onStalled?.() ?? false, on() {} };
  const runtime = createRuntime({
    stdout: onStalled ? stalled : stdout.stream,
    stderr: withStderr ? stdout.stream : stderr.stream,
    stdin: () => (stdin instanceof Uint8Array ? once(stdin) : stdin),
    env,
    signal,
    version: '0.0.0',
  });
  const code = await runCommandLine(argv, runtime, {
    programFolder: PROGRAM_FOLDER,
    complete: async () => '',
    imported: (words, route) => routeImported(words, route, { runtime, programFolder: PROGRAM_FOLDER }),
  });
  onBytes?.(stdout.bytes());
  return { stdout: stdout.bytes().toString(), stderr: stderr.bytes().toString(), code };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.length > 0) yield bytes;
}

function remember(
  columns: number | undefined,
  room = Number.POSITIVE_INFINITY,
  onText: (text: string) => void = () => {},
): { stream: OutputStream; bytes(): Buffer } {
  const pieces: Buffer[] = [];
  const stream: OutputStream = {
    isTTY: columns !== undefined,
    columns,
    write(piece, done) {
      if (piece.length > 0 && pieces.length >= room) {
        done?.(
          Object.assign(new Error('ENOSPC: no space left on device, write'), {
            code: 'ENOSPC',
            syscall: 'write',
          }),
        );
        return true;
      }
      pieces.push(typeof piece === 'string' ? Buffer.from(piece) : Buffer.from(piece));
      done?.();
      onText(piece.toString());
      return true;
    },
    on: () => stream,
  };
  return { stream, bytes: () => Buffer.concat(pieces) };
}
