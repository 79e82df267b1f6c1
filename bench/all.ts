/**
 * Runs the groups of measurements one after the other, all of them or those that the arguments name. When all ran, writes what
 * they gave to bench/results/ and the table of it into docs/speed.md.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { arch, availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { writeOrCheck } from '../scripts/written-files.ts';
import { runGroup } from './groups.ts';
import { cellsOf, type Line } from './row.ts';
import { fileNameOf, type Result, resultsFolder, textOfResult, writtenPage } from './table.ts';

const GROUPS = [
  'start-up',
  'executable',
  'described',
  'export',
  'copy',
  'emulator',
  'described-emulator',
  'webhooks',
  'logs',
  'bulk',
] as const;

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !GROUPS.some((group) => group === name));
if (unknown.length > 0) {
  process.stderr.write(`No group is called ${unknown.join(', ')}; there are ${GROUPS.join(', ')}\n`);
  process.exitCode = 2;
} else {
  await runAll(GROUPS.filter((group) => asked.length === 0 || asked.includes(group)));
}

async function runAll(groups: readonly string[]): Promise<void> {
  const date = new Date().toISOString();
  const machine = describeMachine();
  const outcomes = [];
  for (const group of groups) {
    process.stdout.write(`\n${group}\n`);
    const outcome = await runGroup(join(import.meta.dirname, `${group}.ts`), show);
    if (outcome.failure) process.stdout.write(`FAILED  ${group}: ${outcome.failure}\n`);
    outcomes.push({ group, ...outcome });
  }
  const failures = outcomes.flatMap(({ group, failure }) =>
    failure ? [{ name: group, reason: failure }] : [],
  );
  const rows = outcomes.flatMap((outcome) => outcome.rows);
  const absent = outcomes.flatMap((outcome) => outcome.absent);
  const once = absent.filter((each, at) => absent.findIndex(({ name }) => name === each.name) === at);
  const missed = rows.filter(({ met }) => met === false).length;
  const result: Result = { date, machine, rows, absent: once, failures };
  process.stdout.write(
    `\n${rows.length} rows, ${missed} below their bar, ${failures.length} groups failed\n`,
  );
  if (failures.length > 0) process.exitCode = 1;
  if (groups.length < GROUPS.length) return;
  mkdirSync(resultsFolder, { recursive: true });
  const file = join(resultsFolder, fileNameOf(result));
  writeFileSync(file, textOfResult(result));
  writeOrCheck([writtenPage()]);
  process.stdout.write(`Written to ${file} and docs/speed.md\n`);
}

function describeMachine(): Result['machine'] {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    os: `${type()} ${/^\d+\.\d+/.exec(release())?.[0] ?? ''}`.trim(),
    arch: arch(),
    node: process.versions.node,
    load: loadavg()[0] ?? 0,
  };
}

function show(line: Line): void {
  if ('absent' in line) {
    process.stdout.write(`absent  ${line.absent.name}: ${line.absent.reason}\n`);
    return;
  }
  const [name, values, against, ratio, bar, met] = cellsOf(line.row);
  process.stdout.write(
    `${(met ?? '').padEnd(6)}  ${name}\n        ${[values, against, ratio, bar].filter(Boolean).join('; ')}\n`,
  );
}
