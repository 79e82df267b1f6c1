import type { ImportedDescription } from '../descriptions/imported-operation.ts';
import type { Described } from './described/described.ts';
import { HttpError } from './http/response.ts';
import type { EmulatorDatabase } from './store/database.ts';

/** What has become of the description that is served. */
export type DescriptionChange =
  /** It is served from now on; undefined where there is none any more. */
  | { readonly served: ImportedDescription | undefined }
  /** It cannot be served. */
  | { readonly error: Error };

type Options = {
  readonly now: () => Date;
  readonly onDescription?: ((change: DescriptionChange) => void) | undefined;
};

/** For how long a description is served before it is asked again which one it is, in milliseconds. */
const RECHECK_MS = 1000;

type Open = { readonly folder: string; readonly described: Described };

/**
 * Opens the description when there is one, and another one when that was imported. Where it cannot be read, the one that is open is
 * still served; where none is, requests for it fail with an HttpError `server_error` that says why.
 */
export function keepDescription(
  database: EmulatorDatabase,
  folderOf: () => Promise<string | undefined>,
  { now, onDescription }: Options,
): () => Promise<Described | undefined> {
  let open: Open | undefined;
  let opening: Promise<Described | undefined> | undefined;
  let checkedMs = Number.NEGATIVE_INFINITY;
  let told: string | undefined;
  const check = async () => {
    try {
      const folder = await folderOf();
      if (folder !== open?.folder) {
        open = folder === undefined ? undefined : await openImport(database, folder, open !== undefined);
        onDescription?.({ served: open?.described.index });
      }
      told = undefined;
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error));
      if (failure.message !== told) onDescription?.({ error: failure });
      told = failure.message;
      if (!open) throw new HttpError('server_error', { message: failure.message });
    }
    checkedMs = now().getTime();
    return open?.described;
  };
  return async () => {
    if (open && Math.abs(now().getTime() - checkedMs) < RECHECK_MS) return open.described;
    opening ??= check().finally(() => {
      opening = undefined;
    });
    return opening;
  };
}

/** Opens an import, after all of it was read where `isChecked`. */
async function openImport(database: EmulatorDatabase, folder: string, isChecked: boolean): Promise<Open> {
  const { Described } = await import('./described/described.ts');
  if (isChecked) {
    const { readImport, readIndex } = await import('../descriptions/read-store.ts');
    readImport(folder, readIndex(folder));
  }
  return { folder, described: new Described(database, folder) };
}
