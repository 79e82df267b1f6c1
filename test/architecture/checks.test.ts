import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

function run(program: string, ...args: string[]): { status: number | null; output: string } {
  const bin = join(root, 'node_modules', '.bin', program);
  const { status, stdout, stderr } = spawnSync(bin, args, { cwd: root, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

describe('the sources', () => {
  it('pass the type checker', () => {
    expect(run('tsc', '-p', '.')).toEqual({ status: 0, output: '' });
  });

  it('pass the linter and are formatted', () => {
    const { status, output } = run('biome', 'ci', '--error-on-warnings', '--colors=off', '.');
    expect(status, output).toBe(0);
  });

  it('name exact versions of what they depend on', () => {
    const { dependencies = {}, devDependencies = {} } = JSON.parse(
      readFileSync(join(root, 'package.json'), 'utf8'),
    );
    const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
      ([, range]) => !/^\d+\.\d+\.\d+(-jq-[\d.]+)?$/.test(String(range)),
    );
    expect(loose).toEqual([]);
  });
});

type Locked = {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
};

const locks = globSync('**/package-lock.json', { cwd: root, exclude: (name) => name === 'node_modules' });

describe.each(locks)('%s', (file) => {
  const { packages } = JSON.parse(readFileSync(join(root, file), 'utf8')) as {
    packages: Record<string, Locked>;
  };

  it('locks every package to a version with a checksum, and names no place to get it from', () => {
    const { '': _, ...installed } = packages;
    const loose = Object.entries(installed).filter(
      ([, entry]) => !entry.version || !entry.integrity || entry.resolved,
    );
    expect(loose).toEqual([]);
  });

  it('has the packages of every platform, for npm ci to choose from', () => {
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.entries(optionalDependencies)
        .filter(([name, range]) => !isLocked(path, name, range))
        .map(([name, range]) => `${path}: ${name}@${range}`),
    );
    expect(missing).toEqual([]);
  });

  /** Whether Node would find the package from there; of an exact version that very one. */
  function isLocked(from: string, name: string, range: string): boolean {
    for (
      let folder = from;
      ;
      folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))
    ) {
      const entry = packages[join(folder, 'node_modules', name).replaceAll('\\', '/')];
      if (entry) return /^\d/.test(range) ? entry.version === range : true;
      if (folder === '') return false;
    }
  }
});

it('finds every lock file', () => {
  expect(locks.toSorted()).toEqual([
    'package-lock.json',
    join('test', 'runtimes', 'lowest', 'package-lock.json'),
  ]);
});
