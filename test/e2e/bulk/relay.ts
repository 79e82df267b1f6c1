import type { ServerResponse } from 'node:http';
import type { RecordedRequest } from '../../harness/http-server.ts';
import { serve } from '../../harness/serve.ts';

/** A POST on its way, which the test lets pass in its own time. */
export type Passing = {
  /** Hands it to the service; resolves when that has responded. */
  forward(): Promise<void>;
  /** Hands the response of the service to payctl. */
  answer(): void;
};

/** Stands between payctl and a service until the end of the test. */
export class Relay {
  /** Called with each POST once payctl has sent all of it. */
  onPost: (post: Passing) => Promise<void> = async (post) => {
    await post.forward();
    post.answer();
  };
  /** How much later it is by the clock of the service than here, as its responses say. */
  aheadMs = 0;
  #target = '';

  /** Begins to pass requests to a service; gives the base URL to use instead. */
  async open(target: string): Promise<string> {
    this.#target = target;
    const server = await serve((request, response) => {
      // A client that was killed takes no response.
      this.#pass(request, response).catch(() => response.destroy());
    });
    return server.origin;
  }

  async #pass(request: RecordedRequest, response: ServerResponse): Promise<void> {
    const { method, url, headers, bytes: sent } = request;
    const { connection: _connection, host: _host, 'content-length': _length, ...rest } = headers;
    const forward = async () => {
      const answer = await fetch(this.#target + url, {
        method,
        headers: rest as Record<string, string>,
        ...(sent.length > 0 && { body: sent }),
      });
      const body = Buffer.from(await answer.arrayBuffer());
      const headersBack = [...answer.headers].filter(([name]) => !OWN.has(name));
      const date = new Date(Date.now() + this.aheadMs).toUTCString();
      return { status: answer.status, headers: { ...Object.fromEntries(headersBack), date }, body };
    };
    let answer: Awaited<ReturnType<typeof forward>> | undefined;
    const post: Passing = {
      async forward() {
        answer = await forward();
      },
      answer() {
        if (!answer) return;
        response.writeHead(answer.status, answer.headers).end(answer.body);
      },
    };
    if (method === 'POST') return await this.onPost(post);
    await post.forward();
    post.answer();
  }
}

/** Headers that are about the connection, or about a body that is no longer packed. */
const OWN = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-encoding', 'content-length']);
