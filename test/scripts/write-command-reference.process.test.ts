import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

const SCRIPT = 'scripts/write-command-reference.ts';
const project = join(import.meta.dirname, '../..');

/** A copy of the sources with one command, a reference from earlier and no build. */
function freshClone() {
  const root = mkdtempSync(join(tmpdir(), 'payctl-clone-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const name of [SCRIPT, 'src', 'package.json']) {
    cpSync(join(project, name), join(root, name), { recursive: true });
  }
  rmSync(join(root, 'src/commands'), { recursive: true });
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  };
  write('src/commands/cards/list.ts', '');
  write('docs/commands.md', 'earlier');
  const run = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, ...args], {
      cwd: root,
      encoding: 'utf8',
    });
    return { status, stdout, stderr };
  };
  return { run, write, reference: () => readFileSync(join(root, 'docs/commands.md'), 'utf8') };
}

describe('the command reference', () => {
  it('waits for a build, but is not taken for current without one', () => {
    const { run, reference } = freshClone();
    const stderr = 'docs/commands.md waits for a build: dist has no help of "payctl cards list"\n';
    expect(run()).toEqual({ status: 0, stdout: '', stderr });
    expect(reference()).toBe('earlier');
    expect(run('--check')).toEqual({ status: 1, stdout: '', stderr });
  });

  it('is written from the help of a build, and compared with it', () => {
    const { run, write, reference } = freshClone();
    write('dist/help/cards/list.txt', 'List cards.\n');
    const stderr = 'docs/commands.md is not what the last build gives\n';
    expect(run('--check')).toEqual({ status: 1, stdout: '', stderr });
    expect(run()).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(reference()).toContain('## payctl cards list\n\n```text\nList cards.\n```\n');
    expect(run('--check')).toEqual({ status: 0, stdout: '', stderr: '' });
  });
});
