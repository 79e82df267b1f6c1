import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

type Members = Readonly<Record<string, unknown>>;

/** A successful response of the service; what a test gives for it is sent instead. */
export type Reply = { readonly status: number; readonly body: Members };

/**
 * Something between payctl and the service that changes what the service responds to requests of a method, as `startBulk` takes it. `count` is how many
 * of these requests there were before.
 */
export function rewriting(method: 'GET' | 'POST', edit: (reply: Reply, count: number) => Partial<Reply>) {
  return async (target: string): Promise<string> => {
    let count = 0;
    const server = createServer(async (request, response) => {
      const { connection: _connection, host: _host, 'content-length': _length, ...headers } = request.headers;
      const sent = request.method === 'POST' ? JSON.stringify(await json(request)) : null;
      const passed = await fetch(target + request.url, {
        method: request.method ?? '',
        headers: headers as Record<string, string>,
        body: sent,
      });
      const reply = { status: passed.status, body: (await passed.json()) as Members };
      const edited = request.method === method && passed.ok ? edit(reply, count++) : {};
      const { status, body } = { ...reply, ...edited };
      response.writeHead(status, { 'content-type': 'application/json', date: new Date().toUTCString() });
      response.end(JSON.stringify(body));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
}
