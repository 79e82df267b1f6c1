import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HELP_TOPICS } from '../../src/cli/routing/catalog/help-topics.ts';
import { folderForTest } from '../harness/temporary-folder.ts';

const SCRIPT = 'scripts/write-command-reference.ts';
const project = join(import.meta.dirname, '../..');

/** A copy of the sources with one command, a reference from earlier and no build. */
function freshClone() {
  const root = folderForTest();
  for (const name of [SCRIPT, 'scripts/written-files.ts', 'src', 'package.json']) {
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
  const read = (name: string) => () => readFileSync(join(root, name), 'utf8');
  return { run, write, reference: read('docs/commands.md'), manifest: read('package.json') };
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
    write('dist/help/cards/list.txt', '\tList cards.\n');
    for (const topic of Object.keys(HELP_TOPICS)) write(`dist/help/${topic}.txt`, `\tAbout ${topic}.\n`);
    const stderr = ['docs/commands.md', 'package.json']
      .map((path) => `${path} is stale; run npm run generate\n`)
      .join('');
    expect(run('--check')).toEqual({ status: 1, stdout: '', stderr });
    expect(run()).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(reference()).toContain('## payctl cards list\n\n```text\nList cards.\n```\n');
    expect(reference()).toContain('## payctl help exit-codes\n\n```text\nAbout exit-codes.\n```\n');
    expect(run('--check')).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  it('comes with the list of man pages that npm installs', () => {
    const { run, write, manifest } = freshClone();
    write('dist/help/cards/list.txt', '\tList cards.\n');
    for (const topic of Object.keys(HELP_TOPICS)) write(`dist/help/${topic}.txt`, `\tAbout ${topic}.\n`);
    expect(run()).toMatchObject({ status: 0 });
    expect(JSON.parse(manifest()).man).toEqual([
      './dist/man/payctl.1.gz',
      './dist/man/payctl-cards-list.1.gz',
      ...Object.keys(HELP_TOPICS).map((topic) => `./dist/man/payctl-${topic}.7.gz`),
    ]);
    write('package.json', manifest().replace('payctl-cards-list.1', 'payctl-cards-ls.1'));
    const stderr = 'package.json is stale; run npm run generate\n';
    expect(run('--check')).toEqual({ status: 1, stdout: '', stderr });
  });
});
