import {
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { withLock } from './file-lock.ts';
import { makePrivateDirectory, unwritable } from './private-files.ts';
import { type ProfilesDocument, parseDocument } from './profile-document.ts';
import { profilesFile, readDocument } from './profile-store.ts';

/** How `changeProfiles` may be told to wait. */
export type ChangeOptions = {
  /** How long another writer may take. Default ten seconds. */
  readonly patienceMilliseconds?: number | undefined;
};

/**
 * Changes the profiles of a configuration directory and gives them as they are now. The change sees what the last writer
 * left and is written whole or not at all, so that writers at the same time lose nothing.
 * @throws UsageError as `readProfiles` and `withLock`, and what the change throws; the file is then as it was.
 */
export async function changeProfiles(
  directory: string,
  change: (document: ProfilesDocument) => ProfilesDocument,
  { patienceMilliseconds }: ChangeOptions = {},
): Promise<ProfilesDocument> {
  makePrivateDirectory(directory);
  const { openStore } = await import('./profile-conf.ts');
  const file = profilesFile(directory);
  const work = () => {
    const changed = change(readDocument(directory));
    replaceFile(file, changed, openStore);
    return changed;
  };
  return await withLock(`${file}.lock`, work, patienceMilliseconds);
}

type OpenStore = typeof import('./profile-conf.ts').openStore;

/**
 * Puts a draft in the place of the file, or of what a link there leads to. The draft has a folder of its own beside it, so
 * that the next writer clears away whatever a killed one left.
 */
function replaceFile(file: string, document: ProfilesDocument, openStore: OpenStore): void {
  const text = serialize(document);
  parseDocument(text);
  const target = existsSync(file) ? realpathSync(file) : file;
  const folder = `${target}.new`;
  try {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { mode: 0o700 });
    const draft = openStore(folder, serialize);
    draft.store = document;
    if (readFileSync(draft.path, 'utf8') !== text) throw new Error('only a part of it reached the disk');
    keepOwner(target, draft.path);
    renameSync(draft.path, target);
  } catch (error) {
    throw unwritable(file, error);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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
