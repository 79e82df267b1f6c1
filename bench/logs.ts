/** A log of 1,000,000 entries in a file: filtering and summing up, against jq, and peak memory. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeLogFile } from './log-file.ts';
import { median, reportRow } from './measure.ts';

const ENTRIES = 1_000_000;
const ROUNDS = 3;
const payctl = join(import.meta.dirname, '..', 'bin', 'run.js');
const folder = mkdtempSync(join(tmpdir(), 'payctl-bench-'));
const file = join(folder, 'log.ndjson');

type Measured = { readonly ms: number; readonly mib: number };

/** Runs a program; gives wall-clock milliseconds and the peak of its memory in MiB. */
async function run(...command: readonly string[]): Promise<Measured> {
  const started = performance.now();
  const env = { ...process.env, PAYCTL_CONFIG_DIR: folder };
  const child = spawn('/usr/bin/env', ['time', '-f', '%M', ...command], { env });
  let said = '';
  child.stdout.resume();
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}: ${said}`);
  return { ms: performance.now() - started, mib: Number(said.trim().split('\n').at(-1)) / 1024 };
}

const logs = (...args: readonly string[]) =>
  run(process.execPath, payctl, 'api-logs', ...args, '--file', file);
const STATUS = '.response_status_code >= 400 and .response_status_code < 500';
const MESSAGES =
  '.response_body | if type == "string" then . else .message?, .details[]?.message?, .detail[]?.msg? end';
const INTEGER = `any(${MESSAGES} | strings; ascii_downcase | contains("integer"))`;

const contests = [
  {
    name: 'api-logs list --status 4xx, 1,000,000 entries, against jq',
    ours: () => logs('list', '--status', '4xx', '-o', 'ndjson'),
    theirs: () => run('jq', '-c', `select(${STATUS})`, file),
  },
  {
    name: 'api-logs list --status 4xx --message integer, against jq',
    ours: () => logs('list', '--status', '4xx', '--message', 'integer', '-o', 'ndjson'),
    theirs: () => run('jq', '-c', `select(${STATUS}) | select(${INTEGER})`, file),
  },
  {
    name: 'api-logs summary, against jq that only reads the statuses',
    ours: () => logs('summary', '-o', 'ndjson'),
    theirs: () => run('jq', '.response_status_code', file),
  },
];

if (spawnSync('jq', ['--version']).status !== 0) {
  process.stdout.write('skip    log files: jq is not installed\n');
} else {
  writeLogFile(file, ENTRIES);
  for (const { name, ours, theirs } of contests) {
    const payctls: Measured[] = [];
    const jqs: Measured[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      jqs.push(await theirs());
      payctls.push(await ours());
    }
    const [mine, other] = [payctls, jqs].map((all) => median(all.map(({ ms }) => ms))) as [number, number];
    const mib = Math.max(...payctls.map((each) => each.mib));
    const seconds = (ms: number) => (ms / 1000).toFixed(1);
    const value = `${seconds(mine)} / ${seconds(other)} s = ${(mine / other).toFixed(2)}`;
    process.stdout.write(`${reportRow({ name, value, bar: 'at most 0.75', met: mine <= other * 0.75 })}\n`);
    const memory = { name: 'the same, peak memory', value: `${mib.toFixed(0)} MiB`, bar: 'at most 150' };
    process.stdout.write(`${reportRow({ ...memory, met: mib <= 150 })}\n`);
  }
}
rmSync(folder, { recursive: true, force: true });
