import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { onTestFinished } from 'vitest';
import type { MadeCertificate } from './certificates.ts';

/** What a proxy does with a CONNECT: a status that it refuses it with, or something worse than a status. */
export type Misbehaviour = number | 'silent' | 'reset' | 'not-http';

/** How a proxy behaves. */
export type ProxyOptions = {
  /** `USER:PASSWORD` that it wants. */
  readonly credentials?: string;
  /** Header of its 407. */
  readonly challenge?: string;
  readonly misbehaves?: Misbehaviour | (() => Misbehaviour | undefined);
  /** Where hosts are, for names that only the proxy resolves: `HOST:PORT` by `HOST:PORT`. */
  readonly routes?: Readonly<Record<string, string>>;
  /** Ends a tunnel that has carried nothing for so many milliseconds. */
  readonly idleLimit?: number;
  /** Delays the answer to CONNECT by so many milliseconds. */
  readonly delay?: number;
  /** Makes it an https proxy. */
  readonly certificate?: MadeCertificate;
  readonly port?: number;
};

/** A running proxy. */
export type TestProxy = {
  readonly url: string;
  readonly port: number;
  /** The CONNECT requests that it got: target and headers. */
  readonly connects: readonly { readonly target: string; readonly headers: IncomingMessage['headers'] }[];
  /** How many tunnels are open. */
  tunnels(): number;
  /** Every byte that clients sent into tunnels, as latin1. */
  carried(): string;
  /** Breaks every tunnel. */
  close(): Promise<void>;
};

/** Starts a proxy that opens tunnels and does nothing else; the end of the present test closes it. */
export async function startProxy(options: ProxyOptions = {}): Promise<TestProxy> {
  const connects: { target: string; headers: IncomingMessage['headers'] }[] = [];
  const sockets = new Set<Duplex>();
  const carried: string[] = [];
  let tunnels = 0;
  const server = options.certificate ? createTlsServer(options.certificate) : createServer();
  server.on('connection', (socket: Socket) => keep(socket, sockets));
  server.on('connect', (request: IncomingMessage, client: Socket, head: Buffer) => {
    keep(client, sockets);
    connects.push({ target: request.url ?? '', headers: request.headers });
    const open = () => {
      const { misbehaves } = options;
      const how = typeof misbehaves === 'function' ? misbehaves() : misbehaves;
      if (how !== undefined) return misbehave(client, how);
      if (!isAllowed(request, options)) return refuse(client, 407, options.challenge ?? 'Basic realm="test"');
      const [host = '', port = ''] = splitTarget(options.routes?.[request.url ?? ''] ?? request.url ?? '');
      const upstream = connect({ host, port: Number(port) });
      keep(upstream, sockets);
      upstream.on('error', () => refuse(client, 502));
      upstream.once('connect', () => {
        tunnels += 1;
        client.once('close', () => {
          tunnels -= 1;
        });
        client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        upstream.write(head);
        client.on('data', (chunk: Buffer) => carried.push(chunk.toString('latin1')));
        client.pipe(upstream).pipe(client);
        if (options.idleLimit !== undefined) client.setTimeout(options.idleLimit, () => client.destroy());
      });
    };
    if (options.delay === undefined) open();
    else setTimeout(open, options.delay).unref();
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      for (const socket of sockets) socket.destroy();
      server.close(() => resolve());
    });
  onTestFinished(close);
  const scheme = options.certificate ? 'https' : 'http';
  return {
    url: `${scheme}://127.0.0.1:${port}`,
    port,
    connects,
    tunnels: () => tunnels,
    carried: () => carried.join(''),
    close,
  };
}

function keep(socket: Duplex, sockets: Set<Duplex>): void {
  sockets.add(socket);
  socket.on('error', () => {});
  socket.once('close', () => sockets.delete(socket));
}

function isAllowed({ headers }: IncomingMessage, { credentials }: ProxyOptions): boolean {
  if (credentials === undefined) return true;
  return headers['proxy-authorization'] === `Basic ${Buffer.from(credentials).toString('base64')}`;
}

function misbehave(client: Socket, how: Misbehaviour): void {
  if (how === 'silent') return;
  if (how === 'reset') return void client.resetAndDestroy();
  if (how === 'not-http') return void client.end('SSH-2.0-OpenSSH_9.6\r\n');
  refuse(client, how);
}

function refuse(client: Socket, status: number, challenge?: string): void {
  const header = challenge === undefined ? '' : `Proxy-Authenticate: ${challenge}\r\n`;
  client.end(`HTTP/1.1 ${status} No\r\n${header}Content-Length: 4\r\n\r\nno!\n`);
}

function splitTarget(target: string): string[] {
  const [, host = '', port = ''] = /^\[?(.*?)\]?:(\d+)$/.exec(target) ?? [];
  return [host, port];
}
