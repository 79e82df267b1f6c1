const fs = process.getBuiltinModule('node:fs');

/** In bytes, more than the largest file of the program and its compiled code. What is not used of it takes no memory. */
const ROOM = 1024 * 1024;
let room: Buffer | undefined;

/**
 * Reads a whole file into memory that the next call uses again: fresh memory for each file would cost more time than reading it.
 * What is no file of its own, such as a named pipe, is empty, and is not waited for. @throws as `openSync` does
 */
export function readAtOnce(file: string): Buffer {
  const { O_RDONLY, O_NONBLOCK = 0 } = fs.constants;
  const descriptor = fs.openSync(file, O_RDONLY | O_NONBLOCK);
  try {
    const { size } = fs.fstatSync(descriptor);
    if (!room || room.length < size) room = Buffer.allocUnsafeSlow(Math.max(size, ROOM));
    return room.subarray(0, readAll(descriptor, room.subarray(0, size)));
  } finally {
    fs.closeSync(descriptor);
  }
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
