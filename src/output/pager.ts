import { spawn } from 'node:child_process';
import { AbortedError } from '../errors.ts';
import { createSink } from './streams.ts';

/** A pager that shows text on the terminal. */
export type Pager = {
  /** Resolves when the pager has room for more. */
  write(text: string): Promise<void>;
  /**
   * Tells the pager that this was all, and resolves when it has ended and everything was done about its end.
   * @throws AbortedError where a request to terminate this process ended it
   */
  end(): Promise<void>;
};

/** How a pager ended. */
export type PagerEnd = {
  /** All that it was given, where it failed without showing it. */
  readonly unseen: string | undefined;
  readonly reason: string;
};

/** A pager that has taken more than this has shown something: no pipe holds as much. */
const UNSEEN_LIMIT = 200_000;
/** Pieces of this length show how much of a text a pager has taken. */
const PIECE = 16_384;
/** As git has it: quit if it fits the screen, pass colours on, leave the text on the screen. */
const SET_UP = process.platform === 'win32' ? '' : `export LESS="\${LESS-FRX}" LV="\${LV--c}"; `;
const STAYING = process.platform === 'win32' ? '' : 'export LESS="$LESS -+F"; ';

/** Which pager to start. */
export type PagerChoice = {
  /** A command line for the shell. */
  readonly command: string;
  /** It is not to quit by itself where its text fits the screen: more is said after it. */
  readonly stays?: boolean;
};

/**
 * Starts a pager. It has the keyboard: while it runs, Ctrl-C does not end this process, which
 * waits for the pager. `onEnd` is called once, also where the pager does not start.
 */
export function openPager(
  { command, stays = false }: PagerChoice,
  onEnd: (end: PagerEnd) => Promise<void>,
): Pager {
  const options = stays ? STAYING : '';
  const child = spawn(SET_UP + options + command, {
    shell: true,
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  const input = createSink(child.stdin, { mayFail: true });
  let sent: string | undefined = '';
  let taken = 0;
  let isTerminated = false;
  const free = keepTerminalFor(() => {
    isTerminated = true;
    child.kill('SIGTERM');
  });
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  let isRunning = true;
  const finish = (reason: string | undefined) => {
    if (!isRunning) return;
    isRunning = false;
    free();
    const unseen = reason === undefined ? undefined : sent;
    resolve(onEnd({ unseen, reason: reason ?? '' }));
  };
  child.once('error', (error) => finish(error.message));
  child.once('exit', (code) => finish(code ? `exit code ${code}` : undefined));
  return {
    async write(text) {
      if (sent !== undefined) sent += text;
      for (let begin = 0; begin < text.length; ) {
        // Not within a character.
        const isSplit = (text.codePointAt(begin + PIECE - 1) ?? 0) > 0xff_ff;
        const end = begin + PIECE + (isSplit ? 1 : 0);
        await Promise.race([input.write(text.slice(begin, end)), ended]);
        if (!isRunning || input.closed) break;
        begin = end;
        taken += PIECE;
        if (taken > UNSEEN_LIMIT) sent = undefined;
      }
    },
    async end() {
      await Promise.race([input.end(), ended]);
      child.stdin.end();
      await ended;
      if (isTerminated) throw new AbortedError();
    },
  };
}

/** The signals that ask this process to terminate; Ctrl-C is not one of them while a pager runs. */
const TERMINATING = ['SIGTERM', 'SIGHUP'] as const;

/** Ignores Ctrl-C, which reaches the pager as well, and passes a request to terminate on to it. */
function keepTerminalFor(terminate: () => void): () => void {
  const ignore = () => {};
  process.on('SIGINT', ignore);
  for (const name of TERMINATING) process.on(name, terminate);
  return () => {
    process.off('SIGINT', ignore);
    for (const name of TERMINATING) process.off(name, terminate);
  };
}
