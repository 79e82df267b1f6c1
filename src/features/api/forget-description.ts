import { dataDirectory, type Environment } from '../../config/environment.ts';
import { foldersInUse, type ProfilesDocument } from '../../config/profiles-document.ts';
import { removeUnused } from '../../descriptions/store.ts';

/**
 * Removes the imports for profiles that none of these refers to, those of the last hour excepted;
 * `forgotten` is the folder of one that goes whatever its age. Returns the folders that are gone. To be called while no other
 * run can change the profiles.
 */
export function removeUnusedImports(
  document: ProfilesDocument,
  environment: Environment,
  forgotten?: string,
): readonly string[] {
  const data = dataDirectory(environment);
  return removeUnused(data, new Set(foldersInUse(document)), { forgotten });
}

/** Whose description it is, in words. */
export function ownerOf(profile: string | undefined): string {
  return profile === undefined ? 'of runs without a profile' : `of the profile ${profile}`;
}
