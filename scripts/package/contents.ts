import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { COMPLETION_SCRIPTS } from '../../src/features/completion/scripts.ts';
import type { Entry } from './archive.ts';
import { packageFolder } from './locked-files.ts';
import type { Platform } from './platforms.ts';

/** Texts that have to go wherever the executable goes. */
export function licences(root: string, platform: Platform): readonly Entry[] {
  return [
    { path: 'LICENSE', bytes: readFileSync(join(root, 'LICENSE')) },
    {
      path: 'THIRD-PARTY-LICENCES.txt',
      bytes: readFileSync(join(root, 'dist', 'THIRD-PARTY-LICENCES.txt')),
    },
    { path: 'NODE-LICENCE.txt', bytes: readFileSync(join(packageFolder(root, platform.node), 'LICENSE')) },
    ...bindingLicences(root, platform),
  ];
}

function bindingLicences(root: string, platform: Platform): readonly Entry[] {
  const folder = packageFolder(root, platform.binding);
  return globSync('LICENSE*', { cwd: folder }).map((name) => ({
    path: 'KEYCHAIN-BINDING-LICENCES.md',
    bytes: readFileSync(join(folder, name)),
  }));
}

/** What the archive of a platform holds, below one folder. */
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
    ...licences(root, platform),
  ];
}

/** What a Debian package installs, each file where Debian looks for it. */
export function debianEntries(root: string, platform: Platform, executable: string): readonly Entry[] {
  const at = (path: string, bytes: Uint8Array) => ({ path: `./usr/${path}`, bytes });
  return [
    { ...at('bin/payctl', readFileSync(executable)), runs: true },
    ...manEntries(root).map(({ path, bytes }) => at(`share/man/${path}.gz`, gzipSync(bytes, { level: 9 }))),
    at('share/bash-completion/completions/payctl', Buffer.from(COMPLETION_SCRIPTS.bash)),
    at('share/zsh/vendor-completions/_payctl', Buffer.from(COMPLETION_SCRIPTS.zsh)),
    at('share/fish/vendor_completions.d/payctl.fish', Buffer.from(COMPLETION_SCRIPTS.fish)),
    ...licences(root, platform).map(({ path, bytes }) =>
      at(`share/doc/payctl/${path === 'LICENSE' ? 'copyright' : path}`, bytes),
    ),
  ];
}

/** `man1/payctl.1` and so on. */
function manEntries(root: string): readonly Entry[] {
  const folder = join(root, 'dist', 'man');
  return globSync('*.[17]', { cwd: folder }).map((name) => ({
    path: `man${name.at(-1)}/${name}`,
    bytes: readFileSync(join(folder, name)),
  }));
}
