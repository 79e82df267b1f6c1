/** Start-up and memory of the executable against the package from the registry. */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildExecutable } from '../scripts/package/executable.ts';
import { OWN_PLATFORM } from '../scripts/package/platforms.ts';
import { interleave, leastOf, type Program, type Run, tellsMemory, timesOf } from './measure.ts';
import { folder, payctl, root } from './programs.ts';
import { report, reportAbsent } from './row.ts';
import { startService } from './start-service.ts';

/** The least of the peaks of a few runs. */
async function reportMemory(name: string, programs: { alone: Program; installed: Program }): Promise<void> {
  const runs = await interleave(programs, { rounds: 5, warmUp: 0, memory: true });
  const least = (peaks: readonly Run[]) => leastOf(peaks.map(({ mib = Number.NaN }) => mib));
  const against = { name: 'installed by npm', values: least(runs.installed) };
  report({ name, unit: 'MiB', values: least(runs.alone), against, bar: { atMost: 1.1 } });
}

if (OWN_PLATFORM && process.platform !== 'win32') {
  const { file: built } = await buildExecutable(root, OWN_PLATFORM, folder);
  // Linux maps large pieces of a file that was written at once, as the build writes it, and counts them as memory of the program.
  // What users unpack or copy is written in small pieces.
  const file = join(folder, 'installed');
  copyFileSync(built, file);
  const service = await startService(100, { secure: true });
  const env = { ...service.trust, PAYCTL_BASE_URL: service.origin, PAYCTL_TOKEN: 'opaque' };
  for (const words of [['buyers', 'list', '-o', 'json'], ['buyers', 'list'], ['--help']]) {
    const installed = payctl(words, env);
    const alone = { command: file, args: words, env: installed.env };
    const runs = await interleave({ alone, installed });
    report({
      name: `executable: \`payctl ${words.join(' ')}\``,
      unit: 'ms',
      values: timesOf(runs.alone),
      against: { name: 'installed by npm', values: timesOf(runs.installed) },
      bar: { atMost: 1 },
    });
    if (tellsMemory)
      await reportMemory(`executable: peak memory of \`payctl ${words.join(' ')}\``, { alone, installed });
  }
  service.stop();
} else {
  reportAbsent('executable', `none is built for ${process.platform} ${process.arch}`);
}
