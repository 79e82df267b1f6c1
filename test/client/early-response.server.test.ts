import { describe, expect, it } from 'vitest';
import type { ApiError } from '../../src/client/errors.ts';
import { send } from '../../src/client/send.ts';
import { operations } from '../../src/contract/generated/operations.ts';
import type { BytesBody } from '../../src/descriptions/byte-source.ts';
import { failureOf } from './failure-of.ts';
import { contextFor } from './live-client.ts';
import {
  certificate,
  type Ending,
  head,
  SCHEMES,
  type Scheme,
  serveBytes,
  trustNoOthers,
} from './served-bytes.ts';

trustNoOthers();

const operation = {
  ...operations.listBuyers,
  id: 'upload',
  method: 'POST',
  path: '/files',
  merchantAccount: false,
  query: {},
} as const;
const PIECE = Buffer.alloc(64 * 1024, 'x');
const COUNT = 128;

/** The sources that were read to an end of some kind. */
let closed = 0;
async function* pieces() {
  try {
    for (let count = 0; count < COUNT; count += 1) yield PIECE;
  } finally {
    closed += 1;
  }
}

const file: BytesBody = {
  contentType: 'a/b',
  size: COUNT * PIECE.length,
  canRepeat: true,
  parts: [],
  pieces,
};
const JSON_BODY = JSON.stringify({ data: 'x'.repeat(8 * 1024 * 1024) });
const BODIES: Readonly<Record<string, () => string | BytesBody>> = {
  'a JSON body of 8 MB': () => JSON_BODY,
  'a file of 8 MB': () => file,
  'a body of unknown length': () => ({ ...file, size: undefined }),
};

/** A service that responds to the head of a request, and reads nothing of its body. */
function refuse(scheme: Scheme, status: string, connection: string, ending: Ending) {
  const body = JSON.stringify({ type: 'error', code: 'early', message: 'x'.repeat(20_000) });
  const lines = [
    'content-type: application/json',
    `connection: ${connection}`,
    `content-length: ${body.length}`,
  ];
  return serveBytes(scheme, ({ socket, end }) => {
    socket.pause();
    socket.write(head(status, ...lines) + body, () => end(ending));
  });
}

describe.each(SCHEMES)('a final response before the end of the request, over %s', (scheme) => {
  describe.each(Object.entries(BODIES))('is the outcome of %s', (_name, body) => {
    it.each(['end', 'truncate', 'reset', 'close', 'stay'] as const)(
      'where the service does this: %s',
      async (ending) => {
        for (const [status, connection] of [
          [401, 'close'],
          [413, 'keep-alive'],
        ] as const) {
          const { origin } = await refuse(scheme, `${status} No`, connection, ending);
          const context = contextFor(origin, { maxRetries: 0 }, { ca: certificate.cert });
          const error = (await failureOf(send(context, { operation, body: 'x', encode: body }))) as ApiError;
          expect([error.code, error.status, error.outcomeUnknown]).toEqual(['early', status, false]);
        }
      },
    );
  });

  it('ends the reading of the file', async () => {
    const before = closed;
    const { origin } = await refuse(scheme, '413 No', 'close', 'close');
    const context = contextFor(origin, { maxRetries: 0 }, { ca: certificate.cert });
    await failureOf(send(context, { operation, body: 'x', encode: () => file }));
    await expect.poll(() => closed).toBe(before + 1);
  });

  it.each(['end', 'reset', 'close'] as const)('is missing: the outcome is unknown: %s', async (ending) => {
    const { origin } = await serveBytes(scheme, ({ end }) => end(ending));
    const context = contextFor(origin, { maxRetries: 0 }, { ca: certificate.cert });
    for (const body of Object.values(BODIES)) {
      const error = await failureOf(send(context, { operation, body: 'x', encode: body }));
      expect(error).toMatchObject({ code: 'connection_lost', outcomeUnknown: true });
    }
  });
});
