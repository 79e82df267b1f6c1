import { join } from 'node:path';
import { runCommandLine } from '../../src/cli/run.ts';
import { createRuntime } from '../../src/cli/runtime.ts';
import { answerImported } from '../../src/features/api/imported-program.ts';
import type { OutputStream } from '../../src/output/streams.ts';

/** What a run printed, and how it ended. */
export type Run = { readonly stdout: string; readonly stderr: string; readonly code: number };

type Options = {
  readonly env: Readonly<Record<string, string>>;
  /** Makes stdout a terminal of so many columns. */
  readonly columns?: number;
  /** How many writes stdout takes before its disk is full. */
  readonly room?: number | undefined;
  /** Called with the bytes of stdout, of which the text replaces what is no UTF-8. */
  readonly onBytes?: (bytes: Buffer) => void;
};

const PROGRAM_FOLDER = join(import.meta.dirname, '../../src');

/** Runs a command line within the test, from the sources: quick, with streams that remember what they were given. */
export async function runInProcess(
  argv: readonly string[],
  { env, columns, room, onBytes }: Options,
): Promise<Run> {
  const stdout = remember(columns, room);
  const stderr = remember(undefined);
  const runtime = createRuntime({
    stdout: stdout.stream,
    stderr: stderr.stream,
    stdin: async function* () {},
    env,
    signal: new AbortController().signal,
    version: '0.0.0',
  });
  const code = await runCommandLine(argv, runtime, {
    programFolder: PROGRAM_FOLDER,
    complete: async () => '',
    imported: (words, route) => answerImported(words, route, { runtime, programFolder: PROGRAM_FOLDER }),
  });
  onBytes?.(stdout.bytes());
  return { stdout: stdout.bytes().toString(), stderr: stderr.bytes().toString(), code };
}

function remember(
  columns: number | undefined,
  room = Number.POSITIVE_INFINITY,
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
      return true;
    },
    on: () => stream,
  };
  return { stream, bytes: () => Buffer.concat(pieces) };
}
