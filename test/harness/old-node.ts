import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** What `node --version` prints. */
export function versionOf(node: string): string {
  return spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim();
}

/** The Node of the system, where it is one that payctl cannot run on; undefined if it is newer. */
export function oldNode(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((path) => !path.includes('node_modules'));
  const found = folders.map((path) => join(path, 'node')).find((path) => existsSync(path));
  return found && /^v(20|21|22\.1?\d)\./.test(versionOf(found)) ? found : undefined;
}
