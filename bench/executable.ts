/** Start-up of the executable against the package from the registry: the least time of the processor, user and system. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildExecutable } from '../scripts/package/executable.ts';
import { OWN_PLATFORM } from '../scripts/package/platforms.ts';
import { reportRow } from './measure.ts';
import { startService } from './start-service.ts';

const ROUNDS = 25;
const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'payctl-bench-'));
const service = await startService(100);
const env = {
  PATH: process.env.PATH,
  HOME: folder,
  PAYCTL_BASE_URL: service.origin,
  PAYCTL_TOKEN: 'opaque',
  PAYCTL_CONFIG_DIR: join(folder, 'payctl'),
};

/** Milliseconds of the processor that one run takes, as bash measures them. */
function cpuTime(command: readonly string[]): number {
  const script = `TIMEFORMAT='%U %S'; time "$@" > /dev/null`;
  const { status, stderr } = spawnSync('bash', ['-c', script, 'bash', ...command], { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command.join(' ')} ended with ${status}: ${stderr}`);
  const [user = Number.NaN, system = Number.NaN] = (stderr.trim().split('\n').at(-1) ?? '')
    .split(' ')
    .map(Number);
  return (user + system) * 1000;
}

if (OWN_PLATFORM && process.platform !== 'win32') {
  const { file } = await buildExecutable(root, OWN_PLATFORM, folder);
  const installed = [process.execPath, join(root, 'bin', 'run.js')];
  for (const words of [['buyers', 'list', '-o', 'json'], ['buyers', 'list'], ['--help']]) {
    const times = { installed: [] as number[], alone: [] as number[] };
    for (let round = -2; round < ROUNDS; round += 1) {
      const measured = { installed: cpuTime([...installed, ...words]), alone: cpuTime([file, ...words]) };
      if (round < 0) continue;
      times.installed.push(measured.installed);
      times.alone.push(measured.alone);
    }
    const [alone, beside] = [Math.min(...times.alone), Math.min(...times.installed)];
    const value = `${alone.toFixed(0)} / ${beside.toFixed(0)} ms = ${(alone / beside).toFixed(2)}`;
    const name = `executable: ${words.join(' ')}, against the package (CPU)`;
    process.stdout.write(`${reportRow({ name, value, bar: 'at most 1.1', met: alone / beside <= 1.1 })}\n`);
  }
}
service.stop();
rmSync(folder, { recursive: true, force: true });
