/** Requests per second of servers, from 16 connections at once. */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { mostOf, type Values } from './measure.ts';
import { report } from './row.ts';
import type { Server } from './servers.ts';

/** Method, path, and a JSON body for changes. */
export type Ask = readonly [string, string, string?];

const CONNECTIONS = 16;
const ROUNDS = 8;
const SECONDS = 1;

/** A server and what it is asked, in turns. */
export type Load = { readonly server: Server; readonly asks: readonly [Ask, ...Ask[]] };

/** What one round gave: requests per second, and per second of CPU time that the server took, where the platform tells it. */
type Rate = { readonly wall: number; readonly cpu: number | undefined };

/**
 * Reports how many times more requests per second ours answers, and how many times more for the same time of the processor. The
 * rounds follow each other at once; the first does not count.
 */
export async function contest(
  name: string,
  [ours, theirs]: readonly [Load, Load],
  atLeast?: number,
): Promise<void> {
  const rates = { ours: [] as Rate[], theirs: [] as Rate[] };
  for (let round = -1; round < ROUNDS; round += 1) {
    const rate = { ours: await measure(ours), theirs: await measure(theirs) };
    if (round < 0) continue;
    rates.ours.push(rate.ours);
    rates.theirs.push(rate.theirs);
  }
  const against = { name: theirs.server.name, values: valuesOf(rates.theirs) };
  const row = { name, unit: 'per second', values: valuesOf(rates.ours), against } as const;
  report({ ...row, ...(atLeast && { bar: { atLeast } }) });
}

function valuesOf(rates: readonly Rate[]): Values {
  const cpus = rates.flatMap(({ cpu }) => (cpu === undefined ? [] : [cpu]));
  return { ...mostOf(rates.map(({ wall }) => wall)), ...(cpus.length > 0 && { cpu: Math.max(...cpus) }) };
}

async function measure({ server, asks }: Load): Promise<Rate> {
  const requests = asks.map((ask) => requestText(server, ask));
  const before = cpuSeconds(server);
  const started = performance.now();
  const until = started + SECONDS * 1000;
  let count = 0;
  const next = () => {
    if (performance.now() >= until) return undefined;
    count += 1;
    return requests[count % requests.length];
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, () => converse(server, next)));
  const seconds = (performance.now() - started) / 1000;
  const after = cpuSeconds(server);
  const cpu = before === undefined || after === undefined ? undefined : count / (after - before);
  return { wall: count / seconds, cpu };
}

/** Requests are written once and sent as they are: a client that takes as long as the server would make all servers alike. */
function requestText({ url, token }: Server, [method, path, body]: Ask): string {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `host: ${new URL(url).host}`,
    `authorization: Bearer ${token}`,
  ];
  const content = ['content-type: application/json', `content-length: ${Buffer.byteLength(body ?? '')}`];
  return [...lines, ...(body === undefined ? [] : content), '', body ?? ''].join('\r\n');
}

const END_OF_HEAD = '\r\n\r\n';
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

/**
 * Sends one request after the other over one connection, until there is none. Of each answer, only the status and the end are
 * read. @throws for an answer that is not a success
 */
function converse({ url }: Server, next: () => string | undefined): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  let received: Buffer = Buffer.alloc(0);
  const send = () => {
    received = Buffer.alloc(0);
    const text = next();
    if (text === undefined) socket.end();
    else socket.write(text);
  };
  socket.on('connect', send);
  socket.on('data', (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const end = received.indexOf(END_OF_HEAD);
    if (end === -1) return;
    const head = received.toString('latin1', 0, end);
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
    const isWhole =
      length === undefined
        ? received.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK)
        : received.length >= end + END_OF_HEAD.length + Number(length);
    if (!isWhole) return;
    if (/^HTTP\/1\.1 2/.test(head)) send();
    else reject(new Error(`${url} answered ${received}`));
  });
  socket.on('error', reject);
  socket.on('close', () => resolve());
  return promise;
}

/** What `/proc` counts CPU time in. */
const TICKS_PER_SECOND = 100;

/** The seconds of CPU time, user and system, that a server has taken; undefined where the platform does not tell. */
function cpuSeconds({ pid }: Server): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return undefined;
  }
}
