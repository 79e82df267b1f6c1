import { dataDirectory, type Environment } from '../config/environment.ts';
import { findProfile } from '../config/profile.ts';
import type { Profiles } from '../config/profiles.ts';
import type { ImportedDescription } from '../descriptions/imported-operation.ts';
import { quote, shellQuote } from '../text/format.ts';

/** The description that an emulator is to serve, which may change while it runs. */
export type EmulatorDescription = {
  /** Gives the folder of what is imported now; undefined where there is nothing. */
  readonly folder: () => Promise<string | undefined>;
  /** In lower case, where the description names it. */
  readonly merchantHeader: string | undefined;
  /** Undefined while nothing is imported. */
  readonly index: ImportedDescription | undefined;
  /** How its operations are called. */
  readonly how: string;
};

/** Where to look for it. */
export type EmulatorDescriptionInputs = {
  /** The file of --description. */
  readonly path: string | undefined;
  readonly environment: Environment;
  readonly profiles: Profiles['profiles'];
  readonly signal: AbortSignal;
};

/**
 * The description that is asked for, else the one that was imported for the profile `emulator`, which may also come later.
 * @throws UsageError `description_damaged`, and as `importOnce`, before anything is served
 */
export async function findEmulatorDescription(
  inputs: EmulatorDescriptionInputs,
): Promise<EmulatorDescription> {
  return inputs.path === undefined ? ofProfile(inputs) : ofFile(inputs, inputs.path);
}

async function ofProfile({
  environment,
  profiles,
  signal,
}: EmulatorDescriptionInputs): Promise<EmulatorDescription> {
  const { description } = findProfile(profiles, 'emulator');
  const inUse = async () => {
    const { descriptionInUse } = await import('./description-in-use.ts');
    return descriptionInUse({ environment, profile: 'emulator', signal });
  };
  const isGiven = description !== undefined || environment.description !== undefined;
  const found = isGiven ? await inUse() : undefined;
  if (found) await requireWhole(found);
  return {
    folder: async () => (await inUse())?.folder,
    merchantHeader: description?.merchantHeader,
    index: found?.index,
    how: 'List them: payctl api list --profile emulator',
  };
}

async function ofFile(
  { environment, signal }: EmulatorDescriptionInputs,
  path: string,
): Promise<EmulatorDescription> {
  const [{ importOnce }, { builtInCommands: builtIn }] = await Promise.all([
    import('../descriptions/file-import.ts'),
    import('./built-in-commands.ts'),
  ]);
  const read = () => importOnce(dataDirectory(environment), path, { name: '--description', builtIn, signal });
  const found = await read();
  await requireWhole(found);
  let first: string | undefined = found.folder;
  return {
    // What was good at the start is served first, whatever has become of the file until then.
    folder: async () => {
      const known = first;
      first = undefined;
      return known ?? (await read()).folder;
    },
    merchantHeader: found.index.merchantHeader,
    index: found.index,
    how: `To call them, import it: payctl api import ${shellQuote(path)} --profile emulator`,
  };
}

async function requireWhole({
  folder,
  index,
}: {
  readonly folder: string;
  readonly index: ImportedDescription;
}): Promise<void> {
  const { readImport } = await import('../descriptions/read-store.ts');
  readImport(folder, index);
}

/** What is said of a description that is served: `15 operations of "Sample payments" 1.0.0 (payments.json)`. */
export function countOperations({ title, version, file, operations }: ImportedDescription): string {
  const count = new Intl.NumberFormat('en').format(operations.length);
  return `${count} ${operations.length === 1 ? 'operation' : 'operations'} of ${quote(title)} ${version} (${file})`;
}
