import Conf from 'conf';
import type { ProfilesDocument } from './profile-document.ts';

/**
 * A store of conf in a folder of its own. To be imported as late as possible: what conf writes with takes Ctrl-C over
 * as soon as it is loaded, and ends the process at once.
 *
 * conf takes a write that a full disk cut short for a whole one, and within a Snap it writes in place: therefore it never
 * writes to the file of the profiles itself. Its own directory, file mode and loss of damaged files do not suit.
 */
export function openStore(
  folder: string,
  serialize: (document: ProfilesDocument) => string,
): Conf<ProfilesDocument> {
  return new Conf<ProfilesDocument>({
    cwd: folder,
    configName: 'profiles',
    configFileMode: 0o600,
    clearInvalidConfig: false,
    projectName: 'payctl',
    accessPropertiesByDotNotation: false,
    serialize,
  });
}
