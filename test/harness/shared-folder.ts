import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where tests of a project keep what takes long to make and is the same in each: compiled code, seeded data. */
    readonly sharedFolder: string;
  }
}

/** Makes the folder before the first test of a project, and deletes it after the last. */
export default function makeFolder(project: TestProject): () => void {
  const folder = mkdtempSync(join(project.config.env.TMPDIR ?? tmpdir(), 'payctl-shared-'));
  project.provide('sharedFolder', folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
