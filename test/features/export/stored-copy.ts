import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ListCopy, nextSync, type Pass } from '../../../src/features/export/copy-list.ts';
import { finishCopy } from '../../../src/features/export/finish-copy.ts';
import { begun, type CopySettings, type ListEntry } from '../../../src/features/export/manifest.ts';
import { partStorage } from '../../../src/features/export/part-format.ts';
import { CopyState, type ListState } from '../../../src/features/export/state.ts';

/** The settings of a copy with small parts. */
export const SETTINGS: CopySettings = {
  profile: null,
  origin: 'https://api.example.com',
  description: null,
  format: 'ndjson',
  compression: 'none',
  personal_data: 'masked',
  secrets: 'masked',
  raw: false,
  part_size: 60,
};

/** The list of the things of a merchant account. */
export function listOf(account: string): ListEntry {
  return begun({
    resource: 'things',
    merchant_account: account,
    folder: `things/merchant_account_id=${account}`,
    id_path: 'id',
    schema: [
      { name: 'id', type: 'text' },
      { name: 'n', type: 'int64' },
      { name: 'updated_at', type: 'timestamp' },
      { name: 'owner', type: { struct: [{ name: 'tags', type: { list: 'text' } }] } },
    ],
    marks: { personal_data: null, personal_by_name: false, secrets: null },
    request: { method: 'GET', path: '/things', query: {} },
  });
}

/** A copy in a directory, whose lists are read from arrays. */
export class StoredCopy {
  readonly settings: CopySettings;
  readonly directory: string;
  state: CopyState;

  constructor(
    directory: string,
    {
      lists = [listOf('eu')],
      ...settings
    }: Partial<CopySettings> & { readonly lists?: readonly ListEntry[] } = {},
  ) {
    this.directory = directory;
    this.settings = { ...SETTINGS, ...settings };
    this.state = new CopyState(directory);
    this.state.begin(this.settings, lists);
  }

  list(number = 0): ListState {
    const list = this.state.lists()[number];
    if (!list) throw new Error(`the state has no list ${number}`);
    return list;
  }

  /** Exports a list, or syncs it if it was exported: these are its records. Returns how many were written. */
  async read(texts: readonly string[], number = 0): Promise<number> {
    const state = this.list(number);
    const pass: Pass = state.entry.complete ? nextSync(state) : { name: 'part' };
    const { part, ending } = await partStorage(this.settings, state.entry);
    const copy = new ListCopy({ state, directory: this.directory, pass, part, ending });
    await copy.prepare();
    for (let at = 0; at < texts.length; at += 2)
      await copy.add({ texts: texts.slice(at, at + 2), cursor: null, sentAt: 0 });
    await copy.endReading();
    await copy.finish({ readsAll: true });
    return copy.counts.added + copy.counts.changed + copy.counts.gone;
  }

  /** Writes the manifest. */
  async finish(): Promise<void> {
    await finishCopy({
      directory: this.directory,
      version: '1.2.3',
      settings: this.settings,
      state: this.state,
    });
  }

  /** What a process that comes after one that was killed finds. */
  reopen(): void {
    this.state.close();
    this.state = new CopyState(this.directory);
  }

  /** Changes the text of the manifest. */
  edit(change: (text: string) => string): void {
    editText(join(this.directory, 'manifest.json'), change);
  }

  [Symbol.dispose](): void {
    this.state.close();
  }
}

/** Changes the text of a file. */
export function editText(path: string, change: (text: string) => string): void {
  const before = readFileSync(path, 'utf8');
  const after = change(before);
  if (after === before) throw new Error('nothing was changed');
  writeFileSync(path, after);
}
