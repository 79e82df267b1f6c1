import { isSecretName, MASK } from '../../contract/secret-names.ts';
import { holdsSecret } from '../../credentials/sources.ts';
import { boundData, boundText } from '../../output/bound.ts';
import { formatErrorJson, formatErrorReport } from '../../output/error-report.ts';
import { forTerminal } from '../../output/for-terminal.ts';
import { formatNamed } from '../../output/formats.ts';
import { loadColors } from '../../output/terminal.ts';
import { receivedSignal, SIGNAL_EXIT_CODES } from '../../signals.ts';
import { formatWords } from '../flags/parser.ts';
import { flagWords } from '../routing/leading-flags.ts';
import type { Runtime } from '../runtime.ts';
import type { Session } from '../session/session.ts';
import { createDisplay, type Display } from '../show/display.ts';
import { describeFailure } from './describe.ts';
import { EXIT } from './exit-code.ts';
import { type Typed, toUsageError } from './usage-error.ts';

/** What is known about a run that failed, which may be little: it may have failed at its first flag. */
export type FailedRun = Partial<Typed> & {
  readonly argv: readonly string[];
  readonly runtime: Runtime;
  readonly display?: Display | undefined;
  readonly session?: Session | undefined;
};

/**
 * Prints on stderr what failed, for a person or, with JSON output, as one JSON object; every error is printed here.
 * Resolves to the exit code. A reader that has closed stdout (`| head`) is no failure, unless a change may not have been made.
 */
export async function reportFailure(error: unknown, run: FailedRun): Promise<number> {
  const { runtime, argv } = run;
  const stdout = run.display?.stdout ?? runtime.stdout;
  const { change } = run.session ?? {};
  const isOpen = change !== undefined && change.document === undefined;
  if (stdout.closed && !runtime.signal.aborted && !isOpen) return EXIT.done;
  const display = run.display ?? createDisplay(displayOptionsFrom(argv, runtime), runtime);
  for (const secret of secretsIn(argv)) display.addSecret(secret);
  await display.progress.stop();
  // What was printed before the failure comes before the report of it; why it cannot be shown would hide that failure.
  await display.finish({ failed: true }).catch(() => {});
  const { session } = run;
  const isEmulator = session?.settings.profile.value?.name === 'emulator';
  const { otherDescription } = isEmulator ? await import('./other-description.ts') : {};
  const described = describeFailure(toUsageError(error, { flags: {}, ...run }), {
    session,
    otherDescription: await otherDescription?.(error, session, runtime),
    revealPii: flagWords(argv).includes('--reveal-pii'),
  });
  const bounded = boundData(described, {
    redact: display.redact,
    hide: (name) => (isSecretName(name) ? MASK : undefined),
  });
  const report = { ...bounded, exitCode: withSignal(described.exitCode, runtime.signal) };
  const asJson = display.format.reportsJson;
  const colors = await loadColors(display.stderrTerminal.color);
  const text = asJson
    ? formatErrorJson(report)
    : forTerminal(formatErrorReport(report, colors), runtime.stderr);
  await runtime.stderr.write(text);
  if (display.verbose && report.exitCode === EXIT.failure && error instanceof Error && !asJson) {
    await runtime.stderr.write(`${boundText(error.stack ?? '', display.redact)}\n`);
  }
  await runtime.stderr.end();
  return report.exitCode;
}

/** The exit code of an aborted run says which signal it was. */
function withSignal(exitCode: number, signal: AbortSignal): number {
  const name = receivedSignal(signal);
  return exitCode === EXIT.interrupted && name ? SIGNAL_EXIT_CODES[name] : exitCode;
}

/** The arguments that are secrets, alone or after `--flag=`, `name=` or `-f`: messages repeat what they refuse. */
function secretsIn(argv: readonly string[]): string[] {
  const words = argv.filter((word, index) => !isCursor(word, argv[index - 1]));
  const candidates = words.flatMap((word) => {
    const value = afterEquals(word);
    return [word, value, afterEquals(value), word.startsWith('-') ? word.slice(2) : word];
  });
  return candidates.filter(holdsSecret);
}

/** A cursor may begin like a token, and is needed to resume after a failure; a token has dots. */
function isCursor(word: string, previous: string | undefined): boolean {
  return (previous === '--cursor' || word.startsWith('--cursor=')) && !word.includes('.');
}

/** What follows the first equals sign; the whole word where there is none. */
function afterEquals(word: string): string {
  return word.slice(word.indexOf('=') + 1);
}

/** The settings of a display when the flags could not be parsed: as far as the raw arguments tell. */
function displayOptionsFrom(argv: readonly string[], { environment }: Runtime) {
  const words = flagWords(argv);
  const [typed] = formatWords(argv);
  const format = formatNamed(typed?.text ?? '') ?? formatNamed(environment.output ?? '');
  return {
    format: words.includes('--json') ? 'json' : (format ?? 'table'),
    verbose: false,
    quiet: false,
    noColor: words.includes('--no-color'),
  } as const;
}
