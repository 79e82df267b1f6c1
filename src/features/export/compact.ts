import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AbortedError } from '../../errors.ts';
import { lastNumber, partName } from './copy-list.ts';
import type { CopySettings, PartEntry } from './manifest.ts';
import { Part } from './part.ts';
import { idReader, partStorage, recordsOf } from './part-format.ts';
import { GONE, RecordIndex } from './record-index.ts';
import type { ListState } from './state.ts';

/** A list of a copy that is compacted. */
export type Compaction = {
  readonly state: ListState;
  readonly directory: string;
  readonly settings: CopySettings;
  readonly signal: AbortSignal;
};

const PARTS = { name: 'part' };

/**
 * Writes the latest version of each record of a list to new parts, and puts them in the place of all. The old files stay until `removeOld` is
 * called, after the manifest is written.
 */
export async function compactList(compaction: Compaction): Promise<{ removeOld(): Promise<void> }> {
  const { state, directory, settings, signal } = compaction;
  const { folder } = state.entry;
  const before = state.parts();
  if (!before.some(({ synced_at: at }) => at !== undefined)) return { removeOld: async () => {} };
  const latest = await latestParts(compaction, before);
  const isLatest = (id: string, at: number) => latest.versionAt(latest.numberOf(id, GONE))[1] === at;
  const { part: options, ending } = await partStorage(settings, state.entry);
  const written: PartEntry[] = [];
  const ids: string[] = [];
  const idOf = idReader(state.entry.id_path);
  let number = lastNumber(PARTS, before);
  let open: { readonly part: Part; readonly file: string } | undefined;
  const end = async () => {
    if (open) written.push({ file: open.file, ...(await open.part.end(idOf)), cursor_after: null });
    open = undefined;
  };
  try {
    for await (const { text, at } of records(compaction, before)) {
      if (signal.aborted) throw new AbortedError();
      const id = idOf(text);
      if (id !== undefined && (!isLatest(id, at) || isMarker(text))) continue;
      if (!open) {
        number += 1;
        const file = partName(PARTS, number) + ending;
        open = { file, part: await Part.begin(join(directory, folder, file), options) };
      }
      if (id !== undefined) ids.push(id);
      await open.part.add([withoutTime(text)]);
      if (open.part.isFull) await end();
    }
    await end();
  } catch (error) {
    await open?.part.discard();
    throw error;
  }
  state.replaceParts(written, ids);
  return {
    async removeOld() {
      for (const { file } of before) await rm(join(directory, folder, file), { force: true });
    },
  };
}

/** A record of a part. */
type StoredRecord = {
  readonly text: string;
  /** The number of its part, from 1. */
  readonly at: number;
};

/** The records of some parts, in their order. */
async function* records(
  { directory, settings, state, signal }: Compaction,
  parts: readonly PartEntry[],
): AsyncGenerator<StoredRecord, void, undefined> {
  for (const [index, { file }] of parts.entries()) {
    const path = join(directory, state.entry.folder, file);
    for await (const texts of recordsOf({ path, storage: settings, list: state.entry, signal }))
      for (const text of texts) yield { text, at: index + 1 };
  }
}

/** Which part has the latest version of each record: its number is the second half of what the index holds. Later passes come later. */
async function latestParts(compaction: Compaction, parts: readonly PartEntry[]): Promise<RecordIndex> {
  const idOf = idReader(compaction.state.entry.id_path);
  const index = new RecordIndex();
  for await (const { text, at } of records(compaction, parts)) {
    const id = idOf(text);
    if (id !== undefined) index.setVersion(index.numberOf(id, GONE), [0, at]);
  }
  return index;
}

/** Whether a record says that another one is gone. */
function isMarker(text: string): boolean {
  return /^\{[^{}]*(?:\{[^{}]*\})?,"_deleted":true,"_synced_at":"[^"]*"\}$/.test(text);
}

/** A record without the time of its sync, as the service sent it. */
function withoutTime(text: string): string {
  return text.replace(/,?"_synced_at":"[^"\\]*"\}$/, '}');
}
