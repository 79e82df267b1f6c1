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

// The whole project at once, while other tests run.
describe('the sources', { timeout: 300_000 }, () => {
  it('pass the type checker', () => {
    // Several threads check some files several times.
    expect(run('tsc', '-p', '.', '--singleThreaded')).toEqual({ status: 0, output: '' });
  });

  it('pass the linter and are formatted', () => {
    const { status, output } = run('biome', 'ci', '--error-on-warnings', '--colors=off', '.');
    expect(status, output).toBe(0);
  });

  it.each(['package.json', 'scripts/runtime/package.json', 'test/runtimes/lowest/package.json'])(
    'name exact versions of what they depend on in %s',
    (file) => {
      const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
        readFileSync(join(root, file), 'utf8'),
      );
      const loose = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }).filter(
        ([, range]) =>
          !/^((npm:[a-z0-9-]+@)?\d+\.\d+\.\d+(-jq-[\d.]+)?|file:scripts\/.+)$/.test(String(range)),
      );
      expect(loose).toEqual([]);
    },
  );
});

type Locked = {
  readonly name?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
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

  const foreign = Object.entries(packages).filter(([path]) => !isOurs(path));

  it('locks every package to a version with a checksum, and names no place to get it from', () => {
    const loose = foreign.filter(([, entry]) => !entry.version || !entry.integrity || entry.resolved);
    expect(loose).toEqual([]);
  });

  it('has no package that runs a script when it is installed', () => {
    expect(foreign.filter(([, entry]) => entry.hasInstallScript)).toEqual([]);
  });

  it('has the packages of every platform, for npm ci to choose from', () => {
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.entries(optionalDependencies)
        .filter(([name, range]) => !isLocked(path, name, range))
        .map(([name, range]) => `${path}: ${name}@${range}`),
    );
    expect(missing).toEqual([]);
  });

  /** A folder of this project, or the link to one. */
  function isOurs(path: string): boolean {
    const { link, resolved = '' } = packages[path] ?? {};
    return link ? isOurs(resolved) : !path.includes('node_modules/');
  }

  /** Whether Node would find the package from there; with exactly the version or name that is asked for. */
  function isLocked(from: string, name: string, range: string): boolean {
    const [, otherName, version] = /^(?:npm:(.+)@)?(\d.*)$/.exec(range) ?? [];
    const entry = nearest(from, name);
    if (!entry) return false;
    return version === undefined || (entry.version === version && entry.name === otherName);
  }

  function nearest(from: string, name: string): Locked | undefined {
    const entry = packages[`${from}/node_modules/${name}`.replace(/^\//, '')];
    if (entry || from === '') return entry;
    return nearest(from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))), name);
  }
});

it('finds every lock file', () => {
  expect(locks.toSorted()).toEqual([
    'package-lock.json',
    join('test', 'runtimes', 'lowest', 'package-lock.json'),
  ]);
});
