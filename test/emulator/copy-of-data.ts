import { cpSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';

const made = new Map<string, Promise<string>>();

/**
 * Fills an empty directory with what `make` leaves in one. Only the first of all tests with this name makes it; the others get copies,
 * keys included, which takes a tenth of the time.
 */
export async function copyOfData(
  directory: string,
  name: string,
  make: (directory: string) => Promise<void>,
): Promise<void> {
  const known = made.get(name) ?? makeOnce(join(inject('sharedFolder'), name), make);
  made.set(name, known);
  cpSync(await known, directory, { recursive: true });
}

/** Other workers may make the same one at the same time. */
async function makeOnce(path: string, make: (directory: string) => Promise<void>): Promise<string> {
  if (existsSync(path)) return path;
  const draft = mkdtempSync(`${path}-`);
  await make(draft);
  try {
    renameSync(draft, path);
  } catch (error) {
    if (!existsSync(path)) throw error;
    rmSync(draft, { recursive: true });
  }
  return path;
}
