import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/**
 * Watches the process at the other end of the stdout pipe. The returned function says whether that process has left; otherwise only a
 * write would tell, and an hour may pass before there is something to write. Works only on Linux, and for processes of the
 * same user; elsewhere it returns false.
 */
export function watchReader(): () => boolean {
  const pipe = process.platform === 'linux' ? linkAt('/proc/self/fd/1') : undefined;
  if (!pipe?.startsWith('pipe:')) return () => false;
  let reader = findReader(pipe);
  if (reader === undefined) return () => false;
  return () => {
    if (reader !== undefined && !mayLink(reader, pipe)) reader = findReader(pipe);
    return reader === undefined;
  };
}

/** The open file of a process that reads a pipe, such as `/proc/7/fd/0`. */
function findReader(pipe: string): string | undefined {
  for (const pid of readdirSync('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    const folder = `/proc/${pid}/fd`;
    for (const file of filesIn(folder)) {
      if (linkAt(`${folder}/${file}`) === pipe && isForReading(pid, file)) return `${folder}/${file}`;
    }
  }
  return undefined;
}

/** A process that has ended, or belongs to another user, has none. */
function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isForReading(pid: string, file: string): boolean {
  try {
    const [, flags = ''] = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/fdinfo/${file}`, 'utf8')) ?? [];
    return (Number.parseInt(flags, 8) & WRITES) === 0;
  } catch {
    return false;
  }
}

/** The flags of a file that is open for writing, or for both reading and writing. */
const WRITES = 3;

function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** A process that now belongs to another user may still read. */
function mayLink(path: string, target: string): boolean {
  try {
    return readlinkSync(path) === target;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}
