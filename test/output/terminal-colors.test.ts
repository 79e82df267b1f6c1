import { describe, expect, it } from 'vitest';
import { loadColors, plainColors } from '../../src/output/terminal.ts';

describe('colours', () => {
  it('are escape sequences when enabled, whatever the environment says', async () => {
    const colors = await loadColors(true);
    expect(colors.bold('x')).toBe('\u001B[1mx\u001B[22m');
    expect(colors.dim('x')).toBe('\u001B[2mx\u001B[22m');
    expect(colors.red('x')).toBe('\u001B[31mx\u001B[39m');
    expect(colors.green('x')).toBe('\u001B[32mx\u001B[39m');
    expect(colors.yellow('x')).toBe('\u001B[33mx\u001B[39m');
    expect(colors.cyan('x')).toBe('\u001B[36mx\u001B[39m');
  });

  it('are the plain styles when there is no colour', async () => {
    expect(await loadColors(false)).toBe(plainColors);
    expect(plainColors.red('x')).toBe('x');
  });
});
