import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { helpText, renderHelp } from '../../../src/cli/routing/help-text.ts';
import { lines } from '../../harness/lines.ts';
import { folderForAll } from '../../harness/temporary-folder.ts';

const folder = folderForAll();
mkdirSync(join(folder, 'help/buyers'), { recursive: true });
writeFileSync(join(folder, 'help/index.txt'), '\tThe program.\n');
writeFileSync(join(folder, 'help/buyers/list.txt'), '\tList buyers.\n');

const text = (words: readonly string[]) => helpText({ words, columns: 80, programFolder: folder });

describe('helpText', () => {
  it('is the page of the words, or of the program', () => {
    expect(text([])).toBe('The program.\n');
    expect(text(['buyers', 'list'])).toBe('List buyers.\n');
  });

  it('is undefined where there is no page', () => {
    expect(text(['buyers', 'get'])).toBeUndefined();
    expect(text(['..', 'main'])).toBeUndefined();
  });
});

const WORDS = Array.from({ length: 30 }, () => 'word').join(' ');

describe('renderHelp', () => {
  it.each([
    [200, 100],
    [100, 100],
    [93, 93],
    [80, 80],
    [40, 40],
    [10, 40],
  ])('on a terminal of %i columns breaks lines at %i', (columns, width) => {
    const rendered = renderHelp(`  --flag  \t${WORDS}\n`, columns).trimEnd().split('\n');
    const longest = Math.max(...rendered.map((line) => line.length));
    expect(longest).toBeLessThanOrEqual(width);
    expect(longest).toBeGreaterThan(width - ' word'.length);
    expect(rendered.slice(1).every((line) => line.startsWith(`${' '.repeat(10)}word`))).toBe(true);
  });

  it('keeps lines without a tab as they are', () => {
    expect(renderHelp(`FLAGS\n${WORDS}\n`, 40)).toBe(`FLAGS\n${WORDS}\n`);
  });

  it('breaks a command so that a shell reads it as one', () => {
    const command = "payctl roles list --jq '.items[0] | .slug' --profile emulator";
    expect(renderHelp(`    \t\t${command}\n`, 50)).toBe(
      lines("    payctl roles list --jq '.items[0] | .slug' \\", '      --profile emulator'),
    );
    expect(renderHelp(`    \t\t${command}\n`, 80)).toBe(`    ${command}\n`);
  });
});
