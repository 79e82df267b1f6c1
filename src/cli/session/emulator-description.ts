import type { Environment } from '../../config/environment.ts';
import { findProfile } from '../../config/profile.ts';
import type { Profiles } from '../../config/profiles.ts';
import type { ImportedDescription } from '../../descriptions/imported-operation.ts';
import { quote } from '../../text/format.ts';
import { shellQuote } from '../../text/shell.ts';
import type { DescriptionInUse } from './description-in-use.ts';

/** The description that an emulator serves; it may change while the emulator runs. */
export type EmulatorDescription = {
  /** Returns the folder of the current import; undefined if there is none. */
  readonly folder: () => Promise<string | undefined>;
  /** The merchant account header in lower case; undefined if the description names none. */
  readonly merchantHeader: string | undefined;
  /** Undefined while nothing is imported. */
  readonly index: ImportedDescription | undefined;
  /** A note for the user about how to call the operations. */
  readonly how: string;
};

/** Where to find the description. */
export type EmulatorDescriptionInputs = {
  /** The file of --description. */
  readonly path: string | undefined;
  readonly environment: Environment;
  readonly profiles: Profiles['profiles'];
  readonly signal: AbortSignal;
};

/**
 * The description of `--description`, else the one that was imported for the profile `emulator`; that import may come later.
 * @throws UsageError `description_damaged`, and as `importOnce`, before the emulator serves anything
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
  const { descriptionIn } = await import('./description-in-use.ts');
  const read = () => descriptionIn(path, '--description', { environment, signal });
  const found = await read();
  await requireWhole(found);
  let first: string | undefined = found.folder;
  return {
    // The first folder is the one that was checked at the start, even if the file has changed since.
    folder: async () => {
      const known = first;
      first = undefined;
      return known ?? (await read()).folder;
    },
    merchantHeader: found.index.merchantHeader,
    index: found.index,
    how: `To call them, import the description: payctl api import ${shellQuote(path)} --profile emulator`,
  };
}

async function requireWhole({ folder, index }: DescriptionInUse): Promise<void> {
  const { readImport } = await import('../../descriptions/read-store.ts');
  readImport(folder, index);
}

/** How messages name a description that the emulator serves: `15 operations of "Sample payments" 1.0.0 (payments.json)`. */
export function countOperations({ title, version, file, operations }: ImportedDescription): string {
  const count = new Intl.NumberFormat('en').format(operations.length);
  return `${count} ${operations.length === 1 ? 'operation' : 'operations'} of ${quote(title)} ${version} (${file})`;
}
