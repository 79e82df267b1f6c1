/** The emulator: from the start of the process to its first answer, and the seeding of a large set of records. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSigningKey } from '../src/tokens/keys.ts';
import { signToken } from '../src/tokens/sign.ts';
import { median, reportRow } from './measure.ts';

const payctl = join(import.meta.dirname, '..', 'bin', 'run.js');
const folder = mkdtempSync(join(tmpdir(), 'payctl-bench-'));
const env = { ...process.env, PAYCTL_CONFIG_DIR: folder };

/** Milliseconds from the start of the process to its base URL, and to its first answer. */
async function start(flags: readonly string[]): Promise<{ ready: number; answered: number }> {
  const started = performance.now();
  const child = spawn(process.execPath, [payctl, 'emulator', 'start', '-q', ...flags], { env });
  const [line] = await once(child.stdout, 'data');
  const ready = performance.now() - started;
  const key = await readSigningKey(readFileSync(join(folder, 'data', 'emulator', 'signing-key.pem'), 'utf8'));
  const token = await signToken(key, { scopes: ['buyers.read'], issuer: 'bench' });
  const asked = performance.now();
  const response = await fetch(`${String(line).trim()}/buyers`, {
    headers: { authorization: `Bearer ${token}` },
  });
  await response.text();
  if (response.status !== 200) throw new Error(`the emulator answered ${response.status}`);
  const answered = ready + performance.now() - asked;
  child.kill('SIGINT');
  await once(child, 'close');
  return { ready, answered };
}

const { ready: seeded } = await start(['--buyers', '100000']);
await start(['--buyers', '250']);
const times: number[] = [];
for (let round = 0; round < 15; round += 1) times.push((await start([])).answered);
rmSync(folder, { recursive: true, force: true });

const first = median(times);
const rows = [
  {
    name: 'emulator, start to first answer',
    value: `${first.toFixed(0)} ms`,
    bar: 'at most 150 ms',
    met: first <= 150,
  },
  {
    name: 'emulator, 100,000 buyers seeded',
    value: `${(seeded / 1000).toFixed(1)} s`,
    bar: 'at most 5 s',
    met: seeded <= 5000,
  },
];
for (const row of rows) process.stdout.write(`${reportRow(row)}\n`);
