import { UsageError } from '../../client/errors.ts';
import { nearest } from '../../config/nearest.ts';
import { quoted } from '../../config/quoted.ts';
import { SHELLS, type Shell } from './completion-script.ts';

/**
 * The shell of a name.
 * @throws UsageError `no_shell` or `unknown_shell`, which lists the known ones and suggests the nearest
 */
export function readShell(name: string | undefined): Shell {
  const shell = SHELLS.find((known) => known === name);
  if (shell) return shell;
  const known = `Write one of ${SHELLS.join(', ')}.`;
  if (name === undefined) {
    throw new UsageError('no_shell', 'payctl completion needs the name of a shell', { hint: known });
  }
  const suggestion = nearest(name, SHELLS);
  throw new UsageError('unknown_shell', `payctl has no completion for the shell ${quoted(name)}`, {
    hint: `${suggestion ? `Did you mean ${suggestion}? ` : ''}${known}`,
  });
}
