/** Export of a long list: rate against a bare loop, peak memory, and how far work overlaps waiting. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, reportRow } from './measure.ts';
import { startService } from './start-service.ts';

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'payctl-bench-'));
const target = join(folder, 'buyers.ndjson');

/** Runs a program with its output in a file; gives wall-clock milliseconds and the peak of its memory in MiB. */
async function run(args: readonly string[], origin: string): Promise<{ ms: number; mib: number }> {
  const env = { ...process.env, PAYCTL_BASE_URL: origin, PAYCTL_TOKEN: 'opaque', PAYCTL_CONFIG_DIR: folder };
  const started = performance.now();
  const child = spawn('/usr/bin/env', ['time', '-f', '%M', process.execPath, ...args], {
    env,
    stdio: ['ignore', openSync(target, 'w'), 'pipe'],
  });
  let said = '';
  child.stderr?.on('data', (chunk) => {
    said += chunk;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${said}`);
  return { ms: performance.now() - started, mib: Number(said.trim().split('\n').at(-1)) / 1024 };
}

const list = [join(root, 'bin', 'run.js'), 'buyers', 'list', '--all', '-o', 'ndjson'];
const row = (name: string, value: string, bar: string, met: boolean) =>
  process.stdout.write(`${reportRow({ name, value, bar, met })}\n`);

const large = await startService(100_000);
const ours: number[] = [];
const bare: number[] = [];
for (let round = 0; round < 5; round += 1) {
  bare.push((await run([join(root, 'bench', 'bare-export.mjs'), large.origin, target], large.origin)).ms);
  ours.push((await run(list, large.origin)).ms);
}
const rate = median(bare) / median(ours);
row(
  'export of 100,000 buyers, against a bare undici loop',
  `${median(ours).toFixed(0)} / ${median(bare).toFixed(0)} ms = ${rate.toFixed(2)}`,
  'at least 0.9',
  rate >= 0.9,
);
const small = (await run(list, large.origin)).mib;
large.stop();

const huge = await startService(1_000_000);
const { mib } = await run(list, huge.origin);
huge.stop();
row('peak memory, 1,000,000 buyers', `${mib.toFixed(0)} MiB`, 'at most 150', mib <= 150);
row(
  'the same, against 100,000',
  `${mib.toFixed(0)} / ${small.toFixed(0)} MiB = ${(mib / small).toFixed(2)}`,
  'at most 1.10',
  mib / small <= 1.1,
);

const slow = await startService(10_000, 50);
const waiting = (await run([join(root, 'bench', 'bare-export.mjs'), slow.origin, target], slow.origin)).ms;
const { ms } = await run(list, slow.origin);
slow.stop();
row(
  '100 pages with 50 ms latency, against the bare loop',
  `${ms.toFixed(0)} / ${waiting.toFixed(0)} ms = ${(ms / waiting).toFixed(3)}`,
  'at most 1.02',
  ms / waiting <= 1.02,
);
rmSync(folder, { recursive: true, force: true });
