import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildExecutable } from '../../scripts/package/executable.ts';
import { OWN_PLATFORM } from '../../scripts/package/platforms.ts';

const root = join(import.meta.dirname, '../..');
const MADE_FROM = [
  'dist/**/*.{cjs,txt,json}',
  'src/executable/*.ts',
  'scripts/package/{executable,locked-files,platforms,record-compiled}.ts',
  'package-lock.json',
];

/** Why this machine cannot build an executable; undefined if it can. */
export const NO_EXECUTABLE = !OWN_PLATFORM
  ? 'there is no Node of the project for this platform'
  : Number.parseInt(process.versions.node, 10) < 26
    ? 'only Node 26 builds executables'
    : undefined;

/** payctl of dist/ as an executable. It is built when something that it consists of has changed, in about ten seconds. */
export async function builtExecutable(): Promise<string> {
  if (!OWN_PLATFORM) throw new Error(NO_EXECUTABLE);
  const hash = createHash('sha256').update(process.version);
  for (const file of globSync(MADE_FROM, { cwd: root }).sort()) {
    hash.update(file).update(readFileSync(join(root, file)));
  }
  const cache = join(root, 'node_modules', '.cache', 'payctl-executable');
  const folder = join(cache, hash.digest('hex').slice(0, 16));
  const file = join(folder, OWN_PLATFORM.program);
  if (existsSync(file)) return file;
  // Each is more than 100 MB.
  rmSync(cache, { recursive: true, force: true });
  const draft = `${folder}.new`;
  await buildExecutable(root, OWN_PLATFORM, draft);
  mkdirSync(dirname(folder), { recursive: true });
  renameSync(draft, folder);
  return file;
}
