import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../src/client/client.ts';
import { withoutContinue } from '../../src/client/network/response-socket.ts';

const head = (status: string, ...headers: string[]) =>
  `HTTP/1.1 ${[status, ...headers].join('\r\n')}\r\n\r\n`;
const body = '{"items":[{"id":"HTTP/1.1 100 Continue\\r\\n\\r\\n"}]}';
const page = head('200 OK', 'content-type: application/json', `content-length: ${body.length}`) + body;
const items = JSON.parse(body).items;

/** A client of a server that answers each request with these bytes, cut into parts that arrive one after the other. */
async function clientOf(bytes: string, cuts: readonly number[] = []) {
  let connections = 0;
  const server = createServer({ noDelay: true }, (socket) => {
    connections += 1;
    socket.on('error', () => {});
    socket.on('data', async () => {
      let start = 0;
      for (const end of [...cuts, bytes.length]) {
        await new Promise((resolve) => setTimeout(resolve, 1));
        socket.write(bytes.slice(start, end));
        start = end;
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, token: 't', maxRetries: 0 });
  onTestFinished(async () => {
    await client.close();
    server.close();
  });
  return { client, connections: () => connections };
}

describe('a response after an interim one that nobody asked for', () => {
  it.each([
    ['100', head('100 Continue')],
    ['100 with headers', head('100 Continue', 'x-a: b', 'date: now')],
    ['two of 100', head('100 Continue') + head('100')],
    ['102', head('102 Processing')],
    ['103', head('103 Early Hints', 'link: </a>; rel=preload')],
    ['100, 103 and 100', head('100 Continue') + head('103 Early Hints')],
  ])('is read: %s', async (_, interim) => {
    const { client, connections } = await clientOf(interim + page);
    expect((await client.buyers.list()).items).toEqual(items);
    expect((await client.buyers.list()).items).toEqual(items);
    expect(connections()).toBe(1);
  });

  it('is read where it arrives in pieces', async () => {
    const bytes = head('100 Continue', 'x-a: b') + head('100 Continue') + page;
    for (const cuts of [
      [1],
      [4, 9, 14, 20],
      [bytes.indexOf('\r\n\r\n') + 2],
      [bytes.indexOf('HTTP/1.1 200')],
    ]) {
      const { client } = await clientOf(bytes, cuts);
      expect((await client.buyers.list()).items).toEqual(items);
    }
  });

  it('is read after a write', async () => {
    const { client } = await clientOf(head('100 Continue') + page);
    expect(await client.checkoutSessions.update('s1', {})).toEqual({ items });
  });

  it('that never comes is a connection error', async () => {
    const { client } = await clientOf(head('100 Continue') + head('101 Switching Protocols'));
    await expect(client.buyers.list()).rejects.toMatchObject({ code: 'connection_lost' });
  });
});

describe('withoutContinue', () => {
  it('changes nothing but the interim responses before the response, however the bytes arrive', () => {
    const interim = fc.constantFrom(
      '',
      head('100 Continue'),
      head('100 A', 'b: c'),
      head('100 A') + head('100 B'),
    );
    const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 });
    const responses = fc.constantFrom(page, 'junk', head('103 Early Hints'), head('101 Switching Protocols'));
    fc.assert(
      fc.property(interim, responses, sizes, (before, response, cut) => {
        expect(readThrough(before + response, cut)).toBe(response);
      }),
    );
  });
});

/** What comes through of bytes that arrive in parts of these sizes, in turn. */
function readThrough(bytes: string, sizes: readonly number[]): string {
  const parts: Buffer[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const end = at + (sizes[turn % sizes.length] ?? 1);
    parts.push(Buffer.from(bytes.slice(at, end)));
    at = end;
  }
  const socket = withoutContinue({ read: () => parts.shift() ?? null, write: () => true });
  let seen = '';
  for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) seen += chunk;
  return seen;
}
