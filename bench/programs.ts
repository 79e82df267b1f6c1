/** What every group of measurements starts from: the programs, an empty folder, and the environment of a new user. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Program } from './measure.ts';

/** The root of the project. */
export const root = join(import.meta.dirname, '..');

/** A folder of this run; `all.ts` deletes it. */
export const folder = mkdtempSync(join(tmpdir(), 'payctl-bench-'));

/** What is kept from one run to the next. */
export const cache = join(root, 'node_modules', '.cache', 'payctl-bench');

/** payctl as npm installs it, with nothing configured and its compile cache apart from the user's. */
export function payctl(words: readonly string[], env: NodeJS.ProcessEnv = {}): Program {
  return { ...node([join(root, 'bin', 'run.js'), ...words]), env: { ...freshUser(), ...env } };
}

/** A script on the Node that runs this. */
export function node(args: readonly string[], env: NodeJS.ProcessEnv = {}): Program {
  return { command: process.execPath, args, env };
}

/** The environment of somebody who has configured nothing. */
export function freshUser(): NodeJS.ProcessEnv {
  return { PAYCTL_CONFIG_DIR: join(folder, 'config'), XDG_CACHE_HOME: cache };
}
