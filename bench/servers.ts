/** Servers that imitate an API, each in a process of its own: payctl's emulator, Prism, stripe-mock. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { readSigningKey } from '../src/tokens/keys.ts';
import { signToken } from '../src/tokens/sign.ts';
import type { Peer } from './peers.ts';
import { folder, payctl } from './programs.ts';
import { firstLine } from './start-service.ts';

/** A server that answers: where, with which token, and the milliseconds from the start of its process until it said so. */
export type Server = {
  readonly name: string;
  readonly url: string;
  readonly token: string;
  readonly pid: number | undefined;
  readonly ready: number;
  stop(): Promise<void>;
};

/** Starts the emulator; its token has every scope. */
export async function startEmulator(flags: readonly string[] = []): Promise<Server> {
  const started = performance.now();
  const { command, args, env } = payctl(['emulator', 'start', '-q', '--yes', ...flags]);
  const child = spawn(command, args, { env: { ...process.env, ...env } });
  const url = await firstLine(child);
  const ready = performance.now() - started;
  const file = join(folder, 'config', 'data', 'emulator', 'signing-key.pem');
  const key = await readSigningKey(readFileSync(file, 'utf8'));
  const token = await signToken(key, { scopes: ['*'], issuer: 'bench', lifetimeSeconds: 3600 });
  return { name: 'payctl emulator', url, token, pid: child.pid, ready, stop: () => stop(child) };
}

/** Starts Prism's mock server for a description, and waits until it answers at a path. */
export function startPrism({ name, file }: Peer, description: string, path: string): Promise<Server> {
  const port = anyPort();
  const args = [file, 'mock', '-h', '127.0.0.1', '-p', String(port), '-v', 'fatal', description];
  return startOther(name, { command: process.execPath, args, url: `http://127.0.0.1:${port}` }, path);
}

/** Starts stripe-mock, and waits until it answers. */
export function startStripeMock({ name, file }: Peer): Promise<Server> {
  const port = anyPort();
  const args = ['-http-addr', `127.0.0.1:${port}`];
  return startOther(name, { command: file, args, url: `http://127.0.0.1:${port}` }, '/v1/charges');
}

/** The first answer of a server. @throws unless it is a success. */
export async function askOnce({ url, token }: Pick<Server, 'url' | 'token'>, path: string): Promise<void> {
  const response = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
  await response.text();
  if (!response.ok) throw new Error(`${url}${path} answered ${response.status}`);
}

async function startOther(
  name: string,
  { command, args, url }: { command: string; args: readonly string[]; url: string },
  path: string,
): Promise<Server> {
  const started = performance.now();
  const child = spawn(command, args, { stdio: 'ignore' });
  // stripe-mock takes any key of this form.
  const server = { name, url, token: 'sk_test_123', pid: child.pid, stop: () => stop(child) };
  const until = started + 30_000;
  for (;;) {
    const error = await askOnce(server, path).catch((reason) => reason);
    if (error === undefined) return { ...server, ready: performance.now() - started };
    if (performance.now() > until || child.exitCode !== null) throw error;
    await wait(5);
  }
}

async function stop(child: ChildProcess): Promise<void> {
  const closed = once(child, 'close');
  child.kill('SIGINT');
  await closed;
}

function anyPort(): number {
  return 20_000 + Math.floor(Math.random() * 20_000);
}
