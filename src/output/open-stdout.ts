import { fstatSync, readFileSync, readlinkSync, writeSync } from 'node:fs';
import type { OutputStream } from './streams.ts';

/**
 * The stdout of this process; where it is closed, a stream that fails as a closed one does, once something is written to it. A file
 * takes all of what is written, or the write fails.
 */
export function openStdout(): OutputStream {
  if (isStdoutClosed()) return closedStream();
  return fstatSync(STDOUT).isFile() ? fileStream(writeToStdout) : process.stdout;
}

const STDOUT = 1;

/**
 * A stream that a synchronous function takes all bytes of. Node's own stream writes once and does not look at how much of it was
 * taken: the rest is lost without an error on a disk that is almost full, or at the largest size of a file (`ulimit -f`).
 */
export function fileStream(write: (bytes: Uint8Array) => void): OutputStream {
  return {
    write(data, done) {
      try {
        write(typeof data === 'string' ? Buffer.from(data) : data);
      } catch (error) {
        done?.(error as Error);
        return true;
      }
      done?.();
      return true;
    },
    on() {},
  };
}

function writeToStdout(bytes: Uint8Array): void {
  let written = 0;
  while (written < bytes.length) written += writeSync(STDOUT, bytes, written);
}

/**
 * Whether whoever started this process closed its stdout (`>&-` in a shell). Node opens the null device in its place, so that
 * every write would succeed; Linux alone tells how a file was opened and what the parent has. False where that is not known.
 */
function isStdoutClosed(): boolean {
  if (process.platform !== 'linux') return false;
  try {
    return isReopened('self') && isClosedBy(process.ppid);
  } catch {
    return false;
  }
}

/**
 * The null device as programs open it, for reading and writing. A shell that writes to it (`>/dev/null`) opens it for writing
 * alone.
 */
function isReopened(pid: string | number): boolean {
  if (readlinkSync(`/proc/${pid}/fd/1`) !== '/dev/null') return false;
  const [, flags = '0'] = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/fdinfo/1`, 'utf8')) ?? [];
  return (Number.parseInt(flags, 8) & READ_WRITE) === READ_WRITE;
}

const READ_WRITE = 2;

/** What closes a file with `>&-`. Other programs discard output on purpose, by the null device that is opened like this. */
const SHELLS = new Set([
  'sh',
  'bash',
  'dash',
  'ash',
  'busybox',
  'zsh',
  'ksh',
  'ksh93',
  'mksh',
  'fish',
  'yash',
]);
/** Node, and the names of its main thread: payctl itself on another Node, or npx. */
const NODES = new Set(['node', 'node-MainThread', 'MainThread', 'payctl']);

/** Whether this parent, or the one that it has its own stdout from, closed stdout. */
function isClosedBy(pid: number): boolean {
  const name = readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  let reopened: boolean;
  try {
    reopened = isReopened(pid);
  } catch (error) {
    // Its own stdout is closed, too; other errors mean that it must not be looked at.
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
  if (!reopened) return SHELLS.has(name);
  return NODES.has(name) && isClosedBy(parentOf(pid));
}

function parentOf(pid: number): number {
  const [, parent = ''] = /^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number.parseInt(parent, 10);
}

function closedStream(): OutputStream {
  return {
    write(text, done) {
      const error = new Error('EBADF: bad file descriptor, write');
      Object.assign(error, { code: 'EBADF', syscall: 'write' });
      queueMicrotask(() => done?.(text === '' ? null : error));
      return true;
    },
    on() {},
  };
}
