import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMPLETION_SCRIPTS } from '../../src/features/completion/scripts.ts';
import type { Entry } from './archive.ts';
import { licences } from './licences.ts';
import type { Platform } from './platforms.ts';

/** The contents of the archive of a platform, below one folder. */
export function archiveEntries(root: string, platform: Platform, executable: string): readonly Entry[] {
  const manPages = manEntries(root).map((entry) => ({ ...entry, path: `man/${entry.path}` }));
  const completions = [
    { path: 'completions/payctl.bash', bytes: Buffer.from(COMPLETION_SCRIPTS.bash) },
    { path: 'completions/_payctl', bytes: Buffer.from(COMPLETION_SCRIPTS.zsh) },
    { path: 'completions/payctl.fish', bytes: Buffer.from(COMPLETION_SCRIPTS.fish) },
    { path: 'completions/payctl.ps1', bytes: Buffer.from(COMPLETION_SCRIPTS.powershell) },
  ];
  return [
    { path: platform.program, bytes: readFileSync(executable), runs: true },
    ...manPages,
    ...completions,
    { path: 'lnav/payctl-api-logs.json', bytes: logFormat(root) },
    ...licences(root, platform),
  ];
}

/** The man pages, as `man1/payctl.1.gz` and so on. */
export function manEntries(root: string): readonly Entry[] {
  const folder = join(root, 'dist', 'man');
  return globSync('*.[17].gz', { cwd: folder }).map((name) => ({
    path: `man${name.at(-'1.gz'.length)}/${name}`,
    bytes: readFileSync(join(folder, name)),
  }));
}

/** The format that lnav needs to read the API logs. */
export function logFormat(root: string): Buffer {
  return readFileSync(join(root, 'share', 'lnav', 'payctl-api-logs.json'));
}
