import { join } from 'node:path';
import { type OutputChunk, type Plugin, rolldown } from 'rolldown';

/** The root of the project. */
export const root = join(import.meta.dirname, '../..');

/** Bundles a module of the project's root, given as its text, into one CommonJS file. */
export async function bundleSource(source: string, plugins: readonly Plugin[]): Promise<OutputChunk> {
  const entry = join(root, 'entry.js');
  const own: Plugin = {
    name: 'entry',
    resolveId: (id) => (id === entry ? id : null),
    load: (id) => (id === entry ? source : null),
  };
  const bundle = await rolldown({ input: entry, platform: 'node', plugins: [own, ...plugins] });
  const [chunk] = (await bundle.generate({ format: 'cjs', codeSplitting: false })).output;
  return chunk;
}
