import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { wrapCommand } from '../../scripts/render-help.ts';

it('a short command is one line', () => {
  expect(wrapCommand('$ payctl buyers list', 40)).toEqual(['$ payctl buyers list']);
});

it('a long command is broken between words, and keeps quoted text together', () => {
  expect(wrapCommand(`$ payctl roles list --jq '.items[] | .slug' --profile emulator`, 30)).toEqual([
    '$ payctl roles list \\',
    `--jq '.items[] | .slug' \\`,
    '--profile emulator',
  ]);
});

it.skipIf(process.platform === 'win32')('a shell reads the lines as the command that they were', () => {
  const command = `printf '%s\\n' --jq '.a | select(.b == "c d") | .e' "x \\" y" z\\ z and some words more`;
  const run = (text: string) => spawnSync('sh', ['-c', text], { encoding: 'utf8' }).stdout;
  expect(run(wrapCommand(command, 20).join('\n'))).toBe(run(command));
  expect(run(command).split('\n').length).toBe(9);
});
