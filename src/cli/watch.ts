import { isUtf8 } from 'node:buffer';
import { sleep } from '../client/deadline.ts';
import { type DurationRange, parseDuration } from '../config/values.ts';
import { keychainReader } from '../credentials/read.ts';
import { rememberKeychain } from '../credentials/remember-keychain.ts';
import { OutputError, PayctlError, UsageError } from '../errors.ts';
import { FORMATS } from '../output/formats.ts';
import { watchReader } from '../output/pipe-reader.ts';
import { createSink, type OutputStream, type Sink } from '../output/streams.ts';
import { loadColors } from '../output/terminal.ts';
import { fitToWidth } from '../output/width.ts';
import { COLOR } from '../text/wrap.ts';
import { momentIn } from '../text/zoned-times.ts';
import { IncompleteListError } from './failure/incomplete-list-error.ts';
import type { Runtime } from './runtime.ts';
import type { Display } from './show/display.ts';
import { type FailureEvent, FailureRun, mayPass } from './tail/failure-run.ts';

type WatchOptions = {
  readonly runtime: Runtime;
  readonly display: Display;
  /** As it was typed. */
  readonly interval: string;
  /** The other flags. */
  readonly flags: Readonly<Record<string, unknown>>;
  /** Runs the command once with this runtime. @throws what the command throws */
  readonly poll: (runtime: Runtime) => Promise<void>;
  /** Waits so many milliseconds. @throws AbortedError */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
};

/** What one run printed. */
type Printed = { readonly stdout: string; readonly stderr: string };

/** A service that others use is not asked more often than once a second. */
const INTERVALS: DurationRange = {
  units: ['s', 'm', 'h'],
  examples: ['5s', '30s', '2m'],
  longest: { count: 24, unit: 'h', words: 'a day' },
};

/**
 * Runs a command again and again until a signal ends it, or the reader of stdout leaves. A terminal shows what it printed last; in a
 * pipe, what it prints is passed on when it differs from the run before. A failure that can pass, after a run that succeeded, is
 * reported and tried again later and later.
 * @throws UsageError `invalid_duration`, `bad_usage`; AbortedError; what a run throws that fails first, or for good
 */
export async function watch({ wait = sleep, ...options }: WatchOptions): Promise<void> {
  const { runtime, display } = options;
  const intervalMs = readInterval(options);
  const screen = display.stdoutTerminal.canRedraw ? new Screen(options) : new ChangingOutput(options);
  const failing = new FailureRun({ now: () => performance.now(), random: Math.random });
  const hasReaderLeft = watchReader();
  const readKeychain = rememberKeychain(keychainReader(runtime.signal));
  let hasSucceeded = false;
  try {
    for (;;) {
      let waitMs = intervalMs;
      try {
        const printed = await capture(options, readKeychain);
        await report(display, failing.end());
        hasSucceeded = true;
        await screen.show(printed);
      } catch (error) {
        const cause = error instanceof IncompleteListError ? error.cause : error;
        if (!hasSucceeded || !(cause instanceof PayctlError) || !mayPass(cause)) throw error;
        const failure = failing.add(cause, intervalMs);
        await report(display, failure);
        waitMs = failure.delayMs;
      }
      if (runtime.stdout.closed || hasReaderLeft()) return;
      await wait(waitMs, runtime.signal);
    }
  } finally {
    await screen.leave();
  }
}

/** What can be done instead, by the flag that --watch does not go with. */
const HINTS: Readonly<Record<string, string>> = {
  all: 'Use --max-items N to watch several pages.',
  'output-file': 'Remove one of them.',
};

function readInterval({ interval, flags, display }: WatchOptions): number {
  const milliseconds = parseDuration(interval, '--watch', INTERVALS);
  const other = Object.keys(HINTS).find((name) => flags[name] !== undefined);
  const problem =
    other !== undefined ? `--${other}` : display.format === FORMATS.csv ? '--output csv' : undefined;
  if (problem === undefined) return milliseconds;
  throw new UsageError('bad_usage', `--watch and ${problem} cannot be used together`, {
    hint: other === undefined ? 'Use -o ndjson, or remove one of them.' : HINTS[other],
  });
}

/**
 * Runs with streams that keep what is written, and that are as wide as the real ones.
 * @throws OutputError `binary_watched`; what `poll` throws
 */
async function capture(
  { runtime, display, poll }: WatchOptions,
  readKeychain: Runtime['readKeychain'],
): Promise<Printed> {
  const pieces: Record<keyof Printed, Uint8Array[]> = { stdout: [], stderr: [] };
  const secrets: string[] = [];
  const keep = (name: keyof Printed, { isTerminal, columns, rows }: Sink): Sink => {
    const stream: OutputStream = {
      isTTY: isTerminal,
      columns,
      rows,
      write(data, done) {
        pieces[name].push(Buffer.from(data));
        done?.();
        return true;
      },
      on: () => {},
    };
    return createSink(stream);
  };
  // Its own signal: what listens to it must not add up.
  const ended = new AbortController();
  const end = () => ended.abort(runtime.signal.reason);
  runtime.signal.addEventListener('abort', end, { once: true });
  if (runtime.signal.aborted) end();
  try {
    await poll({
      ...runtime,
      isHidden: true,
      readKeychain,
      onSecret: (secret) => void secrets.push(secret),
      signal: ended.signal,
      stdout: keep('stdout', runtime.stdout),
      stderr: keep('stderr', runtime.stderr),
    });
  } catch (error) {
    // The service may have sent them back in what it failed with.
    for (const secret of secrets) display.addSecret(secret);
    throw error;
  } finally {
    runtime.signal.removeEventListener('abort', end);
  }
  return { stdout: readText(pieces.stdout), stderr: readText(pieces.stderr) };
}

function readText(pieces: readonly Uint8Array[]): string {
  const bytes = Buffer.concat(pieces);
  if (isUtf8(bytes)) return bytes.toString();
  throw new OutputError('binary_watched', 'The response is not text, so --watch cannot show it', {
    hint: 'Remove --watch.',
  });
}

async function report(display: Display, event: FailureEvent | undefined): Promise<void> {
  if (!event) return;
  const { TailMessages } = await import('./tail/messages.ts');
  new TailMessages(display, undefined).show(event);
}

/** Cursors lead to the same page although they differ from request to request. */
const CURSORS = /"?(?:next|previous)_cursor"?: ?\S*/g;

/** Passes on what was printed when it has changed. */
class ChangingOutput {
  readonly #runtime: Runtime;
  readonly #separator: string;
  #last: string | undefined;

  constructor({ runtime, display, flags }: WatchOptions) {
    this.#runtime = runtime;
    const isJson = display.format.reportsJson || (flags.jq !== undefined && !display.isFormatChosen);
    this.#separator = isJson ? '' : display.format === FORMATS.yaml ? '---\n' : '\n';
  }

  async show({ stdout, stderr }: Printed): Promise<void> {
    const content = stdout.replace(CURSORS, '');
    if (content === this.#last) return;
    const separator = this.#last === undefined ? '' : this.#separator;
    this.#last = content;
    await this.#runtime.stdout.write(separator + stdout);
    await this.#runtime.stdout.end();
    await this.#runtime.stderr.write(stderr);
  }

  async leave(): Promise<void> {}
}

/** The other screen of the terminal, on which long lines are not wrapped; and back to the one before. */
const ENTER = '\u001B[?1049h\u001B[?7l';
const LEAVE = '\u001B[?7h\u001B[?1049l';
const HOME = '\u001B[H';
const ERASE_LINE = '\u001B[K';
const ERASE_BELOW = '\u001B[J';
const DEFAULT_ROWS = 24;

/** A line that fits. The terminal would write the end of a longer one over its last column. Codes of colours take none. */
function cut(line: string, columns: number): string {
  let left = columns;
  const parts = line.split(new RegExp(`(${COLOR})`)).map((part, index) => {
    if (index % 2 === 1) return part;
    const { text, width } = fitToWidth(part, left);
    left -= width;
    return text;
  });
  return parts.join('');
}

/** Shows what was printed last in the place of what was printed before, and leaves it where a run without --watch would. */
class Screen {
  readonly #options: WatchOptions;
  #last: Printed | undefined;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  async show(printed: Printed): Promise<void> {
    const { runtime, display, interval } = this.#options;
    const { stdout, stderr } = runtime;
    const enter = this.#last === undefined ? ENTER : '';
    this.#last = printed;
    const { dim } = await loadColors(display.stdoutTerminal.color);
    const time = momentIn(display.stdoutTerminal.times, Date.now());
    const text = stderr.isTerminal ? printed.stdout + printed.stderr : printed.stdout;
    const lines = [dim(`Every ${interval}; last run: ${time}`), '', ...text.trimEnd().split('\n')];
    const rows = (stdout.rows ?? DEFAULT_ROWS) - 1;
    const shown =
      lines.length > rows
        ? [...lines.slice(0, rows - 1), dim(`${lines.length - rows + 1} more lines`)]
        : lines;
    const drawn = shown.map((line) => `${ERASE_LINE}${cut(line, stdout.columns)}\n`).join('');
    await stdout.write(enter + HOME + drawn + ERASE_BELOW);
    await stdout.end();
  }

  async leave(): Promise<void> {
    const { stdout, stderr } = this.#options.runtime;
    if (!this.#last) return;
    await stdout.write(LEAVE + this.#last.stdout);
    await stdout.end();
    await stderr.write(this.#last.stderr);
  }
}
