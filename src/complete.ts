import { dirname } from 'node:path';
import { profileIn } from './cli/routing/leading-flags.ts';
import { mayBeImported } from './cli/routing/may-be-imported.ts';
import { completionRequest } from './cli/routing/route.ts';
import { commandsByProfile } from './cli/session/description-in-use.ts';
import { type Environment, readEnvironment } from './config/environment.ts';
import { callIn, completedListing, hasCommand } from './features/api/completed-names.ts';
import { answerCompletion, type CompletedProgram } from './features/completion/answer.ts';
import { openPrinter } from './output/print.ts';

/**
 * Prints what a shell offers for the words of `payctl __complete`, with the least code: the program itself is not loaded.
 * Resolves to false, with nothing printed, where that takes the program, or cannot be printed; then the program answers.
 */
export async function printCompletion(argv: readonly string[]): Promise<boolean> {
  if (argv.some((argument) => argument.includes('\uFFFD'))) return false;
  const environment = readEnvironment();
  let takesProgram = false;
  const imported: CompletedProgram['imported'] = async (before, own) => {
    if (!mayBeImported(environment) && !callIn(before)) return undefined;
    const names = namesOfProfile(before, environment, own?.words);
    takesProgram = names === 'unknown';
    return names === 'unknown' ? undefined : names;
  };
  const text = await answerCompletion(completionRequest(argv), environment, {
    programFolder: dirname(import.meta.filename),
    imported,
  });
  if (takesProgram) return false;
  try {
    await openPrinter().print(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * The commands of the description of the profile by their names; `unknown` where more than its index has to be read. Of a command of
 * payctl itself, `own`, that is where the description has the same operation: it then has the same name.
 */
function namesOfProfile(before: readonly string[], environment: Environment, own: string | undefined) {
  if (environment.description !== undefined || callIn(before)) return 'unknown';
  const profile = profileIn(before);
  const listing = commandsByProfile({ environment, profile });
  if (!listing) return undefined;
  // The description that the emulator answers from is read whole.
  if ((profile ?? environment.profile ?? listing.profiles?.active) === 'emulator') return 'unknown';
  if (own !== undefined) return hasCommand(listing, own) ? 'unknown' : undefined;
  const names = completedListing(before, listing);
  return names.typed ? 'unknown' : names;
}
