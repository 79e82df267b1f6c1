import { describe, expect, it } from 'vitest';
import { COMPLETION_SCRIPTS, SHELLS } from '../../../src/features/completion/scripts.ts';

const { bash, zsh, fish, powershell } = COMPLETION_SCRIPTS;

/** The script without its comments, each line without its indentation. */
function linesOf(script: string): string[] {
  return script
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

describe('every script', () => {
  it.each(SHELLS)('asks payctl in one place, and evaluates nothing: %s', (shell) => {
    const script = COMPLETION_SCRIPTS[shell];
    expect(linesOf(script).filter((line) => line.includes('payctl __complete '))).toHaveLength(1);
    expect(script).not.toMatch(/\beval\b|Invoke-Expression|\biex\b|compgen -W|\bsource\b|\$\{\(e|print -P/);
  });

  it.each(SHELLS)('is plain ASCII that ends with a line end, and says how to print it anew: %s', (shell) => {
    const script = COMPLETION_SCRIPTS[shell];
    expect(script).toMatch(/^[\n\x20-\x7e]+[^\n]\n$/);
    expect(script).toContain(`Printed by: payctl completion ${shell}\n`);
  });

  it.each([
    ['bash', bash],
    ['zsh', zsh],
    ['fish', fish],
  ])('keeps what payctl may say on stderr, and its input, from the terminal: %s', (_, script) => {
    const call = linesOf(script).find((line) => line.includes('payctl __complete '));
    expect(call).toContain('2>/dev/null </dev/null');
  });
});

describe('the script for zsh', () => {
  it('is found by way of fpath by its first line', () => {
    expect(zsh.startsWith('#compdef payctl\n')).toBe(true);
  });
});

describe('the script for PowerShell', () => {
  it('has every bracket closed outside of its texts', () => {
    const code = powershell.replace(/#.*$/gm, '').replace(/'(?:[^']|'')*'|"[^"]*"/g, '');
    for (const [open, close] of ['()', '[]', '{}'].map((pair) => [...pair])) {
      expect(code.split(open ?? '').length, open).toBe(code.split(close ?? '').length);
    }
  });
});
