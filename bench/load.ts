/** Requests per second of servers, from 16 connections at once. */
import { Agent, request } from 'node:http';
import { mostOf } from './measure.ts';
import { report } from './row.ts';
import type { Server } from './servers.ts';

/** Method, path, and a JSON body for changes. */
export type Ask = readonly [string, string, string?];

const CONNECTIONS = 16;
const ROUNDS = 8;
const SECONDS = 1;
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

/** A server and what it is asked, in turns. */
export type Load = { readonly server: Server; readonly asks: readonly [Ask, ...Ask[]] };

/** Reports how many times more requests per second ours answers. The rounds follow each other at once; the first does not count. */
export async function contest(
  name: string,
  [ours, theirs]: readonly [Load, Load],
  atLeast?: number,
): Promise<void> {
  const rates = { ours: [] as number[], theirs: [] as number[] };
  for (let round = -1; round < ROUNDS; round += 1) {
    const rate = { ours: await perSecond(ours), theirs: await perSecond(theirs) };
    if (round < 0) continue;
    rates.ours.push(rate.ours);
    rates.theirs.push(rate.theirs);
  }
  const against = { name: theirs.server.name, values: mostOf(rates.theirs) };
  const row = { name, unit: 'per second', values: mostOf(rates.ours), against } as const;
  report({ ...row, ...(atLeast && { bar: { atLeast } }) });
}

async function perSecond({ server, asks }: Load): Promise<number> {
  const until = performance.now() + SECONDS * 1000;
  let count = 0;
  const work = async () => {
    while (performance.now() < until) {
      await ask(server, asks[count % asks.length] ?? asks[0]);
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  return count / SECONDS;
}

function ask({ url, token }: Server, [method, path, body]: Ask): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      }),
    };
    const sent = request(url + path, { agent, method, headers }, (response) => {
      response.resume();
      response.on('end', () => {
        if ((response.statusCode ?? 500) < 300) resolve();
        else reject(new Error(`${url}${path} answered ${response.statusCode}`));
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
