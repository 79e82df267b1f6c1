import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/errors.ts';
import { readShell } from '../../../src/features/completion/scripts.ts';

function failure(name: string | undefined): unknown {
  try {
    return readShell(name);
  } catch (error) {
    return error instanceof UsageError && [error.code, error.message, error.hint];
  }
}

const KNOWN = 'Use one of bash, zsh, fish, powershell.';

describe('readShell', () => {
  it.each(['bash', 'zsh', 'fish', 'powershell'])('knows %s', (name) => {
    expect(readShell(name)).toBe(name);
  });

  it.each([
    ['bsh', 'bash'],
    ['powershel', 'powershell'],
    ['ZSH', 'zsh'],
  ])('suggests what is near %s', (name, near) => {
    const message = `payctl has no completion for the shell "${name}"`;
    expect(failure(name)).toEqual(['unknown_shell', message, `Did you mean ${near}? ${KNOWN}`]);
  });

  it('lists what it knows where nothing is near, and where nothing was given', () => {
    const unknown = 'payctl has no completion for the shell "constructor"';
    expect(failure('constructor')).toEqual(['unknown_shell', unknown, KNOWN]);
    expect(failure(undefined)).toEqual(['no_shell', 'payctl completion needs the name of a shell', KNOWN]);
  });
});
