import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { untilAborted } from '../signals.ts';
import type { Receiver } from './call.ts';
import type { Deadline } from './deadline.ts';
import { errorCode } from './errors.ts';
import { invalidGzip, isGzip, type ResponseStart, TRAILING_BYTES } from './transport.ts';

/** Where the body of a response goes. */
export type BodyTarget = {
  /**
   * Whether the body is taken in pieces, by what the response begins with; its text is read otherwise.
   * @throws what ends the call, such as BodyError
   */
  takes(start: Pick<ResponseStart, 'status' | 'headers'>): boolean;
  /** Called before the first piece of each attempt: what an earlier attempt gave does not count. */
  begin(): Promise<void>;
  /** Resolves when the next piece may come. */
  write(piece: Uint8Array): Promise<void>;
  /** Whether what was written can be taken back. */
  readonly canBeginAgain: boolean;
};

/** 204 and 205 have no body. */
const WITHOUT_BODY = new Set([204, 205]);

/**
 * Takes the bodies of successful responses, decoded from gzip, piece by piece: the next one is read when the last one was taken, so
 * that memory does not grow with the body. The time limit counts only while payctl waits for the service, and starts again with each piece.
 */
export function createReceiver(target: BodyTarget): Receiver {
  let hasPassedOn = false;
  let failure: unknown;
  const passOn = async (start: ResponseStart, limit: Deadline): Promise<number> => {
    let bytes = 0;
    const waited = async (work: Promise<void>) => {
      limit.pause();
      const noted = work.catch((error: unknown) => {
        failure = error;
        throw error;
      });
      await untilAborted(noted, limit.signal, () => limit.signal.reason);
      limit.restart();
    };
    try {
      // Checked before the place is opened that the pieces go to.
      const pieces: AsyncIterable<Uint8Array> = isGzip(start) ? inflated(start) : start.body;
      await waited(target.begin());
      for await (const piece of pieces) {
        hasPassedOn ||= !target.canBeginAgain;
        bytes += piece.length;
        await waited(target.write(piece));
      }
    } catch (error) {
      throw toBodyError(error, start.status);
    }
    return bytes;
  };
  return {
    receive(start, limit) {
      if (WITHOUT_BODY.has(start.status)) return undefined;
      return target.takes(start) ? passOn(start, limit) : undefined;
    },
    get hasPassedOn() {
      return hasPassedOn;
    },
    get failure() {
      return failure;
    },
  };
}

/** @throws BodyError for bytes after the end of gzip */
async function* inflated({ body, status }: ResponseStart): AsyncGenerator<Uint8Array, void, undefined> {
  let received = 0;
  body.on('data', ({ length }: Buffer) => {
    received += length;
  });
  const gunzip = pipeline(body, createGunzip(), () => {});
  yield* gunzip;
  // Node silently ignores bytes that follow the end.
  if (gunzip.bytesWritten !== received) throw invalidGzip(status, TRAILING_BYTES);
}

function toBodyError(error: unknown, status: number): unknown {
  const code = errorCode(error);
  if (!code.startsWith('Z_') || !(error instanceof Error)) return error;
  return invalidGzip(status, error.message);
}
