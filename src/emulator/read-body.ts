import type { IncomingMessage } from 'node:http';
import { Refusal } from './respond.ts';

/** The largest body that is taken, in bytes. */
export const bodyLimit = 1024 * 1024;

const empty = Buffer.alloc(0);

/**
 * Reads the body of a request to its end. A longer one is read to its end too, without being kept, so that the
 * client is done sending when it gets its answer.
 * @throws Refusal `bad_request` above the limit
 */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if ((length === undefined || length === '0') && encoding === undefined) return empty;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= bodyLimit) chunks.push(chunk);
    else chunks.length = 0;
  }
  if (size <= bodyLimit) return Buffer.concat(chunks);
  const message = `the body must have at most ${bodyLimit} bytes`;
  throw new Refusal('bad_request', {
    details: [{ type: 'value_error.body_too_large', pointer: '', message, location: 'body' }],
  });
}
