/** What an imported description costs: 150 operations against none and against payctl's own commands, and the import of 2 MB. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { largeDescription } from '../test/descriptions/large-description.ts';
import { interleave, type Run, run, timesOf } from './measure.ts';
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
const runs = await interleave({
  list: payctl(['buyers', 'list', ...LIST], env),
  listDescribed: payctl(['buyers', 'list', ...LIST], described),
  imported: payctl(['payouts', 'list', ...LIST], described),
  help: payctl(['--help'], env),
  helpDescribed: payctl(['--help'], described),
  tab: payctl(TAB, env),
  tabDescribed: payctl(TAB, described),
});
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

const large = join(folder, 'large.json');
writeFileSync(large, JSON.stringify(severalTimes(10)));
const imports: Run[] = [];
for (let round = 0; round < 10; round += 1) {
  // A folder of its own each time: what is imported already might be looked at only.
  const fresh = { ...env, PAYCTL_CONFIG_DIR: join(folder, `large-${round}`) };
  imports.push(await run(payctl(['api', 'import', large, '--quiet'], fresh)));
}
report({
  name: '`payctl api import` of 2 MB with 1,500 operations',
  unit: 'ms',
  values: timesOf(imports),
  bar: { atMost: 1000 },
});

const withMany = { ...env, PAYCTL_CONFIG_DIR: join(folder, 'large-0') };
const { many, none } = await interleave({
  many: payctl(['--help'], withMany),
  none: payctl(['--help'], env),
});
report({
  name: '`payctl --help` with 1,500 imported operations',
  unit: 'ms',
  values: timesOf(many),
  against: { name: 'without', values: timesOf(none) },
  bar: { atMost: 1.25 },
});

/** The description so many times in one document, with operations and schemas of their own. */
function severalTimes(count: number): unknown {
  const description = largeDescription();
  const parts = Array.from({ length: count }, (_, number) => {
    const text = JSON.stringify(description)
      .replaceAll('#/components/schemas/', `#/components/schemas/v${number}_`)
      .replaceAll('"operationId":"', `"operationId":"v${number}_`);
    const { paths, components } = JSON.parse(text);
    return { paths: renamed(paths, `/v${number}`), schemas: renamed(components.schemas, `v${number}_`) };
  });
  const { components } = description as { components: object };
  return {
    ...description,
    paths: Object.assign({}, ...parts.map(({ paths }) => paths)),
    components: { ...components, schemas: Object.assign({}, ...parts.map(({ schemas }) => schemas)) },
  };
}

function renamed(members: object, start: string): object {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [start + name, member]));
}
