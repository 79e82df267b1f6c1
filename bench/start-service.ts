import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeCertificate } from '../test/harness/certificates.ts';
import { folder } from './programs.ts';

/** What answers, where, and what a program needs in its environment to trust it. */
export type Service = { readonly origin: string; readonly trust: NodeJS.ProcessEnv; stop(): void };

/** Starts `service.ts` in a process of its own, so that its work is not measured with the program's. */
export async function startService(
  buyers: number,
  { delayMilliseconds = 0, secure = false } = {},
): Promise<Service> {
  const certificate = join(folder, 'certificate.pem');
  const key = join(folder, 'key.pem');
  if (secure) {
    const made = makeCertificate({ name: 'localhost', addresses: ['127.0.0.1'], hosts: ['localhost'] });
    writeFileSync(certificate, made.cert);
    writeFileSync(key, made.key);
  }
  const args = [String(buyers), String(delayMilliseconds), ...(secure ? [certificate, key] : [])];
  const file = join(import.meta.dirname, 'service.ts');
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const origin = await firstLine(child);
  const variables = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'CURL_CA_BUNDLE'];
  const trust = secure ? Object.fromEntries(variables.map((name) => [name, certificate])) : {};
  return { origin, trust, stop: () => child.kill() };
}

/** What a program that was just started prints first. */
export async function firstLine(child: ChildProcess): Promise<string> {
  const stdout = child.stdout ?? process.stdin;
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${child.spawnargs.join(' ')} ended with ${code} before it was ready`);
  });
  const [line] = await Promise.race([once(stdout, 'data'), ended]);
  return String(line).trim();
}
