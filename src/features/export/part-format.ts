import { MASK } from '../../contract/secret-names.ts';
import { PART_FORMATS } from '../../output/formats.ts';
import type { CopySettings, ListEntry, Storage } from './manifest.ts';
import type { PartOptions } from './part.ts';

/** The code that writes and reads the parts of a copy. */
export async function partFormat({ format }: Pick<Storage, 'format'>) {
  return await PART_FORMATS[format]();
}

/** How the parts of a list are written, and the ending of their names. */
export async function partStorage(
  settings: CopySettings,
  { schema: columns, id_path: id, folder }: Pick<ListEntry, 'schema' | 'id_path' | 'folder'>,
): Promise<{ readonly part: PartOptions; readonly ending: string }> {
  const { createPartWriter, ending } = await partFormat(settings);
  const { raw, compression, part_size: size } = settings;
  const part = {
    createPartWriter,
    columns,
    id,
    partition: partitionOf(folder),
    mask: MASK,
    raw,
    compression,
    size,
  };
  return { part, ending: ending(compression) };
}

/** Where a part is, and of which list it is. */
export type StoredPart = {
  readonly path: string;
  readonly storage: Storage;
  readonly list: Pick<ListEntry, 'schema' | 'folder'>;
  readonly signal: AbortSignal;
};

/** The records of a part, as JSON texts. @throws DamagedPart; AbortedError; what the file system throws */
export async function* recordsOf({
  path,
  storage,
  list: { schema: columns, folder },
  signal,
}: StoredPart): AsyncGenerator<readonly string[], void, undefined> {
  const { readPart } = await partFormat(storage);
  const { compression } = storage;
  yield* readPart(path, { columns, partition: partitionOf(folder), compression, signal });
}

/** What the names of folders say, as Hive names partitions. */
export function partitionOf(folder: string): Readonly<Record<string, string>> {
  const pairs = folder.split('/').flatMap((name) => {
    const [, key, value] = /^([^=]+)=(.*)$/.exec(name) ?? [];
    return key === undefined ? [] : [[key, decodeURIComponent(value ?? '')]];
  });
  return Object.fromEntries(pairs);
}
