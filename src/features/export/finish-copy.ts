import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { OutputError } from '../../errors.ts';
import { unwritable } from '../../files/output-file.ts';
import { replaceFile } from '../../files/private-files.ts';
import { LIMITS, readRegularFile } from '../../files/read-file.ts';
import { schemaSql } from '../../output/parts/schema-sql.ts';
import type { CopiedList } from './copy-lists.ts';
import {
  type CopySettings,
  type ListEntry,
  MANIFEST_FILE,
  manifestText,
  rowsIn,
  type Storage,
} from './manifest.ts';
import { partFormat, partitionOf } from './part-format.ts';
import type { CopyState } from './state.ts';

/** A copy after its lists were read. */
type CopyToFinish = {
  readonly directory: string;
  readonly version: string;
  readonly settings: CopySettings;
  readonly state: CopyState;
};

/** The file in a copy with the views of its lists. */
export const SCHEMA_FILE = 'schema.sql';

/**
 * Writes `schema.sql` and the manifest, where all lists of the copy are whole and the files say anything else; the manifest last.
 * @throws OutputError `file_unwritable`
 */
export async function finishCopy({ directory, version, settings, state }: CopyToFinish): Promise<void> {
  const lists = state.lists();
  if (!lists.every(({ entry }) => entry.complete)) return;
  const sql = await schemaOf({ ...settings, lists: lists.map(({ entry }) => entry) });
  const manifest = manifestText({
    payctl_copy: 1,
    payctl: version,
    complete: true,
    written_at: new Date().toISOString(),
    ...settings,
    lists: lists.map((list) => {
      const parts = list.parts();
      return { ...list.entry, rows: rowsIn(parts), schema_sha256: hashOf(list.entry.schema), parts };
    }),
  });
  const [sqlPath, manifestPath] = [join(directory, SCHEMA_FILE), join(directory, MANIFEST_FILE)];
  if (textIn(sqlPath) === sql && withoutTime(textIn(manifestPath)) === withoutTime(manifest)) return;
  write(sqlPath, sql);
  write(manifestPath, manifest);
}

/** The text of `schema.sql`. */
export async function schemaOf({
  lists,
  format,
  compression,
}: Storage & {
  readonly lists: readonly Pick<ListEntry, 'resource' | 'folder' | 'schema' | 'id_path'>[];
}): Promise<string> {
  const { ending } = await partFormat({ format });
  const resources = new Map(lists.map((list) => [list.resource, list]));
  return schemaSql(
    [...resources.values()].map(({ folder, schema: columns, id_path: id }) => ({
      name: folder.split('/', 1).join(),
      partition: Object.keys(partitionOf(folder)),
      columns,
      id,
      format,
      ending: ending(compression),
    })),
  );
}

/** Finishes the copy of lists that were read. If that fails, none of them is whole: each has that error, unless one has an error of its own. */
export async function finishLists<List extends CopiedList>(
  lists: readonly List[],
  copy: CopyToFinish,
): Promise<readonly List[]> {
  try {
    await finishCopy(copy);
    return lists;
  } catch (error) {
    if (!(error instanceof OutputError)) throw error;
    const isKnown = lists.some((list) => list.error !== undefined);
    return isKnown ? lists : lists.map((list) => ({ ...list, error }));
  }
}

function write(path: string, text: string): void {
  try {
    replaceFile(path, text);
  } catch (error) {
    throw unwritable(OutputError, path, error);
  }
}

/** The text of a file; undefined where there is none that can be read. */
export function textIn(path: string): string | undefined {
  try {
    return readRegularFile(path, LIMITS.description);
  } catch {
    return undefined;
  }
}

function withoutTime(manifest: string | undefined): string | undefined {
  return manifest?.replace(/^ {2}"written_at": .*$/m, '');
}

/** The SHA-256 of a value as JSON. */
export function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
