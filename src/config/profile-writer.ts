import { chownSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../errors.ts';
import { withLock } from '../files/lock.ts';
import { makePrivateDirectory, unwritable } from '../files/private-files.ts';
import { formatLimit, LIMITS } from '../files/read-file.ts';
import { renamePatiently } from '../files/rename.ts';
import { isObject } from '../json/is-object.ts';
import {
  type Approver,
  BUILT_IN_PROFILES,
  checkProfileName,
  type DescriptionBinding,
  findProfile,
  type ProfileCredentials,
} from './profile.ts';
import { profilesFile, readDocument } from './profiles.ts';
import {
  PROFILE_MEMBERS,
  type ProfileField,
  type ProfilesDocument,
  parseDocument,
  toProfile,
} from './profiles-document.ts';

/** How long `changeProfiles` waits. */
export type ChangeOptions = {
  /** How long a single other writer may hold the lock, in milliseconds. Default: ten seconds. */
  readonly timeoutMs?: number | undefined;
  /** Is given the profiles once they are written, before another writer can change them. */
  readonly afterwards?: ((document: ProfilesDocument) => void) | undefined;
};

/**
 * Changes the profiles of a configuration directory and gives them as they are now. The change sees what the last writer
 * left and is written whole or not at all, so that writers at the same time lose nothing.
 * @throws UsageError as `readProfiles` and `withLock`, and what the change throws; the file is then as it was.
 */
export async function changeProfiles(
  directory: string,
  change: (document: ProfilesDocument) => ProfilesDocument,
  { timeoutMs, afterwards }: ChangeOptions = {},
): Promise<ProfilesDocument> {
  makePrivateDirectory(directory);
  const { default: Conf } = await import('conf');
  const file = profilesFile(directory);
  const work = () => {
    const changed = change(readDocument(directory));
    replaceFile(file, changed, (folder) => openStore(Conf, folder));
    afterwards?.(changed);
    return changed;
  };
  return await withLock(join(directory, 'profiles.lock'), work, timeoutMs);
}

/**
 * A conf store in a separate folder. conf is imported as late as possible: its atomic writer installs a Ctrl-C handler when
 * it is loaded, and that handler ends the process at once.
 *
 * conf does not detect a write that a full disk cut short, and inside a Snap it writes in place; therefore it never writes to
 * the profiles file itself. The options replace its default directory and file mode, and keep it from deleting damaged files.
 */
function openStore(Conf: ConfClass, folder: string): Store {
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

type ConfClass = typeof import('conf').default;
type Store = import('conf').default<ProfilesDocument>;

/**
 * Replaces the file, or the target of the link in its place, with a draft. The draft is in a separate folder next to it, so
 * that the next writer removes whatever a killed writer left.
 */
function replaceFile(file: string, document: ProfilesDocument, openDraft: (folder: string) => Store): void {
  const text = serialize(document);
  parseDocument(text, file);
  if (Buffer.byteLength(text) > LIMITS.profiles) throw tooLarge(file);
  const target = existsSync(file) ? realpathSync(file) : file;
  const folder = `${target}.new`;
  try {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { mode: 0o700 });
    const draft = openDraft(folder);
    draft.store = document;
    if (readFileSync(draft.path, 'utf8') !== text) throw new Error('only part of it was written to the disk');
    keepOwner(target, draft.path);
    renamePatiently(draft.path, target);
  } catch (error) {
    throw unwritable(file, error);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Written anyway, the file could no longer be read. */
function tooLarge(file: string): UsageError {
  const message = `${file} cannot be written: it would be larger than ${formatLimit(LIMITS.profiles)}`;
  return new UsageError('profiles_unwritable', message, {
    hint: 'Shorten the values, or delete profiles that you no longer need.',
  });
}

function serialize(document: ProfilesDocument): string {
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

/** A change made by root must not lock the user out of a file of theirs. */
function keepOwner(before: string, draft: string): void {
  if (process.getuid?.() !== 0 || !existsSync(before)) return;
  const { uid, gid } = statSync(before);
  chownSync(draft, uid, gid);
}

/** New values of a profile's fields; `null` takes a field away, also the columns of one command. */
export type ProfileFields = { readonly [Field in ProfileField]?: string | null | undefined } & {
  readonly columns?: Readonly<Record<string, string | null>> | null | undefined;
  /** The limits of these currencies; those of others stay. */
  readonly maxAmounts?: Readonly<Record<string, string>> | null | undefined;
  readonly maxTotals?: Readonly<Record<string, string>> | null | undefined;
  /** All approvers. */
  readonly approvers?: readonly Approver[] | null | undefined;
};

/** Sets fields of a profile, which is made where there is none. @throws UsageError as `checkProfileName` */
export function setProfile(
  document: ProfilesDocument,
  name: string,
  fields: ProfileFields,
): ProfilesDocument {
  const stored = document.profiles[checkProfileName(name)] ?? {};
  const changes = Object.entries(PROFILE_MEMBERS).flatMap(([field, member]) => {
    const value = fields[field as ProfileField];
    return value === undefined ? [] : [[member, value === null ? undefined : value]];
  });
  const columns = textsAfter(stored.columns, fields.columns);
  const max_amounts = textsAfter(stored.max_amounts, fields.maxAmounts);
  const max_totals = textsAfter(stored.max_totals, fields.maxTotals);
  const approvers = fields.approvers === undefined ? stored.approvers : (fields.approvers ?? undefined);
  return withProfile(document, name, {
    ...stored,
    ...Object.fromEntries(changes),
    columns,
    max_amounts,
    max_totals,
    approvers,
  });
}

function textsAfter(stored: unknown, changes: ProfileFields['columns']): unknown {
  if (changes === undefined) return stored;
  const changed = Object.entries({ ...(isObject(stored) ? stored : {}), ...changes });
  const left = changes === null ? [] : changed.filter(([, text]) => text !== null);
  return left.length === 0 ? undefined : Object.fromEntries(left);
}

/** Notes where the secret of a profile is, or with `undefined` that it has none. @throws UsageError `unknown_profile` */
export function setCredentials(
  document: ProfilesDocument,
  name: string,
  credentials: ProfileCredentials | undefined,
): ProfilesDocument {
  const stored = storedProfile(document, name);
  return withProfile(document, name, { ...stored, credentials });
}

/**
 * Makes a profile the active one, and notes which one was; with `undefined` there is none.
 * @throws UsageError `unknown_profile`
 */
export function activate(document: ProfilesDocument, name: string | undefined): ProfilesDocument {
  const { active, previous, ...rest } = document;
  if (name !== undefined) findProfile(profilesOf(document), name);
  const last = name === active ? previous : active;
  return {
    ...rest,
    ...(name !== undefined && { active: name }),
    ...(last !== undefined && { previous: last }),
  };
}

/** Makes the profile active again that was before. @throws UsageError `no_previous_profile`, `unknown_profile` */
export function activatePrevious(document: ProfilesDocument): ProfilesDocument {
  if (document.previous !== undefined) return activate(document, document.previous);
  throw new UsageError('no_previous_profile', 'No other profile was active before', {
    hint: 'List the names: payctl profiles list',
  });
}

/** Takes a profile away; it is no longer active or the previous one either. @throws UsageError `unknown_profile` or `built_in_profile` */
export function removeProfile(document: ProfilesDocument, name: string): ProfilesDocument {
  storedProfile(document, name);
  const others = Object.entries(document.profiles).filter(([other]) => other !== name);
  const left = bindDescription({ ...document, profiles: Object.fromEntries(others) }, name, undefined);
  const { previous, ...rest } = document.active === name ? activate(left, undefined) : left;
  return previous === undefined || previous === name ? rest : { ...rest, previous };
}

/**
 * Notes which imported description belongs to a profile; without a name, to runs without a profile. `undefined` takes it away.
 */
export function bindDescription(
  document: ProfilesDocument,
  name: string | undefined,
  binding: DescriptionBinding | undefined,
): ProfilesDocument {
  const stored = binding && {
    folder: binding.folder,
    file: binding.file,
    ...(binding.merchantHeader !== undefined && { merchant_header: binding.merchantHeader }),
  };
  const { description, descriptions = {}, ...rest } = document;
  const own = name === undefined ? stored : description;
  const others = Object.entries(descriptions).filter(([other]) => other !== name);
  const all = name !== undefined && stored ? [...others, [name, stored] as const] : others;
  return {
    ...rest,
    ...(own && { description: own }),
    ...(all.length > 0 && { descriptions: Object.fromEntries(all) }),
  };
}

function withProfile(
  document: ProfilesDocument,
  name: string,
  members: Readonly<Record<string, unknown>>,
): ProfilesDocument {
  const set = Object.entries(members).filter(([, value]) => value !== undefined);
  return { ...document, profiles: { ...document.profiles, [name]: Object.fromEntries(set) } };
}

function storedProfile(document: ProfilesDocument, name: string): Readonly<Record<string, unknown>> {
  findProfile(profilesOf(document), name);
  const stored = document.profiles[name];
  if (stored) return stored;
  throw new UsageError('built_in_profile', `The profile ${name} is built in and cannot be changed`);
}

function profilesOf({ profiles }: ProfilesDocument) {
  const stored = Object.entries(profiles).map(([name, profile]) => [name, toProfile(name, profile)] as const);
  return new Map([...stored, ...BUILT_IN_PROFILES]);
}
