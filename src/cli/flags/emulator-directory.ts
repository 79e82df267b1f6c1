import { resolve } from 'node:path';
import { type Environment, emulatorDirectory } from '../../config/environment.ts';
import { flagWith } from '../../text/format.ts';
import { textFlag } from './types.ts';

/** Which emulator is meant. */
export function directoryFlag() {
  return {
    directory: textFlag({
      summary: 'The directory of an emulator that was started with --directory.',
      helpValue: 'DIR',
    }),
  };
}

type DirectoryValue = { readonly directory?: string | undefined };

/** The directory of the flag, else that of the profile `emulator`. */
export function dataDirectory({ directory }: DirectoryValue, environment: Environment): string {
  return directory === undefined ? emulatorDirectory(environment) : resolve(directory);
}

/** The command that stops the emulator that is meant. */
export function stopCommand({ directory }: DirectoryValue): string {
  const stop = 'payctl emulator stop';
  return directory === undefined ? stop : `${stop} ${flagWith('--directory', directory)}`;
}
