import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { lockedPackage } from './platforms.ts';

/**
 * The folder of a package of another platform: as installed, or downloaded from the registry into node_modules/.cache, where
 * its bytes are checked against package-lock.json.
 * @throws Error if it is not available
 */
export function packageFolder(root: string, key: string): string {
  const installed = join(root, key);
  if (existsSync(join(installed, 'package.json'))) return installed;
  const { name, version, integrity } = lockedPackage(root, key);
  const cache = join(
    root,
    'node_modules',
    '.cache',
    'payctl-package',
    `${name.replace('/', '-')}-${version}`,
  );
  const folder = join(cache, 'package');
  if (existsSync(join(folder, 'package.json'))) return folder;
  rmSync(cache, { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
  runOrThrow('npm', ['pack', '--silent', '--ignore-scripts', `${name}@${version}`], { cwd: cache });
  const [archive = ''] = globSync('*.tgz', { cwd: cache });
  const digest = createHash('sha512')
    .update(readFileSync(join(cache, archive)))
    .digest('base64');
  if (integrity !== `sha512-${digest}`)
    throw new Error(`${name}@${version} is not what package-lock.json has`);
  runOrThrow('tar', ['-xzf', archive], { cwd: cache });
  rmSync(join(cache, archive));
  return folder;
}

/**
 * Runs a program to its end, and returns its output.
 * @throws Error with what it printed, if it failed
 */
export function runOrThrow(
  program: string,
  args: readonly string[],
  { cwd, env = process.env }: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    env,
    encoding: 'utf8',
    shell: process.platform === 'win32' && program === 'npm',
  });
  if (status !== 0) {
    throw new Error(`${program} ${args.join(' ')} failed: ${error?.message ?? ''}${stdout}${stderr}`);
  }
  return stdout;
}
