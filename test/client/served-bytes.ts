import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates, TLSSocket } from 'node:tls';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { makeCertificate } from '../harness/certificates.ts';

/**
 * How the server ends the connection: FIN, over TLS after `close_notify`; FIN alone, whatever the protocol above it
 * needs; FIN after the first bytes of a TLS record; RST; closed by the system, which is a RST where there are bytes that
 * nobody has read.
 */
export type Ending = 'end' | 'truncate' | 'cut' | 'reset' | 'close' | 'stay';

export const SCHEMES = ['http', 'https'] as const;
export type Scheme = (typeof SCHEMES)[number];

export const certificate = makeCertificate({ addresses: ['127.0.0.1'] });

/** Lets the tests of a file trust no other certificate: reading those of Node takes longer than most connections. */
export function trustNoOthers(): void {
  const others = getCACertificates('default');
  beforeAll(() => setDefaultCACertificates([]));
  afterAll(() => setDefaultCACertificates(others));
}

/** A connection as the server has it. */
export type Served = { readonly socket: Socket; end(how: Ending): void };

/** The header of a TLS record of 256 bytes, and some of them. */
const START_OF_RECORD = Buffer.concat([Buffer.of(0x17, 3, 3, 1, 0), Buffer.alloc(40)]);

/** A server that does this with each request. */
export async function serveBytes(scheme: Scheme, serve: (connection: Served) => void) {
  const sockets: Socket[] = [];
  const server = createServer({ noDelay: true }, (raw) => {
    sockets.push(raw);
    raw.on('error', () => {});
    const socket = scheme === 'https' ? new TLSSocket(raw, { isServer: true, ...certificate }) : raw;
    const end = (how: Ending) => {
      if (how === 'end') socket.end();
      else if (how === 'truncate') raw.end();
      else if (how === 'cut') raw.end(scheme === 'https' ? START_OF_RECORD : '');
      else if (how === 'reset') raw.resetAndDestroy();
      else if (how === 'close') raw.destroy();
    };
    socket
      .on('error', () => {})
      .on('data', (bytes) => {
        if (!/^[A-Z]+ \//.test(bytes.toString('latin1', 0, 8))) return;
        serve({ socket, end });
      });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { origin: `${scheme}://127.0.0.1:${port}` };
}

/** The head of a response. */
export const head = (...lines: readonly string[]) => `HTTP/1.1 ${lines.join('\r\n')}\r\n\r\n`;
