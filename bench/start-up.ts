/** Start-up time, as ratios within one run: a list command against the bare script, --help against an empty program. */
import { join } from 'node:path';
import { medians, reportRow } from './measure.ts';
import { startService } from './start-service.ts';

const root = join(import.meta.dirname, '..');
const payctl = join(root, 'bin', 'run.js');
const node = process.execPath;

const service = await startService(100);
const env = {
  ...process.env,
  PAYCTL_BASE_URL: service.origin,
  PAYCTL_TOKEN: 'opaque',
  PAYCTL_CONFIG_DIR: join(root, 'node_modules', '.cache', 'payctl-bench'),
};
const times = await medians(
  [
    { name: 'empty', command: node, args: ['-e', '0'] },
    { name: 'floor', command: node, args: [join(root, 'bench', 'floor.cjs'), service.origin] },
    { name: 'help', command: node, args: [payctl, '--help'] },
    { name: 'tab', command: node, args: [payctl, '__complete', '--', 'buyers', 'list', '--columns', 'id,'] },
    { name: 'list', command: node, args: [payctl, 'buyers', 'list', '--limit', '100', '-o', 'json'] },
  ],
  { env },
);
service.stop();

const time = (name: string) => times.get(name) ?? Number.NaN;
for (const [name, floor, title, bar] of [
  ['list', 'floor', 'payctl buyers list -o json, against one bare GET', 2],
  ['help', 'empty', 'payctl --help, against node -e 0', 1.25],
  ['tab', 'empty', 'one tab of completion, against node -e 0', 2],
] as const) {
  const ratio = time(name) / time(floor);
  const value = `${time(name).toFixed(0)} / ${time(floor).toFixed(0)} ms = ${ratio.toFixed(2)}`;
  process.stdout.write(`${reportRow({ name: title, value, bar: `at most ${bar}`, met: ratio <= bar })}\n`);
}
