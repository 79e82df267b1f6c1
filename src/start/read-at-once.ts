const fs = process.getBuiltinModule('node:fs');

/** In bytes, more than the largest file of the program and its compiled code. What is not used of it takes no memory. */
const ROOM = 1024 * 1024;
/** In bytes, more than any file that is kept twice has: a damaged one can have any size. */
const LARGEST = 64 * ROOM;
/** In bytes; as much as a processor has at hand. */
const WINDOW = 64 * 1024;
let room: Buffer | undefined;

/**
 * Reads a whole file into memory that the next call uses again: fresh memory for each file would cost more time than reading it.
 * Reads non-regular files, such as named pipes, as empty instead of blocking. @throws as `openSync` does
 */
export function readAtOnce(file: string): Buffer {
  return withFile(file, (descriptor, size) => {
    const target = roomOf(size);
    return target.subarray(0, readAll(descriptor, target));
  });
}

/**
 * Reads a file of a head, whose size is in bytes, and of what follows it twice. Returns the head and the first copy, in memory as
 * `readAtOnce` uses; undefined where the file is cut, larger than 64 MiB, or the copies differ. @throws as `openSync` does
 */
export function readTwofold(file: string, head: number): Buffer | undefined {
  return withFile(file, (descriptor, size) => {
    const end = (size + head) / 2;
    if (!Number.isInteger(end) || end <= head || size > LARGEST) return undefined;
    const target = roomOf(end + WINDOW);
    const first = target.subarray(0, end);
    if (readAll(descriptor, first) < end) return undefined;
    for (let at = head; at < end; at += WINDOW) {
      const expected = first.subarray(at, at + WINDOW);
      const copy = target.subarray(end, end + expected.length);
      if (readAll(descriptor, copy) < copy.length || !copy.equals(expected)) return undefined;
    }
    return first;
  });
}

function withFile<T>(file: string, use: (descriptor: number, size: number) => T): T {
  const { O_RDONLY, O_NONBLOCK = 0 } = fs.constants;
  const descriptor = fs.openSync(file, O_RDONLY | O_NONBLOCK);
  try {
    return use(descriptor, fs.fstatSync(descriptor).size);
  } finally {
    fs.closeSync(descriptor);
  }
}

function roomOf(size: number): Buffer {
  if (!room || room.length < size) room = Buffer.allocUnsafeSlow(Math.max(size, ROOM));
  return room.subarray(0, size);
}

/** Fills a buffer from a file, as far as it goes; returns how many bytes there were. */
function readAll(descriptor: number, target: Buffer): number {
  let length = 0;
  while (length < target.length) {
    const read = fs.readSync(descriptor, target, length, target.length - length, null);
    if (read === 0) break;
    length += read;
  }
  return length;
}
