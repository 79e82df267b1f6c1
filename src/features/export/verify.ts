import { createHash } from 'node:crypto';
import { createReadStream, type Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AbortedError, UsageError } from '../../errors.ts';
import { fileErrorCode, fileErrorReason } from '../../files/file-error.ts';
import { jsonOrNone } from '../../json/is-json.ts';
import { isObject } from '../../json/is-object.ts';
import { DamagedPart } from '../../output/parts/damaged-part.ts';
import { plural } from '../../text/format.ts';
import { SeenHashes } from '../../text/seen-hashes.ts';
import { isLink, isOwnFile } from './copy-list.ts';
import { hashOf, SCHEMA_FILE, schemaOf, textIn } from './finish-copy.ts';
import { MANIFEST_FILE, type Manifest, type PartEntry, readManifest, rowsIn } from './manifest.ts';
import { partFormat, recordsOf } from './part-format.ts';
import { idReader } from './record.ts';
import { readCopy } from './state.ts';

/** Something in a copy that is not as the manifest says. */
export type Damage = {
  /** The path of a file or a folder, below the copy. */
  readonly file: string;
  /** A sentence. */
  readonly problem: string;
  /** The folder of the list that it concerns; undefined if it concerns none of the manifest. */
  readonly folder: string | undefined;
  /** It is nothing that the manifest names, and can be removed: such a file as an interrupted sync leaves behind, or something else. */
  readonly extra?: 'leftover' | 'foreign';
};

/** What was found in a copy. */
export type Verified = {
  readonly manifest: Manifest;
  readonly damage: readonly Damage[];
};

type Reading = {
  readonly directory: string;
  readonly manifest: Manifest;
  /** That of payctl: another one may write other views. */
  readonly version: string;
  readonly signal: AbortSignal;
  readonly onPart: (file: string) => void;
};

type ListInManifest = Manifest['lists'][number];

/** Reads every part of a copy and compares it with the manifest. @throws UsageError as `readManifest` and `readCopy`; AbortedError */
export async function verifyCopy(
  directory: string,
  options: Pick<Reading, 'version' | 'signal' | 'onPart'>,
): Promise<Verified> {
  const manifest = manifestOf(directory);
  const reading = { directory, manifest, ...options };
  const damage = [...(await schemaDamage(reading)), ...(await unknownIn(reading))];
  for (const list of manifest.lists) for await (const one of damageOf(list, reading)) damage.push(one);
  return { manifest, damage };
}

/** Whether the views are those of the lists. */
async function schemaDamage({ directory, manifest, version }: Reading): Promise<readonly Damage[]> {
  const problemOf = async () => {
    const text = textIn(join(directory, SCHEMA_FILE));
    if (text === undefined) return 'It is missing, or cannot be read.';
    const isKnown = manifest.payctl === version && manifest.lists.every(hasSchema);
    return !isKnown || text === (await schemaOf(manifest)) ? undefined : 'It is not as payctl writes it.';
  };
  const problem = await problemOf();
  return problem === undefined ? [] : [{ file: SCHEMA_FILE, problem, folder: undefined }];
}

/** Whether the schema of a list is the one that payctl wrote. */
function hasSchema({ schema, schema_sha256: sha256 }: ListInManifest): boolean {
  return hashOf(schema) === sha256;
}

/** @throws UsageError as `readManifest`; as `readCopy` where an export has not ended and cannot be continued */
function manifestOf(directory: string): Manifest {
  try {
    return readManifest(directory);
  } catch (error) {
    if (error instanceof UsageError && error.code === 'copy_incomplete') readCopy(directory);
    throw error;
  }
}

async function* damageOf(list: ListInManifest, reading: Reading): AsyncGenerator<Damage, void, undefined> {
  const { folder, parts } = list;
  const damaged = (file: string, problem: string) => ({ file, problem, folder });
  if (isThereAsLink(reading.directory, folder))
    yield damaged(folder, 'It is a symbolic link, which a sync refuses.');
  if (!hasSchema(list))
    yield damaged(MANIFEST_FILE, `The schema of ${folder} has changed: its SHA-256 differs.`);
  if (rowsIn(parts) !== list.rows)
    yield damaged(
      MANIFEST_FILE,
      `The files of ${folder} have ${rowsIn(parts)} rows in all, not ${list.rows}.`,
    );
  // Each record stands once in a pass. Syncs come one after the other; an export that was continued may write after the first one.
  const inExport = new SeenHashes();
  let inSync = { pass: '', seen: inExport };
  for (const part of parts) {
    const { synced_at: pass } = part;
    if (pass !== undefined && pass !== inSync.pass) inSync = { pass, seen: new SeenHashes() };
    const file = `${folder}/${part.file}`;
    reading.onPart(file);
    const seen = pass === undefined ? inExport : inSync.seen;
    for (const problem of await problemsOf(list, part, { ...reading, seen })) yield damaged(file, problem);
  }
}

function isThereAsLink(directory: string, folder: string): boolean {
  try {
    return isLink(directory, folder);
  } catch {
    // Its parts are missing.
    return false;
  }
}

/** All that is wrong with a part. */
async function problemsOf(
  list: ListInManifest,
  part: PartEntry,
  { directory, manifest, signal, seen }: Reading & { readonly seen: SeenHashes },
): Promise<readonly string[]> {
  const path = join(directory, list.folder, part.file);
  const problem = await fileProblem(path, part, signal);
  if (problem !== undefined) return [problem];
  const idOf = idReader(list.id_path);
  let rows = 0;
  let repeated = 0;
  let broken: number | undefined;
  try {
    for await (const texts of recordsOf({ path, storage: manifest, list, signal })) {
      if (signal.aborted) throw new AbortedError();
      for (const text of texts) {
        rows += 1;
        const isWhole = isObject(jsonOrNone(text));
        if (!isWhole) broken ??= rows;
        const id = isWhole ? idOf(text) : undefined;
        if (id !== undefined && seen.add(id, rows) !== undefined) repeated += 1;
      }
    }
  } catch (error) {
    return [readingProblem(error)];
  }
  return [
    ...(rows === part.rows ? [] : [`It has ${plural(rows, 'row')}, not ${part.rows}.`]),
    ...(broken === undefined ? [] : [`Row ${broken} is not a JSON object.`]),
    ...(repeated === 0
      ? []
      : [`${plural(repeated, 'row')} ${repeated === 1 ? 'has' : 'have'} the ID of another row.`]),
  ];
}

/** Why a file is not the one that the manifest names, as a sentence; undefined if it is. @throws AbortedError */
export async function fileProblem(
  path: string,
  { bytes, sha256 }: Pick<PartEntry, 'bytes' | 'sha256'>,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const stats = await lstat(path);
    if (!stats.isFile()) return 'It is not a regular file.';
    if (stats.size !== bytes) return `It has ${plural(stats.size, 'byte')}, not ${bytes}.`;
    return (await hashOfFile(path, bytes, signal)) === sha256
      ? undefined
      : 'It has changed: its SHA-256 differs.';
  } catch (error) {
    if (signal.aborted) throw new AbortedError();
    return readingProblem(error);
  }
}

/** @throws the error if it is none of reading a part */
function readingProblem(error: unknown): string {
  if (error instanceof DamagedPart) return `${error.message}.`;
  if (fileErrorCode(error) === undefined || error instanceof AbortedError) throw error;
  return `It cannot be read: ${fileErrorReason(error)}.`;
}

/** The SHA-256 of so many bytes: a file that grows has no end. */
async function hashOfFile(path: string, bytes: number, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  const options = { signal, highWaterMark: 1_048_576, end: Math.max(bytes - 1, 0) };
  for await (const piece of createReadStream(path, options)) hash.update(piece);
  return hash.digest('hex');
}

/** What the manifest does not name in the folders of a copy, and an engine would read. */
async function unknownIn({ directory, manifest }: Reading): Promise<readonly Damage[]> {
  const { lists } = manifest;
  const ending = (await partFormat(manifest)).ending(manifest.compression);
  const folders = new Set(lists.map(({ folder }) => folder));
  const files = new Set(lists.flatMap(({ folder, parts }) => parts.map(({ file }) => `${folder}/${file}`)));
  const resources = new Set([...folders].map((folder) => folder.split('/', 1).join()));
  const found: Damage[] = [];
  const look = async (above: string, isKnown: (path: string) => boolean, isRead: typeof isReadByEngines) => {
    for (const entry of await entriesIn(join(directory, above))) {
      const path = above === '' ? entry.name : `${above}/${entry.name}`;
      if (isKnown(path) || !(await holdsFile(join(directory, above), entry, (name) => isRead(name, ending))))
        continue;
      const what = entry.isDirectory() ? 'folder' : 'file';
      const problem = `The manifest does not name this ${what}, and an engine would read it.`;
      // What is next to the folders of a resource is read as records of it.
      const list =
        lists.find(({ folder }) => folder === above) ??
        lists.find(({ folder }) => folder.startsWith(`${path.split('/', 1).join()}/`));
      found.push({
        file: path,
        problem,
        folder: list?.folder,
        extra: list?.folder === above && isOwnFile(entry.name) ? 'leftover' : 'foreign',
      });
    }
  };
  // Other folders of the copy are not looked at, unless they hold such files as the manifest names.
  await look(
    '',
    (path) => resources.has(path),
    (name) => name.endsWith(ending),
  );
  for (const resource of resources) await look(resource, (path) => folders.has(path), isReadByEngines);
  for (const folder of folders) await look(folder, (path) => files.has(path), isReadByEngines);
  return found;
}

/** Engines that are given a folder read all that is not hidden, and the patterns of `schema.sql` also find what is. */
function isReadByEngines(name: string, ending: string): boolean {
  return !name.startsWith('.') || name.endsWith(ending);
}

/** Whether an entry of a folder is such a file, or a folder with one at any depth. */
async function holdsFile(above: string, entry: Dirent, isSuch: (name: string) => boolean): Promise<boolean> {
  if (!entry.isDirectory()) return isSuch(entry.name);
  const path = join(above, entry.name);
  for (const inner of await entriesIn(path)) if (await holdsFile(path, inner, isSuch)) return true;
  return false;
}

/** The entries of a folder by their names; none where it cannot be read, as its parts are then missing. */
async function entriesIn(path: string): Promise<readonly Dirent[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  return entries.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}
