import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AbortedError, PayctlError } from '../../errors.ts';
import { fileErrorReason } from '../../files/file-error.ts';
import { isObject } from '../../json/is-object.ts';
import { plural } from '../../text/format.ts';
import { SeenHashes } from '../../text/seen-hashes.ts';
import { isOwnFile } from './copy-list.ts';
import { hashOf } from './finish-copy.ts';
import { type Manifest, type PartEntry, readManifest } from './manifest.ts';
import { idReader, recordsOf } from './part-format.ts';

/** Something in a copy that is not as the manifest says. */
export type Damage = {
  /** The path of a file, below the copy. */
  readonly file: string;
  readonly problem: string;
};

/** What was found in a copy. */
export type Verified = {
  readonly manifest: Manifest;
  readonly damage: readonly Damage[];
};

type Reading = {
  readonly directory: string;
  readonly manifest: Manifest;
  readonly signal: AbortSignal;
  readonly onPart: (file: string) => void;
};

type ListInManifest = Manifest['lists'][number];

/** Reads every part of a copy and compares it with the manifest. @throws UsageError as `readManifest`; AbortedError */
export async function verifyCopy(
  directory: string,
  options: Pick<Reading, 'signal' | 'onPart'>,
): Promise<Verified> {
  const manifest = readManifest(directory);
  const reading = { directory, manifest, ...options };
  const damage: Damage[] = [];
  for (const list of manifest.lists) for await (const one of damageOf(list, reading)) damage.push(one);
  return { manifest, damage };
}

async function* damageOf(list: ListInManifest, reading: Reading): AsyncGenerator<Damage, void, undefined> {
  const { folder, parts } = list;
  if (hashOf(list.schema) !== list.schema_sha256)
    yield { file: 'manifest.json', problem: `The schema of ${folder} does not have its SHA-256.` };
  if (parts.reduce((sum, { rows }) => sum + rows, 0) !== list.rows)
    yield {
      file: 'manifest.json',
      problem: `The rows of the files of ${folder} are not ${list.rows} in all.`,
    };
  const known = new Set(parts.map(({ file }) => file));
  for (const name of await namesIn(join(reading.directory, folder)))
    if (!known.has(name) && isRead(name))
      yield {
        file: `${folder}/${name}`,
        problem: 'The manifest does not know this file, and an engine would read it.',
      };
  // Each record stands once in a pass.
  const passes = new Map<string, SeenHashes>();
  for (const part of parts) {
    const file = `${folder}/${part.file}`;
    reading.onPart(file);
    const pass = part.synced_at ?? '';
    const seen = passes.get(pass) ?? new SeenHashes();
    passes.set(pass, seen);
    for (const problem of await problemsOf(list, part, { ...reading, seen })) yield { file, problem };
  }
}

/** What the patterns of `schema.sql` find: anything that is not hidden. */
function isRead(name: string): boolean {
  return !name.startsWith('.') || isOwnFile(name);
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).toSorted();
  } catch {
    // Each missing part is reported.
    return [];
  }
}

/** All that is wrong with a part. */
async function problemsOf(
  list: ListInManifest,
  part: PartEntry,
  { directory, manifest, signal, seen }: Reading & { readonly seen: SeenHashes },
): Promise<readonly string[]> {
  const path = join(directory, list.folder, part.file);
  try {
    const stats = await lstat(path);
    if (!stats.isFile()) return ['It is not a regular file.'];
    if (stats.size !== part.bytes) return [`It has ${stats.size} bytes, not ${part.bytes}.`];
    if ((await hashOfFile(path, signal)) !== part.sha256) return ['It does not have its SHA-256.'];
    return await problemsInside(path, { list, part, manifest, seen, signal });
  } catch (error) {
    if (signal.aborted) throw new AbortedError();
    if (error instanceof PayctlError) return [`${error.message}.`];
    return [
      `It cannot be read: ${'code' in (error as object) ? fileErrorReason(error) : String((error as Error).message)}.`,
    ];
  }
}

type Inside = Pick<Reading, 'manifest' | 'signal'> & {
  readonly list: ListInManifest;
  readonly part: PartEntry;
  readonly seen: SeenHashes;
};

async function problemsInside(
  path: string,
  { list, part, manifest, seen, signal }: Inside,
): Promise<readonly string[]> {
  const idOf = idReader(list.id_path);
  let rows = 0;
  let repeated = 0;
  let broken: number | undefined;
  for await (const texts of recordsOf({ path, storage: manifest, list, signal })) {
    for (const text of texts) {
      rows += 1;
      if (!isRecord(text)) broken ??= rows;
      const id = idOf(text);
      if (id !== undefined && seen.add(id, rows) !== undefined) repeated += 1;
    }
  }
  return [
    ...(rows === part.rows ? [] : [`It has ${plural(rows, 'row')}, not ${part.rows}.`]),
    ...(broken === undefined ? [] : [`Row ${broken} is not a JSON object.`]),
    ...(repeated === 0
      ? []
      : [`${plural(repeated, 'row')} ${repeated === 1 ? 'has' : 'have'} the ID of another row.`]),
  ];
}

function isRecord(text: string): boolean {
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}

async function hashOfFile(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const bytes of createReadStream(path, { signal, highWaterMark: 1_048_576 })) hash.update(bytes);
  return hash.digest('hex');
}
