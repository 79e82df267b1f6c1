/** The listener for webhooks: events per second that are on disk before they are acknowledged, how long that takes, and memory. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { leastOf, mostOf } from './measure.ts';
import { folder, payctl } from './programs.ts';
import { report } from './row.ts';
import { firstLine } from './start-service.ts';

const SECRET = 'bench';
const CONNECTIONS = 32;
const secretFile = join(folder, 'secret');
writeFileSync(secretFile, SECRET, { mode: 0o600 });

async function listen(name: string, words: readonly string[]) {
  const flags = ['--port', '0', '--secret', `@${secretFile}`, '--directory', join(folder, name), '-q'];
  const { command, args, env } = payctl(['webhooks', 'listen', ...flags, ...words]);
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { child, url: await firstLine(child) };
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  await once(child, 'close');
}

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

/** Sends a signed event of about 600 bytes and resolves to the milliseconds until it was acknowledged. */
function post(url: string, index: number): Promise<number> {
  const target = { type: 'transaction', id: `record-${index % 1000}`, amount: index, note: 'x'.repeat(400) };
  const event = { type: 'event', id: randomUUID(), target, event: 'transaction.captured' };
  const body = JSON.stringify(event);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const headers = {
    'content-length': Buffer.byteLength(body),
    'x-service-delivery': event.id,
    'x-service-timestamp': timestamp,
    'x-service-signature': createHmac('sha256', SECRET).update(`${timestamp}.${body}`).digest('hex'),
  };
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume();
      response.on('end', () =>
        response.statusCode === 200
          ? resolve(performance.now() - started)
          : reject(new Error(`${url} responded with ${response.statusCode}`)),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** As many as the listener takes: events per second. */
async function fastest(url: string, count: number): Promise<number> {
  const started = performance.now();
  let next = 0;
  const one = async () => {
    while (next < count) await post(url, next++);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, one));
  return (count * 1000) / (performance.now() - started);
}

/** At a steady rate: the time within which 99 of 100 events were acknowledged, in milliseconds. */
async function steady(url: string, perSecond: number, seconds: number): Promise<number> {
  const started = performance.now();
  const posts: Promise<number>[] = [];
  while (posts.length < perSecond * seconds) {
    const due = Math.min(perSecond * seconds, ((performance.now() - started) * perSecond) / 1000);
    while (posts.length < due) posts.push(post(url, posts.length));
    await wait(1);
  }
  const times = (await Promise.all(posts)).sort((one, other) => one - other);
  return times[Math.floor(times.length * 0.99)] ?? Number.NaN;
}

function mibOf({ pid }: ChildProcess): number {
  const [, kilobytes] = /^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

const alone = await listen('alone', []);
await fastest(alone.url, 5_000);
const rates: number[] = [];
for (let round = 0; round < 3; round += 1) rates.push(await fastest(alone.url, 5_000));
report({
  name: 'webhooks listen, events stored and acknowledged',
  unit: 'per second',
  values: mostOf(rates),
  bar: { atLeast: 2000 },
});
const p99 = [await steady(alone.url, 500, 5), await steady(alone.url, 500, 5)];
report({
  name: 'webhooks listen, 500 per second, time to acknowledge 99 %',
  unit: 'ms',
  values: leastOf(p99),
  bar: { atMost: 50 },
});
if (process.platform === 'linux') {
  const early = mibOf(alone.child);
  await fastest(alone.url, 100_000);
  report({
    name: 'webhooks listen, growth of its memory over 100,000 events',
    unit: 'MiB',
    values: leastOf([Math.max(0, mibOf(alone.child) - early)]),
    bar: { atMost: 30 },
  });
}
await stop(alone.child);

const receiver = createServer((incoming, response) => {
  incoming.resume();
  incoming.on('end', () => response.end());
}).listen(0, '127.0.0.1');
await once(receiver, 'listening');
const to = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
const forwarding = await listen('forwarding', ['--forward', to]);
await steady(forwarding.url, 500, 2);
const withForwards = [await steady(forwarding.url, 500, 5), await steady(forwarding.url, 500, 5)];
report({
  name: 'webhooks listen --forward, 500 per second, time to acknowledge 99 %',
  unit: 'ms',
  values: leastOf(withForwards),
  bar: { atMost: 50 },
});
await stop(forwarding.child);
process.exit();
