import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { interleave, run, timesOf } from '../../bench/measure.ts';

const measure = join(import.meta.dirname, '../../bench/measure.ts');
const node = (code: string) => ({ command: process.execPath, args: ['-e', code] });

it('fails with what a program said', async () => {
  await expect(run(node('process.stderr.write("no"); process.exit(3)'))).rejects.toThrow('ended with 3: no');
});

it('gives a run of each program for every round that counts', async () => {
  const { empty } = await interleave({ empty: node('0') }, { rounds: 3, warmUp: 1 });
  expect(empty).toHaveLength(3);
  expect(timesOf(empty).best).toBeLessThanOrEqual(timesOf(empty).median);
});

it.skipIf(!process.allowedNodeEnvironmentFlags.has('--experimental-ffi') || process.platform === 'win32')(
  'counts the time of the processor of each program, not of those before it',
  () => {
    const busy = 'const end = process.cpuUsage().user + 300_000; while (process.cpuUsage().user < end);';
    const script = `import { run } from ${JSON.stringify(measure)};
      const each = (code) => run({ command: process.execPath, args: ['-e', code] });
      const runs = [await each(${JSON.stringify(busy)}), await each('0')];
      process.stdout.write(JSON.stringify(runs.map(({ cpu }) => cpu)));`;
    const args = [
      '--experimental-ffi',
      '--disable-warning=ExperimentalWarning',
      '--input-type=module',
      '-e',
      script,
    ];
    const [first, second] = JSON.parse(spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout);
    expect(first).toBeGreaterThan(300);
    expect(second).toBeLessThan(first);
  },
);
