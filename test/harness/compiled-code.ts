import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where payctl keeps compiled code in tests: every home has the same, so that few runs compile what others have. */
    readonly compiledCode: string;
  }
}

/** Makes the folder before the first test of a project, and deletes it after the last. */
export default function makeFolder(project: TestProject): () => void {
  const folder = mkdtempSync(join(project.config.env.TMPDIR ?? tmpdir(), 'payctl-code-'));
  project.provide('compiledCode', folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
