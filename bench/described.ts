/** What an imported description costs: 150 operations against none, and against payctl's own commands. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { largeDescription } from '../test/descriptions/large-description.ts';
import { interleave, run, timesOf } from './measure.ts';
import { folder, payctl } from './programs.ts';
import { report } from './row.ts';
import { startService } from './start-service.ts';

const service = await startService(100);
const file = join(folder, 'openapi.json');
writeFileSync(file, JSON.stringify(largeDescription()));
const env = { PAYCTL_BASE_URL: service.origin, PAYCTL_TOKEN: 'opaque' };
const described = { ...env, PAYCTL_CONFIG_DIR: join(folder, 'described') };
await run(payctl(['api', 'import', file, '--quiet'], described));

const LIST = ['--limit', '100', '-o', 'json', '--quiet'];
const TAB = ['__complete', '--', ''];
const runs = await interleave(
  {
    list: payctl(['buyers', 'list', ...LIST], env),
    listDescribed: payctl(['buyers', 'list', ...LIST], described),
    imported: payctl(['payouts', 'list', ...LIST], described),
    help: payctl(['--help'], env),
    helpDescribed: payctl(['--help'], described),
    tab: payctl(TAB, env),
    tabDescribed: payctl(TAB, described),
  },
  { rounds: 40 },
);
service.stop();

for (const [name, ours, floor, other, atMost] of [
  ['`payctl buyers list` with 150 imported operations', 'listDescribed', 'list', 'without', 1.02],
  ['a list of an imported description', 'imported', 'list', '`payctl buyers list`', 1.1],
  ['`payctl --help` with 150 imported operations', 'helpDescribed', 'help', 'without', 1.15],
  ['one tab with 150 imported operations', 'tabDescribed', 'tab', 'without', 1.15],
] as const) {
  const against = { name: other, values: timesOf(runs[floor]) };
  report({ name, unit: 'ms', values: timesOf(runs[ours]), against, bar: { atMost } });
}
