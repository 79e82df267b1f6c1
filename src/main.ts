import { dirname } from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import { mayBeImported } from './cli/routing/may-be-imported.ts';
import { runCommandLine } from './cli/routing/run.ts';
import { createRuntime } from './cli/runtime.ts';
import { openStdout } from './output/open-stdout.ts';
import { ReceivedSignalError, receivedSignal, SIGNAL_EXIT_CODES, type SignalName } from './signals.ts';

/**
 * How long a run may take to end after a signal: to say where a list resumes, to close a document, to flush. Then it is ended
 * by the signal itself, in milliseconds.
 */
let graceMs = 800;
/**
 * A signal that comes so soon after the first one is the same one: `timeout` sends it to the process and to its group, npm passes
 * on what the terminal has sent to both. In milliseconds.
 */
const SAME_SIGNAL_MS = 200;
/**
 * How long the process may take to end after its run, in milliseconds: a keychain that waits to be unlocked cannot be cancelled. On a busy
 * machine, 100 is not enough.
 */
const EXIT_MS = 300;

const SIGNAL_NAMES = Object.keys(SIGNAL_EXIT_CODES) as SignalName[];
/** Of the run of this process. */
const abort = new AbortController();

/**
 * Runs the command line of this process. Sets the exit code and lets the process end by itself, so that everything
 * written reaches its reader. A signal ends it within a second, a later signal at once.
 */
export async function main(): Promise<void> {
  const signal = abortOnSignals();
  const programFolder = dirname(import.meta.filename);
  const runtime = createRuntime({
    stdout: openStdout(),
    stderr: process.stderr,
    // Opened late: a process that has opened standard input keeps waiting for it.
    stdin: () => process.stdin,
    terminalInput: () => (process.getBuiltinModule('node:tty').isatty(0) ? process.stdin : undefined),
    argv: process.argv.slice(2),
    signal,
    allowTimeToEnd: (milliseconds) => {
      graceMs = milliseconds;
    },
    version: manifest.version,
  });
  process.exitCode = await runCommandLine(process.argv.slice(2), runtime, {
    programFolder,
    async complete(request) {
      const { answerCompletion } = await import('./features/completion/answer.ts');
      return await answerCompletion(request, runtime.environment, {
        programFolder,
        async imported(before, own) {
          const { importedCompletion } = await import('./features/api/imported-completion.ts');
          return await importedCompletion(before, runtime.environment, own);
        },
      });
    },
    async imported(argv, route) {
      const isCall = route.kind === 'help' && route.words.join(' ') === 'api call';
      if (!mayBeImported(runtime.environment) && !isCall) return undefined;
      const { routeImported } = await import('./features/api/imported-program.ts');
      return await routeImported(argv, route, { runtime, programFolder });
    },
  });
  const name = receivedSignal(signal);
  if (name) killAfter(EXIT_MS, name);
  // Otherwise Node would first restore the default signal handling, and a signal could make a finished run look interrupted.
  process.on('exit', (code) => process.exit(code));
}

/** Aborted by the first signal that ends a run. */
function abortOnSignals(): AbortSignal {
  for (const name of SIGNAL_NAMES) process.on(name, onSignal);
  return abort.signal;
}

function onSignal(name: SignalName): void {
  if (abort.signal.aborted) return;
  abort.abort(new ReceivedSignalError(name));
  setTimeout(stopListening, SAME_SIGNAL_MS).unref();
  killAfter(graceMs, name);
}

/** The next signal of whatever name has its usual effect. */
function stopListening(): void {
  for (const name of SIGNAL_NAMES) process.off(name, onSignal);
}

/** Ends the process by a signal, unless it has ended before; nothing that it waits for can keep it alive then. */
function killAfter(milliseconds: number, name: SignalName): void {
  const kill = () => {
    stopListening();
    // Windows has no signals that one process can send: it would end this one with exit code 1, or not at all.
    if (process.platform === 'win32') process.exit(SIGNAL_EXIT_CODES[name]);
    process.kill(process.pid, name);
  };
  setTimeout(kill, milliseconds).unref();
}
