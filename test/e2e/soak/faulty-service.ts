import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Random } from '../../../src/text/random.ts';
import { buyer, page } from '../paged-service.ts';

/** How many buyers the service has; they never change. */
export const BUYERS = 700;

/** A service that fails in every way, and knows the truth. */
export type FaultyService = {
  readonly origin: string;
  /** How often a change was carried out, by the name that its body gives. */
  readonly carriedOut: ReadonlyMap<string, number>;
  /** How many responses were spoiled on purpose. */
  faults(): number;
};

/** What happens to a response: nothing, a status in its place, or a connection that ends before or within it. */
type Fault =
  | { readonly kind: 'none' | 'cut-before' | 'cut-within' }
  | { readonly kind: 'status'; readonly status: number };

const STATUSES = [429, 500, 502, 503, 504] as const;
const CUTS = ['cut-before', 'cut-within'] as const;

/** Starts the service; the end of the present test closes it. */
export async function startFaultyService(random: Random): Promise<FaultyService> {
  const carriedOut = new Map<string, number>();
  let faults = 0;
  const fault = (): Fault => {
    if (!random.chance(0.25)) return { kind: 'none' };
    faults += 1;
    return random.chance(0.5)
      ? { kind: 'status', status: random.pick(STATUSES) }
      : { kind: random.pick(CUTS) };
  };
  const respond = (request: IncomingMessage, response: ServerResponse) => {
    const { url = '' } = request;
    if (url.startsWith('/downloads/')) download(url, response, { fault: fault(), random });
    else if (url.startsWith('/buyers/'))
      void change(request, response, { fault: fault(), carriedOut, random });
    else send(response, buyersPage(url), fault());
  };
  const server = createServer((request, response) => {
    setTimeout(() => respond(request, response), random.below(20));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, carriedOut, faults: () => faults };
}

/** Sends a document, or what the fault turns it into. */
function send(response: ServerResponse, document: object, fault: Fault): void {
  if (fault.kind === 'cut-before') return void response.destroy();
  const status = fault.kind === 'status' ? fault.status : 200;
  const body = fault.kind === 'status' ? errorBody(status) : JSON.stringify(document);
  const headers = { 'content-type': 'application/json', 'retry-after': '0', date: new Date().toUTCString() };
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  if (fault.kind !== 'cut-within') return void response.end(body);
  response.write(body.slice(0, body.length / 2), () => response.destroy());
}

const errorBody = (status: number) =>
  JSON.stringify({ type: 'error', code: 'generic', status, message: 'Generic error', details: [] });

function buyersPage(url: string): object {
  const query = new URL(url, 'http://service').searchParams;
  const limit = Number(query.get('limit') ?? 20);
  const start = Number(query.get('cursor')?.slice('from-'.length) ?? 0);
  const end = Math.min(start + limit, BUYERS);
  const items = Array.from({ length: end - start }, (_, index) => buyer(start + index));
  return page(items, { limit, next: end < BUYERS ? `from-${end}` : null });
}

type DownloadContext = { readonly fault: Fault; readonly random: Random };
type ChangeContext = DownloadContext & { readonly carriedOut: Map<string, number> };

/** Carries out a change before or after the fault. A 429 says that nothing was carried out, so it is never sent after that. */
async function change(request: IncomingMessage, response: ServerResponse, context: ChangeContext) {
  const body: Buffer[] = [];
  try {
    for await (const chunk of request) body.push(chunk as Buffer);
  } catch {
    return; // The client ended in the middle of its request.
  }
  const { first_name: name } = JSON.parse(Buffer.concat(body).toString()) as { first_name: string };
  const { fault } = context;
  const refused = fault.kind === 'status' && fault.status === 429;
  const isLost = fault.kind !== 'none' && fault.kind !== 'cut-within' && context.random.chance(0.5);
  if (!refused && !isLost) context.carriedOut.set(name, (context.carriedOut.get(name) ?? 0) + 1);
  send(response, { type: 'shipping-details', id: `s-${name}`, first_name: name }, fault);
}

/** The bytes of a download, by its number. */
export function downloadOf(number: number): Buffer {
  return Buffer.from(`${number},row\n`.repeat(1 + ((number * 7919) % 60_000)));
}

/** Sends a file with a length, in chunks, or without either until the connection ends. */
function download(url: string, response: ServerResponse, { fault, random }: DownloadContext) {
  const bytes = downloadOf(Number(url.slice('/downloads/'.length)));
  if (fault.kind === 'cut-before') return void response.destroy();
  if (fault.kind === 'status') return send(response, {}, fault);
  const type = 'content-type: text/csv\r\n';
  const framing = random.pick(['length', 'chunks', 'none'] as const);
  const socket = response.socket;
  if (!socket) return;
  const heads = {
    length: `HTTP/1.1 200 OK\r\n${type}content-length: ${bytes.length}\r\n\r\n`,
    chunks: `HTTP/1.1 200 OK\r\n${type}transfer-encoding: chunked\r\n\r\n${bytes.length.toString(16)}\r\n`,
    none: `HTTP/1.0 200 OK\r\n${type}\r\n`,
  };
  const end = framing === 'chunks' ? '\r\n0\r\n\r\n' : '';
  const whole = Buffer.concat([Buffer.from(heads[framing]), bytes, Buffer.from(end)]);
  // Without a length, only a reset tells that bytes are missing.
  if (fault.kind === 'none') return void socket.end(whole);
  const part = whole.subarray(0, heads[framing].length + random.below(bytes.length));
  socket.write(part, () => (framing === 'none' ? socket.resetAndDestroy() : socket.destroy()));
}
