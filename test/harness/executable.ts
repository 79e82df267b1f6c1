import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildExecutable } from '../../scripts/package/executable.ts';
import { OWN_PLATFORM, type Platform } from '../../scripts/package/platforms.ts';
import { lockAlone } from '../../src/files/kernel-lock.ts';

const root = join(import.meta.dirname, '../..');
const MADE_FROM = [
  'dist/**/*.{cjs,txt,json,jsonl,zst}',
  'src/{executable,start,config,files}/*.ts',
  'scripts/package/{compiled-flags,executable,locked-files,platforms,record-compiled,settle-compiled}.ts',
  'package-lock.json',
];

/** Why this machine cannot build an executable; undefined if it can. */
export const NO_EXECUTABLE = !OWN_PLATFORM
  ? 'there is no Node of the project for this platform'
  : Number.parseInt(process.versions.node, 10) < 26
    ? 'only Node 26 builds executables'
    : undefined;

/**
 * payctl of dist/ as an executable, for this platform unless another is given. It is built when something that it consists of has
 * changed, in about ten seconds; test files that ask for it at the same time wait for the one that builds it.
 */
export async function builtExecutable(platform: Platform | undefined = OWN_PLATFORM): Promise<string> {
  if (!platform || NO_EXECUTABLE) throw new Error(NO_EXECUTABLE);
  const hash = createHash('sha256').update(process.version);
  for (const file of globSync(MADE_FROM, { cwd: root }).sort()) {
    hash.update(file).update(readFileSync(join(root, file)));
  }
  const name = hash.digest('hex').slice(0, 16);
  const cache = join(root, 'node_modules', '.cache', 'payctl-executable', platform.name);
  const folder = join(cache, name);
  const file = join(folder, platform.program);
  mkdirSync(cache, { recursive: true });
  let lock = lockAlone(`${cache}.lock`);
  while (lock === undefined) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    lock = lockAlone(`${cache}.lock`);
  }
  try {
    if (!existsSync(file)) await build(platform, cache, folder);
  } finally {
    lock.release();
  }
  return file;
}

/** Builds the executable into a folder in the place of all others of the cache. */
async function build(platform: Platform, cache: string, folder: string): Promise<void> {
  // Each is more than 100 MB.
  for (const old of globSync('*', { cwd: cache })) rmSync(join(cache, old), { recursive: true, force: true });
  const draft = `${folder}.draft`;
  await buildExecutable(root, platform, draft);
  renameSync(draft, folder);
}
