import { isatty } from 'node:tty';
import manifest from '../package.json' with { type: 'json' };
import { runCommandLine } from './cli/run.ts';
import { createRuntime } from './cli/runtime.ts';

/**
 * Runs the command line of this process. Sets the exit code and lets the process end by itself, so that everything
 * written reaches its reader.
 */
export async function main(): Promise<void> {
  const interrupt = new AbortController();
  const stop = () => interrupt.abort();
  // Once: a second Ctrl-C ends the process at once.
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  const runtime = createRuntime({
    stdout: process.stdout,
    stderr: process.stderr,
    // Opened late: a process that has opened standard input keeps waiting for it.
    stdin: () => process.stdin,
    terminalInput: () => (isatty(0) ? process.stdin : undefined),
    signal: interrupt.signal,
    version: manifest.version,
  });
  process.exitCode = await runCommandLine(process.argv.slice(2), runtime, {
    moduleUrl: import.meta.url,
    async complete(words) {
      const { answerCompletion } = await import('./features/completion/answer.ts');
      return await answerCompletion(words, runtime.environment, import.meta.url);
    },
  });
  if (!interrupt.signal.aborted) return;
  // A keychain that waits to be unlocked cannot be cancelled and would keep the process alive.
  process.off('SIGINT', stop);
  setTimeout(() => process.kill(process.pid, 'SIGINT'), 100).unref();
}
