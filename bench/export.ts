/** Exports of many pages: rate against a bare loop, peak memory, and how well work overlaps with waiting for the service. */
import { join } from 'node:path';
import { interleave, type Program, type Run, tellsMemory, timesOf } from './measure.ts';
import { folder, node, payctl, root } from './programs.ts';
import { report, reportAbsent } from './row.ts';
import { startService } from './start-service.ts';

const output = join(folder, 'buyers.ndjson');
const BARE = 'a bare undici loop';

function programs(origin: string): { ours: Program; bare: Program } {
  const env = { PAYCTL_BASE_URL: origin, PAYCTL_TOKEN: 'opaque' };
  return {
    ours: { ...payctl(['buyers', 'list', '--all', '-o', 'ndjson'], env), output },
    bare: node([join(root, 'bench', 'bare-export.mjs'), origin, output]),
  };
}

const peak = (runs: readonly Run[]) => Math.max(...runs.map(({ mib = Number.NaN }) => mib));

const large = await startService(100_000);
const { ours, bare } = await interleave(programs(large.origin), { rounds: 20, warmUp: 1, memory: true });
large.stop();
report({
  name: 'export of 100,000 buyers, `--all -o ndjson`, rate',
  unit: 'ms',
  values: timesOf(ours),
  against: { name: BARE, values: timesOf(bare) },
  bar: { atLeast: 0.95 },
  wallOnly: true,
});

if (tellsMemory) {
  const huge = await startService(1_000_000);
  const runs = await interleave({ ours: programs(huge.origin).ours }, { rounds: 1, warmUp: 0, memory: true });
  huge.stop();
  const [most, usual] = [peak(runs.ours), peak(ours)];
  const values = { best: most, median: most };
  const name = 'peak memory of an export of 1,000,000 buyers';
  report({ name, unit: 'MiB', values, bar: { atMost: 130 } });
  const against = { name: '100,000', values: { best: usual, median: usual } };
  report({ name, unit: 'MiB', values, against, bar: { atMost: 1.2 } });
} else {
  reportAbsent('peak memory', 'it takes the time of GNU');
}

const slow = await startService(10_000, { delayMilliseconds: 50 });
const waiting = await interleave(programs(slow.origin), { rounds: 3, warmUp: 0 });
slow.stop();
report({
  name: '100 pages from a service with 50 ms latency',
  unit: 'ms',
  values: timesOf(waiting.ours),
  against: { name: BARE, values: timesOf(waiting.bare) },
  bar: { atMost: 1.02 },
  wallOnly: true,
});
