import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { getSystemErrorName } from 'node:util';
import { errorCode } from '../errors.ts';

/** A socket as undici has to read it: without unrequested interim responses, and with the end that its connection had. */
export function forResponses<S extends Socket | TLSSocket>(socket: S): S {
  new Ending(socket).watch();
  return withoutContinue(socket);
}

/**
 * The connection broke. It has no code of its own: undici takes `ECONNRESET` for the end of a response without a length.
 */
class BrokenError extends Error {
  constructor(cause: unknown) {
    super('the connection broke', { cause });
  }
}

/** Codes of a write to a connection that the other side has closed. */
const CLOSED_BY_PEER = new Set(['EPIPE', 'ECONNRESET', 'ECONNABORTED']);

/**
 * Makes a socket end as its connection did, and after everything that arrived before. Its reader gets `end` only if the other side
 * has ended its data: a reset is an error, and so is TLS without `close_notify` in a response without a length. A reader that is slow
 * still gets every byte. If a write fails because the other side has closed, what it sent before is read first.
 */
class Ending {
  readonly #socket: Socket;
  readonly #isTls: boolean;
  readonly #own: Pick<Socket, 'read' | 'push' | 'destroy' | '_read'>;
  #failedWrite: Error | undefined;
  /** Why the other side refuses the connection: a TLS alert, which Node reports before the end and does not end the socket with. */
  #alert: Error | undefined;
  /** Passes the end on; undefined before the end. */
  #passOn: (() => void) | undefined;
  /** A reader that can take no more stops after a piece; one that has taken everything was given nothing the last time. */
  #wantsMore = true;

  constructor(socket: Socket | TLSSocket) {
    this.#socket = socket;
    this.#isTls = 'encrypted' in socket;
    const { read, push, destroy, _read } = socket;
    this.#own = { read, push, destroy, _read };
  }

  watch(): void {
    const socket = this.#socket;
    const own = this.#own;
    // It stays, because a tunnel can report an error of the connection below after undici has stopped listening.
    socket.on('error', (error) => {
      if (errorCode(error).includes('_ALERT_')) this.#alert ??= error;
    });
    keepOpenForReading(socket, (error) => {
      this.#failedWrite = error;
    });
    socket.read = (size) => (size === 0 && this.#passOn ? null : this.#read(size));
    socket._read = (size) => {
      if (!this.#passOn) own._read.call(socket, size);
    };
    socket.push = (piece: Buffer | null) => (piece === null ? this.#end() : own.push.call(socket, piece));
    socket.destroy = (error) => {
      if (socket.readableEnded || !isOfConnection(error)) own.destroy.call(socket, error);
      else this.#after(() => this.#break(error));
      return socket;
    };
  }

  #read(size: number | undefined): unknown {
    const piece: unknown = this.#own.read.call(this.#socket, size);
    if (size !== 0) this.#wantsMore = piece === null;
    // Not at once, because the reader is still at work on what it has.
    if (this.#passOn && this.#wantsMore) process.nextTick(this.#passOn);
    return piece;
  }

  #end(): boolean {
    // The system reports a reset once, to a write or to a read: after a failed write, an end may be one.
    const isBroken = this.#failedWrite !== undefined || (this.#isTls && !endedWithCloseNotify(this.#socket));
    this.#after(() => {
      if (isBroken) return this.#break(this.#failedWrite);
      this.#own.push.call(this.#socket, null);
      this.#own.read.call(this.#socket, 0);
    });
    return false;
  }

  /** Passes the end on when the reader has taken everything. */
  #after(passOn: () => void): void {
    if (this.#passOn) return;
    this.#passOn = passOn;
    if (this.#wantsMore && this.#socket.readableLength === 0) passOn();
  }

  #break(reported: Error | undefined): void {
    const error = this.#alert ?? reported;
    const isKnown = error !== undefined && errorCode(error) !== 'ECONNRESET';
    this.#own.destroy.call(this.#socket, isKnown ? error : new BrokenError(error));
  }
}

/** Whether Node destroys a socket with this error because its connection has ended; undici and payctl have errors of their own. */
function isOfConnection(error: Error | undefined): boolean {
  return !error || 'syscall' in error || 'library' in error;
}

/** Without this, Node closes the socket, and a response that has arrived is lost. A write that fails so never ends. */
function keepOpenForReading(socket: Socket, failed: (error: Error) => void): void {
  const ended = (callback: (error?: Error | null) => void) => (error?: Error | null) => {
    if (error && CLOSED_BY_PEER.has(errorCode(error))) failed(error);
    else callback(error);
  };
  const { _write, _writev } = socket;
  socket._write = (chunk, encoding, callback) => {
    _write.call(socket, chunk, encoding, ended(callback));
  };
  socket._writev = (chunks, callback) => {
    _writev?.call(socket, chunks, ended(callback));
  };
}

/** Whether a handle takes what comes from the network. */
type Reader = { readStart(): number };
type Handle = { readonly reading?: boolean; readonly _parent?: Reader | null };

/**
 * Whether the data of a TLS connection ended with `close_notify` and not with the connection below it, which Node reports in the
 * same way. To be called when the end is reported. The notice is found among bytes from the network, while the connection below
 * is still being read; at its own end, Node has stopped reading it. An end that comes while payctl lets the socket wait was found
 * among the bytes before the wait.
 */
function endedWithCloseNotify(socket: Socket & { readonly _handle?: Handle | null }): boolean {
  const handle = socket._handle;
  if (handle?.reading === false) return true;
  const result = handle?._parent?.readStart();
  return result !== undefined && result < 0 && getSystemErrorName(result) === 'EALREADY';
}

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
