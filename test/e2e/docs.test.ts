import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { drawPictures } from '../../scripts/pictures/draw.ts';
import { commandReference } from '../../scripts/write-command-reference.ts';
import { errorPage } from '../../scripts/write-error-page.ts';
import { skill } from '../../scripts/write-skill.ts';
import { isStale } from '../../scripts/written-files.ts';
import { HELP_GROUPS, TOPICS } from '../../src/cli/routing/catalog/topics.ts';
import { listCommands } from '../../src/cli/routing/route.ts';

const root = join(import.meta.dirname, '../..');

/** Whether this is the name of a file: its path, or the end of its path below src. */
function isNamed(file: string, name: string): boolean {
  return file === name || (file.startsWith('src/') && file.endsWith(`/${name}`));
}

describe('the documents', () => {
  it('hold the command reference as the help is now', () => {
    expect(readFileSync(join(root, 'docs', 'commands.md'), 'utf8')).toBe(commandReference());
  });

  it('say of error codes what payctl knows of them', () => {
    expect(readFileSync(join(root, 'docs', 'errors.md'), 'utf8')).toBe(errorPage());
  });

  it('tell agents what the help tells them, in a file that is short', () => {
    const written = readFileSync(join(root, 'share/skills/payctl/SKILL.md'), 'utf8');
    expect(written).toBe(skill());
    expect(written.split('\n').length).toBeLessThan(300);
  });

  it('show what payctl prints in their pictures', () => {
    expect(drawPictures().filter(isStale)).toEqual([]);
  });

  it('name only sources that exist', () => {
    const files = globSync('{src,scripts,test,bench}/**/*.ts', { cwd: root }).map((file) =>
      file.replaceAll('\\', '/'),
    );
    const pages = globSync('docs/{architecture,security,decisions/*}.md', { cwd: root });
    const missing = pages.flatMap((page) =>
      [...readFileSync(join(root, page), 'utf8').matchAll(/[\w./-]+\.ts\b/g)]
        .map(([name]) => name)
        .filter((name) => !files.some((file) => isNamed(file, name)))
        .map((name) => `${page}: ${name}`),
    );
    expect(missing).toEqual([]);
  });

  it('describe every topic that has commands, and no other', () => {
    const folders = readdirSync(join(root, 'src/commands'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name).slice(join(root, 'src/commands/').length));
    expect(Object.keys(TOPICS).sort()).toEqual(folders.map((folder) => folder.replaceAll('/', ' ')).sort());
  });

  it('have a group of the help for every command', () => {
    const first = listCommands(join(root, 'src/commands')).map((command) => command.split(' ')[0]);
    const grouped = HELP_GROUPS.flatMap(([, words]) => words);
    expect(grouped.toSorted()).toEqual([...new Set(first)].sort());
  });

  it('give a reason for every package that is bundled or used', () => {
    const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const decisions = globSync('docs/decisions/*.md', { cwd: root })
      .map((page) => readFileSync(join(root, page), 'utf8'))
      .join('');
    const unexplained = Object.keys(devDependencies).filter(
      (name) => !name.startsWith('@types/') && !new RegExp(`(^|[|, ])${name}([|, ])`, 'm').test(decisions),
    );
    expect(unexplained).toEqual([]);
  });
});
