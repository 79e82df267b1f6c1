import { configDirectory, dataDirectory, type Environment } from '../../config/environment.ts';
import { findProfile } from '../../config/profile.ts';
import { type Profiles, readProfiles } from '../../config/profiles.ts';
import type { ImportedDescription } from '../../descriptions/imported-operation.ts';
import { type CommandListing, commandsOf, groupsOf, readListing } from '../../descriptions/listing.ts';
import { importFolder, isReadable, readIndex } from '../../descriptions/read-store.ts';
import { UsageError } from '../../errors.ts';

/** The imported description of a run, and the folder that its operations are read from. */
export type DescriptionInUse = {
  readonly folder: string;
  readonly index: ImportedDescription;
  /** The profiles, where they say which description it is. */
  readonly profiles?: Profiles | undefined;
};

/** What decides which description a run uses. */
export type DescriptionInputs = {
  readonly environment: Environment;
  /** The profile that `--profile` names. */
  readonly profile?: string | undefined;
  /** The profiles, where they have been read already. */
  readonly profiles?: Profiles | undefined;
  readonly signal?: AbortSignal | undefined;
};

/**
 * The description that a run uses: that of `PAYCTL_DESCRIPTION`, else that of the profile in use, else that of runs without a
 * profile. Undefined where nothing was imported.
 * @throws UsageError `description_missing`, `description_damaged`, `unknown_profile`, and as `importOnce`
 */
export async function descriptionInUse(inputs: DescriptionInputs): Promise<DescriptionInUse | undefined> {
  const { description } = inputs.environment;
  if (description === undefined) return describedByProfile(inputs);
  return await descriptionIn(description, 'PAYCTL_DESCRIPTION', inputs);
}

/** The description in a file, which the flag or variable `name` names. @throws UsageError as `importOnce` */
export async function descriptionIn(
  path: string,
  name: string,
  { environment, signal }: DescriptionInputs,
): Promise<DescriptionInUse> {
  const [{ importOnce }, { builtInCommands }] = await Promise.all([
    import('../../descriptions/file-import.ts'),
    import('../routing/built-in-commands.ts'),
  ]);
  return await importOnce(dataDirectory(environment), path, { name, builtIn: builtInCommands, signal });
}

/**
 * The description that was imported for the profile in use, else for runs without a profile.
 * @throws UsageError `description_missing`, `description_damaged`, `unknown_profile`
 */
export function describedByProfile(inputs: DescriptionInputs): DescriptionInUse | undefined {
  const bound = folderOfProfile(inputs);
  return bound && { ...bound, index: readIndex(bound.folder) };
}

/**
 * The commands of the description that was imported for the profile in use, else for runs without a profile, by their names.
 * @throws UsageError as `describedByProfile`
 */
export function commandsByProfile(
  inputs: DescriptionInputs,
): (CommandListing & Pick<DescriptionInUse, 'profiles'>) | undefined {
  const bound = folderOfProfile(inputs);
  if (!bound) return undefined;
  const { folder, profiles } = bound;
  const listing = readListing(folder);
  if (listing) return { ...listing, profiles };
  const index = readIndex(folder);
  return { title: index.title, groups: groupsOf(commandsOf(index)), profiles };
}

function folderOfProfile(inputs: DescriptionInputs): Omit<DescriptionInUse, 'index'> | undefined {
  const { environment, profile, profiles = readProfiles(configDirectory(environment)) } = inputs;
  const name = profile ?? environment.profile ?? profiles.active;
  const binding =
    name === undefined ? profiles.description : findProfile(profiles.profiles, name).description;
  if (!binding) return undefined;
  if (!isReadable(binding.folder)) {
    throw new UsageError('description_missing', `${binding.file} was imported by another version of payctl`, {
      hint: 'Import it again: payctl api import FILE',
    });
  }
  return { folder: importFolder(dataDirectory(environment), binding.folder), profiles };
}
