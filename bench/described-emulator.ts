/**
 * The emulator of an imported description of 2 MB: start to first answer, and requests per second beside Prism, the usual mock
 * server of OpenAPI. Prism is no dependency: install it anywhere and name its program in PAYCTL_BENCH_PRISM.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { readSigningKey } from '../src/tokens/keys.ts';
import { signToken } from '../src/tokens/sign.ts';
import { largeDescription } from '../test/descriptions/large-description.ts';
import { median, reportRow } from './measure.ts';

const payctl = join(import.meta.dirname, '..', 'bin', 'run.js');
const folder = mkdtempSync(join(tmpdir(), 'payctl-bench-'));
const env = { ...process.env, PAYCTL_CONFIG_DIR: folder };
const file = join(folder, 'description.json');

/** The description of the tests, with as much text as makes it 2 MB. */
function writeDescription(): void {
  const text = JSON.stringify(largeDescription(), (name, value: unknown) =>
    name === 'summary' ? `${String(value)} ${'What this does and when it is of use. '.repeat(330)}` : value,
  );
  if (text.length < 2_000_000) throw new Error(`the description has ${text.length} characters only`);
  writeFileSync(file, text);
}

type Server = { readonly url: string; readonly token: string; readonly child: ChildProcess };

async function startEmulator(): Promise<Server> {
  const child = spawn(process.execPath, [payctl, 'emulator', 'start', '-q', '--description', file], { env });
  const [line] = await once(child.stdout, 'data');
  const key = await readSigningKey(readFileSync(join(folder, 'data', 'emulator', 'signing-key.pem'), 'utf8'));
  const token = await signToken(key, { scopes: ['*'], issuer: 'bench', lifetimeSeconds: 3600 });
  return { url: String(line).trim(), token, child };
}

async function stop({ child }: Server): Promise<void> {
  child.kill('SIGINT');
  await once(child, 'close');
}

/** Milliseconds from the start of the process to the first answer of an operation of the description. */
async function timeStart(): Promise<number> {
  const started = performance.now();
  const server = await startEmulator();
  const response = await fetch(`${server.url}/invoices`, {
    headers: { authorization: `Bearer ${server.token}` },
  });
  await response.text();
  const milliseconds = performance.now() - started;
  await stop(server);
  if (response.status !== 200) throw new Error(`the emulator answered ${response.status}`);
  return milliseconds;
}

async function startPrism(program: string): Promise<Server> {
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const args = [program, 'mock', '-h', '127.0.0.1', '-p', String(port), '-v', 'fatal', file];
  const child = spawn(process.execPath, args, { stdio: 'ignore' });
  const server = { url: `http://127.0.0.1:${port}`, token: 'any', child };
  for (let attempt = 0; attempt < 300; attempt += 1) {
    await wait(100);
    const answer = await fetch(`${server.url}/invoices`, { headers: { authorization: 'Bearer any' } }).catch(
      () => undefined,
    );
    if (answer?.status === 200) return server;
  }
  throw new Error('Prism does not answer');
}

const agent = new Agent({ keepAlive: true, maxSockets: 16 });

function ask(
  { url, token }: Server,
  [method, path, body]: readonly [string, string, string?],
): Promise<void> {
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

const made = JSON.stringify({ amount: 1200, currency: 'EUR', display_name: 'Bench' });
const LOADS = {
  reads: [
    ['GET', '/invoices?limit=20'],
    ['GET', '/transactions?status=active'],
    ['GET', '/plans'],
  ],
  writes: [['POST', '/invoices', made]],
} as const satisfies Record<string, readonly (readonly [string, string, string?])[]>;
type Load = keyof typeof LOADS;

async function perSecond(server: Server, load: Load, seconds: number): Promise<number> {
  const until = performance.now() + seconds * 1000;
  const requests = LOADS[load];
  let count = 0;
  const work = async () => {
    while (performance.now() < until) {
      await ask(server, requests[count % requests.length] ?? requests[0]);
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: 16 }, work));
  return count / seconds;
}

/** The medians of rounds that follow each other at once, so that a busy moment of the machine falls on both. */
async function compare(emulator: Server, other: Server, load: Load) {
  const [own, others]: [number[], number[]] = [[], []];
  for (let round = 0; round < 9; round += 1) {
    const rates = [await perSecond(emulator, load, 1), await perSecond(other, load, 1)] as const;
    // The first round warms both up.
    if (round === 0) continue;
    own.push(rates[0]);
    others.push(rates[1]);
  }
  return { own: median(own), other: median(others), ratio: median(own) / median(others) };
}

writeDescription();
const imported = await timeStart();
const times: number[] = [];
for (let round = 0; round < 9; round += 1) times.push(await timeStart());
const first = median(times);
const rows = [
  {
    name: 'emulator with a description of 2 MB, start to first answer',
    value: `${first.toFixed(0)} ms (${imported.toFixed(0)} ms with the import)`,
    bar: 'at most 400 ms',
    met: first <= 400,
  },
];

const prism = process.env.PAYCTL_BENCH_PRISM;
const emulator = await startEmulator();
if (prism === undefined) {
  const rate = await perSecond(emulator, 'reads', 5);
  process.stdout.write(
    `absent  Prism (PAYCTL_BENCH_PRISM is not set); ${rate.toFixed(0)} reads per second of the emulator\n`,
  );
} else {
  const other = await startPrism(prism);
  for (const load of ['reads', 'writes'] as const) {
    const { own, other: theirs, ratio } = await compare(emulator, other, load);
    // Prism keeps nothing: what it writes is made up again.
    const bar = load === 'reads' ? 5 : 1;
    rows.push({
      name: `${load} of a description per second, emulator to Prism`,
      value: `${ratio.toFixed(1)} x (${own.toFixed(0)} to ${theirs.toFixed(0)})`,
      bar: `at least ${bar} x`,
      met: ratio >= bar,
    });
  }
  await stop(other);
}
await stop(emulator);
agent.destroy();
rmSync(folder, { recursive: true, force: true });
for (const row of rows) process.stdout.write(`${reportRow(row)}\n`);
