import { UsageError } from '../../errors.ts';
import { quote } from '../../text/format.ts';
import { suggest } from '../../text/suggest.ts';
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

/**
 * The shell of a name.
 * @throws UsageError `no_shell` or `unknown_shell`, which lists the known ones and suggests the nearest
 */
export function readShell(name: string | undefined): Shell {
  const shell = SHELLS.find((known) => known === name);
  if (shell) return shell;
  const known = `Use one of ${SHELLS.join(', ')}.`;
  if (name === undefined) {
    throw new UsageError('no_shell', 'payctl completion needs the name of a shell', { hint: known });
  }
  const suggestion = suggest(name, SHELLS);
  throw new UsageError('unknown_shell', `payctl has no completion for the shell ${quote(name)}`, {
    hint: `${suggestion ? `Did you mean ${suggestion}? ` : ''}${known}`,
  });
}
