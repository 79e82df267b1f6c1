import type { ImportedDescription } from '../descriptions/imported-operation.ts';
import { HttpError } from './http/response.ts';
import type { ImportedService } from './imported/imported.ts';
import type { EmulatorDatabase } from './store/database.ts';

/** A change of the description that the emulator serves. */
export type DescriptionChange =
  /** The description from now on; undefined if there is none any more. */
  | { readonly served: ImportedDescription | undefined }
  /** Why the emulator cannot serve the new description. */
  | { readonly error: Error };

type Options = {
  readonly now: () => Date;
  readonly onDescription?: ((change: DescriptionChange) => void) | undefined;
};

/** How long the emulator waits before it checks for another description, in milliseconds. */
const RECHECK_MS = 1000;

type Open = { readonly folder: string; readonly imported: ImportedService };

/**
 * Opens the description when there is one, and opens a new import in its place. If payctl cannot read the new one, the open one
 * remains; if none is open, requests fail with an HttpError `server_error` that says why.
 */
export function keepDescription(
  database: EmulatorDatabase,
  folderOf: () => Promise<string | undefined>,
  { now, onDescription }: Options,
): () => Promise<ImportedService | undefined> {
  let open: Open | undefined;
  let opening: Promise<ImportedService | undefined> | undefined;
  let checkedMs = Number.NEGATIVE_INFINITY;
  let reported: string | undefined;
  const check = async () => {
    try {
      const folder = await folderOf();
      if (folder !== open?.folder) {
        open = folder === undefined ? undefined : await openImport(database, folder, open !== undefined);
        onDescription?.({ served: open?.imported.index });
      }
      reported = undefined;
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error));
      if (failure.message !== reported) onDescription?.({ error: failure });
      reported = failure.message;
      if (!open) throw new HttpError('server_error', { message: failure.message });
    }
    checkedMs = now().getTime();
    return open?.imported;
  };
  return async () => {
    if (Math.abs(now().getTime() - checkedMs) < RECHECK_MS) return open?.imported;
    opening ??= check().finally(() => {
      opening = undefined;
    });
    return opening;
  };
}

/** Opens an import; with `isChecked`, reads all of it first. */
async function openImport(database: EmulatorDatabase, folder: string, isChecked: boolean): Promise<Open> {
  const { ImportedService } = await import('./imported/imported.ts');
  if (isChecked) {
    const { readImport, readIndex } = await import('../descriptions/read-store.ts');
    readImport(folder, readIndex(folder));
  }
  return { folder, imported: new ImportedService(database, folder) };
}
