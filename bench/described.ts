/** What an imported description costs, as ratios within one run: 150 operations against none, and against payctl's own commands. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { largeDescription } from '../test/descriptions/large-description.ts';
import { medians, reportRow } from './measure.ts';
import { startService } from './start-service.ts';

const root = join(import.meta.dirname, '..');
const payctl = join(root, 'bin', 'run.js');
const node = process.execPath;
const home = mkdtempSync(join(tmpdir(), 'payctl-bench-'));

const service = await startService(100);
const env = {
  ...process.env,
  PAYCTL_BASE_URL: service.origin,
  PAYCTL_TOKEN: 'opaque',
  XDG_CACHE_HOME: join(root, 'node_modules', '.cache', 'payctl-bench'),
};
const file = join(home, 'openapi.json');
writeFileSync(file, JSON.stringify(largeDescription()));
const described = join(home, 'described');
const plain = join(home, 'plain');
spawnSync(node, [payctl, 'api', 'import', file, '--quiet'], {
  env: { ...env, PAYCTL_CONFIG_DIR: described },
});

/** One command line, with the description and without it. */
const both = (name: string, args: readonly string[]) =>
  [described, plain].map((directory) => ({
    name: `${name} ${directory === plain ? 'plain' : 'described'}`,
    command: 'env',
    args: [`PAYCTL_CONFIG_DIR=${directory}`, node, payctl, ...args],
  }));
const list = ['--limit', '100', '-o', 'json', '--quiet'];
const [imported] = both('imported', ['payouts', 'list', ...list]);
const times = await medians(
  [
    ...both('list', ['buyers', 'list', ...list]),
    ...(imported ? [imported] : []),
    ...both('help', ['--help']),
    ...both('tab', ['__complete', '--', '']),
  ],
  { env },
);
service.stop();
rmSync(home, { recursive: true, force: true });

const time = (name: string) => times.get(name) ?? Number.NaN;
for (const [name, floor, title, bar] of [
  ['list described', 'list plain', 'buyers list with 150 imported operations, against none', 1.02],
  ['imported described', 'list plain', 'an imported list, against buyers list', 1.1],
  ['help described', 'help plain', '--help with 150 imported operations, against none', 1.15],
  ['tab described', 'tab plain', 'one tab with 150 imported operations, against none', 1.15],
] as const) {
  const ratio = time(name) / time(floor);
  const value = `${time(name).toFixed(0)} / ${time(floor).toFixed(0)} ms = ${ratio.toFixed(2)}`;
  process.stdout.write(`${reportRow({ name: title, value, bar: `at most ${bar}`, met: ratio <= bar })}\n`);
}
