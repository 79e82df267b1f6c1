import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MERCHANT_HEADER } from '../../../src/contract/generated/operations.ts';
import type { RequestLine } from '../../../src/emulator/request-listener.ts';
import type { EmulatorOptions } from '../../../src/emulator/server.ts';
import { type Manifest, readManifest } from '../../../src/features/export/manifest.ts';
import { recordsOf } from '../../../src/features/export/part-format.ts';
import { splitItems } from '../../../src/json/edit.ts';
import { ledgerDescription } from '../../descriptions/ledger-description.ts';
import { startImported } from '../../emulator/imported/imported-emulator.ts';
import { folderForTest } from '../../harness/temporary-folder.ts';

const DAY_SECONDS = 86_400;

/** A service with buyers and, as an imported list, ledger entries; and the variables of a run that reads them. Data in `kept` stays. */
export async function startCopied(options: Partial<EmulatorOptions> = {}, kept?: string) {
  const requests: RequestLine[] = [];
  const onRequest = (line: RequestLine) => {
    requests.push(line);
    options.onRequest?.(line);
  };
  const emulator = await startImported(ledgerDescription(), { ...options, onRequest }, kept);
  const folder = folderForTest();
  const description = join(folder, 'ledger.json');
  writeFileSync(description, JSON.stringify(ledgerDescription()));
  const env = {
    PAYCTL_DESCRIPTION: description,
    PAYCTL_BASE_URL: emulator.emulator.baseUrl,
    PAYCTL_TOKEN: await emulator.token(['*'], { lifetimeSeconds: DAY_SECONDS }),
    NO_COLOR: '1',
  };
  const textAt = async (url: string, account: string | undefined) => {
    const headers = {
      authorization: `Bearer ${env.PAYCTL_TOKEN}`,
      ...(account !== undefined && { [MERCHANT_HEADER]: account }),
    };
    const response = await fetch(url, { headers });
    return response.ok ? await response.text() : undefined;
  };
  /** The exact texts of a whole list, as the service sends them now. */
  const texts = async (path: string, account?: string): Promise<readonly string[]> => {
    const found: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const url: string = `${env.PAYCTL_BASE_URL}${path}?limit=100${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
      // Faults of a test may hit this request, too.
      const text: string | undefined = await textAt(url, account).catch(() => undefined);
      if (text === undefined) continue;
      found.push(...splitItems(text).texts);
      cursor = (JSON.parse(text) as { next_cursor?: string | null }).next_cursor ?? null;
    }
    return found;
  };
  return Object.assign(emulator, { env, copy: join(folder, 'copy'), requests, texts });
}

/** A row of a part: its text without the time of the sync, and the pass that wrote it. */
export type CopiedRow = { readonly text: string; readonly pass: string | undefined };

type CopiedList = Manifest['lists'][number];

/** The rows of a list of a copy, part by part. */
export async function rowsOf(copy: string, list: CopiedList): Promise<readonly CopiedRow[]> {
  const storage = readManifest(copy);
  const { signal } = new AbortController();
  const rows: CopiedRow[] = [];
  for (const { file, synced_at: pass } of list.parts) {
    const path = join(copy, list.folder, file);
    for await (const texts of recordsOf({ path, storage, list, signal }))
      for (const text of texts) rows.push({ text: withoutTime(text), pass });
  }
  return rows;
}

/** The latest version of each record, by its ID; records that are gone are left out. */
export function latestOf(rows: readonly CopiedRow[]): ReadonlyMap<string, string> {
  const latest = new Map<string, { readonly text: string; readonly pass: string }>();
  for (const { text, pass = '' } of rows) {
    const id = idOf(text);
    if ((latest.get(id)?.pass ?? '') <= pass) latest.set(id, { text, pass });
  }
  return byId(
    [...latest.values()].map(({ text }) => text).filter((text) => !text.endsWith(',"_deleted":true}')),
  );
}

/** Texts of records by their IDs. */
export function byId(texts: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    texts.map((text) => [idOf(text), text] as const).sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

export function idOf(text: string): string {
  return String((JSON.parse(text) as { id: unknown }).id);
}

function withoutTime(text: string): string {
  return text.replace(/,"_synced_at":"[^"]+"\}$/, '}');
}

/** The names of the files of a copy, with the times of their last change; hidden ones are left out. */
export function filesOf(copy: string): Readonly<Record<string, number>> {
  const names = readdirSync(copy, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(names.sort().map((name) => [name, statSync(name).mtimeMs]));
}
