import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { wrapCommand, wrapWords } from '../../src/text/wrap.ts';

it('breaks a text between its words, and never within one', () => {
  expect(wrapWords('one two three', 7)).toEqual(['one two', 'three']);
  expect(wrapWords('one unbreakable', 5)).toEqual(['one', 'unbreakable']);
  expect(wrapWords('', 5)).toEqual(['']);
});

it('measures a text as it is told to', () => {
  expect(wrapWords('aa bb cc', 8, (text) => 2 * text.length)).toEqual(['aa', 'bb', 'cc']);
});

it('a short command is one line', () => {
  expect(wrapCommand('payctl buyers list', 40)).toEqual(['payctl buyers list']);
});

it('a long command is broken between words, and keeps quoted text and values with their flags', () => {
  expect(wrapCommand(`payctl roles list --jq '.items[] | .slug' --profile emulator`, 30)).toEqual([
    'payctl roles list \\',
    `--jq '.items[] | .slug' \\`,
    '--profile emulator',
  ]);
});

it.each(['|', '>', '<'])('a switch before %s keeps no value', (sign) => {
  expect(wrapCommand(`payctl auth token --quiet ${sign} file`, 28)).toEqual([
    'payctl auth token --quiet \\',
    `${sign} file`,
  ]);
});

it.skipIf(process.platform === 'win32')('a shell reads the lines as the command that they were', () => {
  const command = `printf '%s\\n' --jq '.a | select(.b == "c d") | .e' "x \\" y" z\\ z and some words more`;
  const run = (text: string) => spawnSync('sh', ['-c', text], { encoding: 'utf8' }).stdout;
  expect(run(wrapCommand(command, 20).join('\n'))).toBe(run(command));
  expect(run(command).split('\n').length).toBe(9);
});
