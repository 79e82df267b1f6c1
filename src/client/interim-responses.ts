import type { Socket } from 'node:net';

const CONTINUE = Buffer.from('HTTP/1.1 100');
const END_OF_HEAD = Buffer.from('\r\n\r\n');
/** More than this is no interim response; the parser reports what it is. */
const LARGEST_HEAD = 16_384;

/**
 * Removes each `100 Continue` before a response from what the socket reads. A service or a proxy may send an unrequested one,
 * which a client has to ignore (RFC 9110, 15.2); undici closes the connection instead. Other interim responses stay: undici
 * ignores them itself.
 */
export function withoutContinue<S extends Pick<Socket, 'read' | 'write'>>(socket: S): S {
  const read = socket.read.bind(socket);
  const write = socket.write.bind(socket);
  let isBeforeResponse = true;
  let held: Buffer | undefined;
  // A response begins after a request: what is written while one is being received belongs to the same request.
  socket.write = ((...args: Parameters<typeof write>) => {
    isBeforeResponse = true;
    return write(...args);
  }) as S['write'];
  socket.read = ((size?: number) => {
    for (;;) {
      const chunk: Buffer | null = read(size);
      if (!isBeforeResponse || chunk === null) return chunk;
      const { rest, isComplete } = dropContinue(held ? Buffer.concat([held, chunk]) : chunk);
      held = isComplete ? undefined : rest;
      isBeforeResponse = !isComplete;
      if (isComplete) return rest;
    }
  }) as S['read'];
  return socket;
}

/** What follows the interim responses at the beginning; not complete where more has to be read to know that. */
function dropContinue(bytes: Buffer): { readonly rest: Buffer; readonly isComplete: boolean } {
  let rest = bytes;
  for (;;) {
    const start = rest.subarray(0, CONTINUE.length);
    if (!CONTINUE.subarray(0, start.length).equals(start)) return { rest, isComplete: true };
    const end = rest.indexOf(END_OF_HEAD);
    if (end === -1) return { rest, isComplete: rest.length > LARGEST_HEAD };
    rest = rest.subarray(end + END_OF_HEAD.length);
    if (rest.length === 0) return { rest, isComplete: false };
  }
}
