/** Copies of a list: rate against `--all -o ndjson`, peak memory, a sync of what is the same, and CPU time against dlt. */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { leastOf, type Program, type Run, run, tellsMemory, timesOf } from './measure.ts';
import { folder, payctl } from './programs.ts';
import { report, reportAbsent } from './row.ts';
import { startService } from './start-service.ts';

const LIST = '`--all -o ndjson`';
const PYTHON = process.env.PAYCTL_PYTHON ?? 'python3';

let copies = 0;
/** The path of a copy that is not there yet. */
function newCopy(): string {
  copies += 1;
  return join(folder, `copy-${copies}`);
}

const environment = (origin: string) => ({ PAYCTL_BASE_URL: origin, PAYCTL_TOKEN: 'opaque' });

function exportTo(directory: string, origin: string, format: string): Program {
  const words = ['export', 'buyers', '--to', directory, '--format', format, '-q'];
  return payctl(words, environment(origin));
}

/** Copies a list once in each format, lists it, and syncs the first copy; the runs follow one another. */
async function copyOnce(origin: string) {
  const memory = true;
  const words = ['buyers', 'list', '--all', '-o', 'ndjson'];
  const output = join(folder, 'buyers.ndjson');
  const [text, parquet] = [newCopy(), newCopy()];
  const runs = {
    list: await run({ ...payctl(words, environment(origin)), output }, { memory }),
    ndjson: await run(exportTo(text, origin, 'ndjson'), { memory }),
    parquet: await run(exportTo(parquet, origin, 'parquet'), { memory }),
    sync: await run(payctl(['sync', '--to', text, '-q'], environment(origin)), { memory }),
  };
  for (const path of [output, text, parquet]) rmSync(path, { recursive: true });
  return runs;
}

type Runs = Awaited<ReturnType<typeof copyOnce>>;

const large = await startService(100_000);
const usual: readonly Runs[] = [await copyOnce(large.origin), await copyOnce(large.origin)];

const huge = await startService(1_000_000);
const rounds: readonly Runs[] = [await copyOnce(huge.origin), await copyOnce(huge.origin)];
huge.stop();
const timesFor = (name: keyof Runs) => timesOf(rounds.map((round) => round[name]));
const rows = [
  ['ndjson', 'export of 1,000,000 buyers, ndjson.zst, rate', { atLeast: 0.9 }],
  ['parquet', 'export of 1,000,000 buyers, parquet, rate', { atLeast: 0.5 }],
  ['sync', 'sync of 1,000,000 unchanged buyers', { atMost: 1.2 }],
] as const;
for (const [name, title, bar] of rows) {
  const against = { name: LIST, values: timesFor('list') };
  report({ name: title, unit: 'ms', values: timesFor(name), against, bar, wallOnly: true });
}

if (tellsMemory) {
  const peak = (of: readonly Run[]) => leastOf([Math.max(...of.map(({ mib = Number.NaN }) => mib))]);
  const most = { ndjson: 150, parquet: 200, sync: 150 };
  for (const name of ['ndjson', 'parquet', 'sync'] as const) {
    const title = `peak memory of ${name === 'sync' ? 'a sync' : `an export, ${name}`}, 1,000,000 buyers`;
    const values = peak(rounds.map((round) => round[name]));
    report({ name: title, unit: 'MiB', values, bar: { atMost: most[name] } });
    // Both are the larger of two runs.
    const against = { name: '100,000', values: peak(usual.map((round) => round[name])) };
    report({ name: title, unit: 'MiB', values, against, bar: { atMost: 1.2 } });
  }
} else {
  reportAbsent('peak memory of copies', 'it takes the time of GNU');
}

await compareWithDlt(large.origin);
large.stop();

/** Loads 100,000 buyers into files with the program that payctl prints for dlt, which then does not wait for a database. */
async function compareWithDlt(origin: string): Promise<void> {
  const { status, stdout } = spawnSync(PYTHON, ['-c', 'import dlt; print(dlt.__version__)'], {
    encoding: 'utf8',
  });
  if (status !== 0) return reportAbsent('dlt', 'the Python of this machine does not have it');
  const file = join(folder, 'buyers.py');
  const words = ['export', 'buyers', '--print-dlt'];
  await run({ ...payctl(words, environment(origin)), output: file });
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace('destination="duckdb"', 'destination="filesystem"'));
  const theirs = await run({
    command: PYTHON,
    args: [file],
    env: {
      PAYCTL_TOKEN: 'opaque',
      DLT_DATA_DIR: join(folder, 'dlt'),
      DESTINATION__FILESYSTEM__BUCKET_URL: join(folder, 'loaded'),
      RUNTIME__DLTHUB_TELEMETRY: 'false',
    },
  }).catch((error: unknown) => lastLine(error));
  if (typeof theirs === 'string') return reportAbsent('dlt', `it failed: ${theirs}`);
  const { cpu: ours } = await run(exportTo(newCopy(), origin, 'ndjson'));
  if (ours === undefined || theirs.cpu === undefined)
    return reportAbsent('dlt', 'CPU time is not known here');
  report({
    name: 'export of 100,000 buyers, ndjson.zst, CPU time',
    unit: 'ms',
    values: leastOf([ours]),
    against: { name: `dlt ${stdout.trim()}`, values: leastOf([theirs.cpu]) },
    bar: { atMost: 0.2 },
  });
}

/** What a program said last before it failed. */
function lastLine(error: unknown): string {
  return String(error).trim().split('\n').at(-1) ?? '';
}
