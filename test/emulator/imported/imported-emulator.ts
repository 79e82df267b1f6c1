import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, inject } from 'vitest';
import { importDescription } from '../../../src/descriptions/import-description.ts';
import type { ImportedDescription } from '../../../src/descriptions/imported-operation.ts';
import { importFolder, readIndex } from '../../../src/descriptions/read-store.ts';
import { storeImport } from '../../../src/descriptions/store.ts';
import type { EmulatorOptions } from '../../../src/emulator/server.ts';
import { startTestEmulator, type TestEmulator } from '../test-emulator.ts';

/** An emulator of a description, and the index of that. */
export type ImportedEmulator = TestEmulator & {
  readonly index: ImportedDescription;
  /** Where the import is stored. */
  readonly folder: string;
  /** Sends a request with every scope. */
  call(
    method: string,
    path: string,
    options?: { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> },
  ): Promise<{ readonly status: number; readonly body: Record<string, unknown> }>;
};

const imports = new Map<string, Promise<string>>();

/** The folder of the import of a description, which is that of an earlier emulator of the same. */
function storedImport(text: string): Promise<string> {
  const store = async () => {
    const directory = mkdtempSync(join(inject('sharedFolder'), 'import-'));
    return importFolder(
      directory,
      storeImport(directory, await importDescription(text, { file: 'service.json' })),
    );
  };
  const stored = imports.get(text) ?? store();
  imports.set(text, stored);
  return stored;
}

/** Starts an emulator of a description for the tests of a file, or of a `describe`, which make the records that they change. */
export function importedForAll(document: unknown): () => ImportedEmulator {
  let emulator: ImportedEmulator;
  beforeAll(async () => {
    emulator = await startImported(document);
  });
  afterAll(() => emulator[Symbol.asyncDispose]());
  return () => emulator;
}

/** Imports a description and starts an emulator of it, with few buyers. Both end when it goes out of scope; data in `kept` stays. */
export async function startImported(
  document: unknown,
  options: Partial<EmulatorOptions> = {},
  kept?: string,
): Promise<ImportedEmulator> {
  const folder = await storedImport(JSON.stringify(document));
  const index = readIndex(folder);
  const merchantHeader = index.merchantHeader;
  const all = {
    buyers: 50,
    description: async () => folder,
    ...(merchantHeader !== undefined && { merchantHeader }),
    ...options,
  };
  const emulator = await startTestEmulator(all, kept);
  return {
    ...emulator,
    index,
    folder,
    call: (method, path, { body, headers } = {}) =>
      emulator.send(path, {
        method,
        scopes: ['*'],
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(headers && { headers }),
      }),
  };
}
