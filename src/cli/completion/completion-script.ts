import { BASH_SCRIPT } from './shells/bash.ts';
import { FISH_SCRIPT } from './shells/fish.ts';
import { POWERSHELL_SCRIPT } from './shells/powershell.ts';
import { ZSH_SCRIPT } from './shells/zsh.ts';

/** The shells that payctl knows to complete in. */
export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;

/** One of them. */
export type Shell = (typeof SHELLS)[number];

/** What each shell has to be given once; at each press of the key it asks payctl for the candidates. */
export const COMPLETION_SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: BASH_SCRIPT,
  zsh: ZSH_SCRIPT,
  fish: FISH_SCRIPT,
  powershell: POWERSHELL_SCRIPT,
};
