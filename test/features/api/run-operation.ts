import { createRuntime } from '../../../src/cli/runtime.ts';
import type { ImportedOperation } from '../../../src/descriptions/imported-operation.ts';
import { importedCommand } from '../../../src/features/api/imported-command.ts';
import { MemoryStream } from '../../output/memory-stream.ts';

type Options = {
  readonly env?: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly stdin?: string;
};

/** Runs the command of an operation within the test. */
export async function runOperation(operation: ImportedOperation, argv: readonly string[], options: Options) {
  const { columns, stdin = '', env = {} } = options;
  const stdout = new MemoryStream(columns === undefined ? {} : { isTTY: true, columns });
  const stderr = new MemoryStream();
  const runtime = createRuntime({
    stdout,
    stderr,
    stdin: async function* () {
      yield Buffer.from(stdin);
    },
    env: { NO_COLOR: '1', TERM: 'xterm', PAYCTL_PAGER: 'cat', ...env },
    signal: new AbortController().signal,
    version: '0.0.0',
  });
  const command = importedCommand({ operation, words: operation.command });
  const code = await command.execute.call(command as never, argv, runtime);
  return { stdout: stdout.text, stderr: stderr.text, code };
}
