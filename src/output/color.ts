import { Chalk } from 'chalk';
import type { Colors } from './palette.ts';

/**
 * Gives the styles, on or off as told. chalk's own detection is not asked: the decision is taken once, in
 * `terminal.ts`, and the sixteen colours that every terminal theme maps are enough.
 */
export function createColors(enabled: boolean): Colors {
  const chalk = new Chalk({ level: enabled ? 1 : 0 });
  return {
    bold: (text) => chalk.bold(text),
    dim: (text) => chalk.dim(text),
    red: (text) => chalk.red(text),
    green: (text) => chalk.green(text),
    yellow: (text) => chalk.yellow(text),
    cyan: (text) => chalk.cyan(text),
  };
}
