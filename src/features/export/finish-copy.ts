import { createHash } from 'node:crypto';
import { type CopySettings, type PartEntry, writeManifest } from './manifest.ts';
import type { CopyState } from './state.ts';
import type { CopyTarget } from './target.ts';

/** A copy after its lists were read. */
export type ReadCopy = {
  readonly directory: string;
  readonly version: string;
  readonly settings: CopySettings;
  readonly state: CopyState;
  readonly targets: readonly CopyTarget[];
};

/** Writes `schema.sql` and the manifest, where all lists of the copy are whole; the manifest last. */
export function finishCopy({ directory, version, settings, state, targets }: ReadCopy): void {
  const lists = state.lists();
  if (!lists.every(({ entry }) => entry.complete)) return;
  const columns = new Map(targets.map((target) => [target.resource, target.columns]));
  writeManifest(directory, {
    payctl_copy: 1,
    payctl: version,
    complete: true,
    written_at: new Date().toISOString(),
    ...settings,
    lists: lists.map((list) => {
      const parts = list.parts();
      const schema = columns.get(list.entry.resource) ?? [];
      return { ...list.entry, rows: rowsIn(parts), schema, schema_sha256: hashOf(schema), parts };
    }),
  });
}

/** The SHA-256 of a value as JSON. */
export function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

/** The rows of some parts. */
export function rowsIn(parts: readonly PartEntry[]): number {
  return parts.reduce((sum, { rows }) => sum + rows, 0);
}
