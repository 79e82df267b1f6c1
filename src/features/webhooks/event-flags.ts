import { resolve } from 'node:path';
import { textFlag } from '../../cli/flags/types.ts';
import { type Environment, webhooksDirectory } from '../../config/environment.ts';

/** Where received events are kept. */
export function directoryFlag() {
  return {
    directory: textFlag({
      summary: 'Keep the events in this directory. Default: one of the configuration.',
      helpValue: 'DIR',
    }),
  };
}

/** The directory of the flag, else that of the configuration. */
export function eventDirectory(
  { directory }: { readonly directory?: string | undefined },
  environment: Environment,
): string {
  return directory === undefined ? webhooksDirectory(environment) : resolve(directory);
}
