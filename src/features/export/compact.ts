import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AbortedError, OutputError } from '../../errors.ts';
import { quote } from '../../text/format.ts';
import { shellQuote } from '../../text/shell.ts';
import { lastNumber, partName, withoutTime } from './copy-list.ts';
import type { CopySettings, PartEntry } from './manifest.ts';
import { Part } from './part.ts';
import { partStorage, recordsOf } from './part-format.ts';
import { type CopiedRecord, idReader, recordReader } from './record.ts';
import { GONE, type RecordIndex } from './record-index.ts';
import type { ListState } from './state.ts';
import { fileProblem } from './verify.ts';

/** A list of a copy that is compacted. */
export type Compaction = {
  readonly state: ListState;
  readonly directory: string;
  readonly settings: CopySettings;
  readonly signal: AbortSignal;
};

const PARTS = { name: 'part' };

/**
 * Writes the latest version of each record of a list to new parts, which take the place of all in the state. Resolves to the old files, which the
 * caller deletes after the manifest is written; undefined where no sync has added a part.
 * @throws OutputError `copy_damaged` where a file is not as it was written; AbortedError
 */
export async function compactList(compaction: Compaction): Promise<readonly string[] | undefined> {
  const { state, directory } = compaction;
  const folder = join(directory, state.entry.folder);
  const before = state.parts();
  if (!before.some(({ synced_at: at }) => at !== undefined)) return undefined;
  for (const part of before) await requireSame(part, folder, compaction);
  state.replaceParts(await writeLatest(before, folder, compaction));
  return before.map(({ file }) => join(folder, file));
}

/** What is wrong with a file would otherwise be lost with it. @throws OutputError `copy_damaged`; AbortedError */
async function requireSame(
  part: PartEntry,
  folder: string,
  { directory, state, signal }: Compaction,
): Promise<void> {
  const problem = await fileProblem(join(folder, part.file), part, signal);
  if (problem === undefined) return;
  const file = `${state.entry.folder}/${part.file}`;
  throw new OutputError('copy_damaged', `The copy in ${quote(directory)} is damaged: ${file}: ${problem}`, {
    hint: `Nothing was rewritten. To see all that is damaged: payctl export verify ${shellQuote(directory)}`,
  });
}

/** Writes the latest version of each record that is not gone to new parts. If that fails, none is left. */
async function writeLatest(
  before: readonly PartEntry[],
  folder: string,
  compaction: Compaction,
): Promise<readonly PartEntry[]> {
  const { state, settings } = compaction;
  const read = recordReader(state.entry.id_path);
  const { part: options, ending } = await partStorage(settings, state.entry);
  const latest = await latestParts(before, folder, compaction);
  const written: PartEntry[] = [];
  let open: { readonly part: Part; readonly file: string } | undefined;
  const end = async () => {
    if (open) written.push({ file: open.file, ...(await open.part.end()), cursor_after: null });
    open = undefined;
  };
  const first = lastNumber(PARTS, before) + 1;
  const begin = async () => {
    const file = partName(PARTS, first + written.length) + ending;
    return { file, part: await Part.begin(join(folder, file), options) };
  };
  try {
    for (const [at, part] of before.entries()) {
      for await (const texts of textsOf(part, folder, compaction)) {
        const kept = texts
          .map((text) => read(withoutTime(text, part.synced_at)))
          .filter((record) => latest.isIn(at, record));
        if (kept.length === 0) continue;
        open ??= await begin();
        await open.part.add(kept);
        if (open.part.isFull) await end();
      }
    }
    // Engines find no table where there is no file.
    if (written.length === 0) open ??= await begin();
    await end();
    return written;
  } catch (error) {
    await open?.part.discard();
    for (const { file } of written) await rm(join(folder, file), { force: true });
    throw error;
  }
}

async function* textsOf(
  { file }: PartEntry,
  folder: string,
  { state, settings, signal }: Compaction,
): AsyncGenerator<readonly string[], void, undefined> {
  for await (const texts of recordsOf({
    ...{ path: join(folder, file), storage: settings, list: state.entry, signal },
  })) {
    if (signal.aborted) throw new AbortedError();
    yield texts;
  }
}

/** Which part has the latest version of each record: of those that hold it the last one, as later passes come later. */
async function latestParts(
  parts: readonly PartEntry[],
  folder: string,
  compaction: Compaction,
): Promise<LatestParts> {
  const { state } = compaction;
  const idOf = idReader(state.entry.id_path);
  const latest = new LatestParts(state.index());
  for (const [at, part] of parts.entries()) {
    for await (const texts of textsOf(part, folder, compaction))
      for (const text of texts) latest.add(at, idOf(text));
  }
  return latest;
}

/** A version that no record has. It stands for one that the state does not know. */
const UNKNOWN = [0, 1] as const;

/** By the numbers of records, the last part that holds a version of each. */
class LatestParts {
  readonly #index: RecordIndex;
  #parts: Uint32Array<ArrayBuffer>;

  constructor(index: RecordIndex) {
    this.#index = index;
    this.#parts = new Uint32Array(index.size);
  }

  add(part: number, id: string | undefined): void {
    if (id === undefined) return;
    const number = this.#index.numberOf(id, UNKNOWN);
    if (number >= this.#parts.length) {
      const longer = new Uint32Array(number * 2 + 1);
      longer.set(this.#parts);
      this.#parts = longer;
    }
    this.#parts[number] = part;
  }

  /** Whether a part holds the latest version of a record that is not gone. Records without an ID all count. */
  isIn(part: number, { id }: Pick<CopiedRecord, 'id'>): boolean {
    if (id === undefined) return true;
    const number = this.#index.numberOf(id, UNKNOWN);
    return this.#parts[number] === part && !this.#index.hasVersion(number, GONE);
  }
}
