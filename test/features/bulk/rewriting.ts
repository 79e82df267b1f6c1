import { serve } from '../../harness/serve.ts';

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
    const server = await serve(async (request, response) => {
      const { connection: _connection, host: _host, 'content-length': _length, ...headers } = request.headers;
      const passed = await fetch(target + request.url, {
        method: request.method,
        headers: headers as Record<string, string>,
        body: request.method === 'POST' ? request.body : null,
      });
      const reply = { status: passed.status, body: (await passed.json()) as Members };
      const edited = request.method === method && passed.ok ? edit(reply, count++) : {};
      const { status, body } = { ...reply, ...edited };
      response.writeHead(status, { 'content-type': 'application/json', date: new Date().toUTCString() });
      response.end(JSON.stringify(body));
    });
    return server.origin;
  };
}
