import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';
import { AbortedError } from '../../errors.ts';
import type { Sink } from '../../output/streams.ts';
import { untilAborted } from '../../signals.ts';

/** The terminal that questions are asked on. */
export type PromptTerminal = {
  readonly input: NodeJS.ReadableStream;
  readonly output: Sink;
  readonly signal: AbortSignal;
};

/** How an answer is read. */
export type ReadOptions = {
  readonly prompt: string;
  /** Whether what is typed is shown. */
  readonly echo: boolean;
  /** Calls `resolve` with the answer that the lines make. */
  readonly listen: (
    lines: Interface,
    input: NodeJS.ReadableStream,
    resolve: (answer: string) => void,
  ) => void;
  /** Whether input typed before the question is dropped: an answer must not be given to a question that was not seen. */
  readonly dropTypeahead?: boolean;
};

/** How long what was typed before a question may take to be read: it waits in the terminal already. */
const DROP_MILLISECONDS = 20;

/**
 * Asks on a terminal and resolves to the answer. The question is shown again when the process continues after a stop.
 * @throws AbortedError on Ctrl-C, on a signal, and when the input ends, fails or has ended before
 */
export async function readFrom(terminal: PromptTerminal, options: ReadOptions): Promise<string> {
  const { prompt, echo, listen, dropTypeahead = false } = options;
  const { input, output, signal } = terminal;
  if (signal.aborted || isOver(input)) throw new AbortedError();
  // Written at once, so that what is typed appears on the terminal before any message about it.
  const write = (text: string) => void output.write(text);
  const screen = { write, columns: output.columns, shows: false };
  const lines = openLines(input, screen, echo ? prompt : '');
  const countRows = () => keepRows(lines);
  input.prependListener('keypress', countRows);
  const begin = (resolve: (answer: string) => void) => {
    screen.shows = echo;
    listen(lines, input, resolve);
    lines.prompt();
    // Not before the interface is there: until then the terminal itself shows what is typed.
    if (!echo) write(prompt);
    lines.on('SIGCONT', () => resume(lines, () => echo || write(prompt)));
  };
  let entered = false;
  try {
    const text = await untilAnswered(lines, signal, (resolve) => {
      if (dropTypeahead) dropFirst(lines, () => begin(resolve));
      else begin(resolve);
    });
    entered = echo;
    return text;
  } finally {
    input.off('keypress', countRows);
    lines.close();
    if (!entered) write('\n');
  }
}

/** Such an input would never say anything again, and Node would end in the middle of the question. */
function isOver(input: NodeJS.ReadableStream): boolean {
  return ('readableEnded' in input && input.readableEnded === true) || !input.readable;
}

type Screen = {
  readonly write: (text: string) => void;
  readonly columns: number | undefined;
  /** Whether what readline writes is shown. */
  readonly shows: boolean;
};

function openLines(input: NodeJS.ReadableStream, screen: Screen, prompt: string): Interface {
  const shown = new Writable({
    decodeStrings: false,
    write: (chunk, _, done) => {
      if (screen.shows) screen.write(String(chunk));
      done();
    },
  });
  const output = Object.assign(shown, { columns: screen.columns });
  return createInterface({ input, output, terminal: true, historySize: 0, prompt });
}

/** Reads what is there without showing it, forgets it, and then begins. */
function dropFirst(lines: Interface, begin: () => void): void {
  let last: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    // Again around the loop: a delayed process finds its timer due before it has read anything.
    last = setImmediate(() => {
      Object.assign(lines, { line: '', cursor: 0 });
      begin();
    });
  }, DROP_MILLISECONDS);
  lines.on('SIGCONT', () => lines.resume());
  lines.on('close', () => {
    clearTimeout(timer);
    clearImmediate(last);
  });
}

/**
 * Listens again after the process was stopped, which readline does not by itself. It redraws its line where the cursor
 * is now and not over what the shell has written; `showAgain` is called once nothing typed is shown any more.
 */
function resume(lines: Interface, showAgain: () => void): void {
  Object.assign(lines, { prevRows: 0 });
  lines.resume();
  queueMicrotask(showAgain);
}

/**
 * Tells readline which row of its line the cursor is in. It forgets what was added at the end, and would write a line of
 * several rows again below for each letter that is deleted. At a margin the cursor has not moved on yet.
 */
function keepRows(lines: Interface): void {
  const { rows, cols } = lines.getCursorPos();
  if (cols > 0) Object.assign(lines, { prevRows: rows });
}

function untilAnswered(
  lines: Interface,
  signal: AbortSignal,
  listen: (resolve: (answer: string) => void) => void,
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const stop = () => reject(new AbortedError());
  listen(resolve);
  for (const event of ['SIGINT', 'close', 'error']) lines.on(event, stop);
  return untilAborted(promise, signal);
}
