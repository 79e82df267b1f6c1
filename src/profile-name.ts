import { configDirectory, findEmptyVariables, readEnvironment } from './config/environment.ts';
import { readProfiles } from './config/profiles.ts';
import { openPrinter } from './output/print.ts';

/**
 * Prints what `payctl profiles show --jq .name` does, for the prompt of a shell, with the least code: the program itself is not
 * loaded. Resolves to false, with nothing printed, where there is no such profile or more than a plain name to print; then the
 * program does it.
 */
export async function printProfileName(): Promise<boolean> {
  const environment = readEnvironment();
  const { output, verbose } = environment;
  if (output !== undefined || verbose !== undefined || findEmptyVariables().profile) return false;
  try {
    const { profiles, active } = readProfiles(configDirectory(environment));
    const profile = profiles.get(environment.profile ?? active ?? '');
    if (!profile || profile.output !== undefined) return false;
    await openPrinter().print(`${profile.name}\n`);
    return true;
  } catch {
    return false;
  }
}
