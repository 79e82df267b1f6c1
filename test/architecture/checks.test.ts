import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
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

  it('lock every package to a version with a checksum, and name no place to get it from', () => {
    const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { version?: string; integrity?: string; resolved?: string }>;
    };
    const { '': _, ...packages } = lock.packages;
    const loose = Object.entries(packages).filter(
      ([, entry]) => !entry.version || !entry.integrity || entry.resolved,
    );
    expect(loose).toEqual([]);
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
