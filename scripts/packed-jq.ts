import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Plugin } from 'rolldown';
import { packed } from './packed.ts';

const PACKED = '\0packed-jq';

/**
 * Lets the bundle read jq from dist/jq.wasm.zst. `jq-wasm/inline` has it as a text of 1.2 MB, five times as much. The module in its place
 * has the same export.
 */
export function jqFromFile(root: string): Plugin {
  const programFiles = JSON.stringify(join(root, 'src', 'program-files.ts'));
  return {
    name: 'jq-from-file',
    resolveId: { filter: { id: /^jq-wasm\/inline$/ }, handler: () => PACKED },
    load: {
      filter: { id: /^\0packed-jq$/ },
      handler: () => `import { fileURLToPath } from 'node:url';
        import { loadJq as load } from 'jq-wasm';
        import { readPackedFile } from ${programFiles};
        export const loadJq = () =>
          load({ wasmBinary: readPackedFile(fileURLToPath(new URL('../jq.wasm', import.meta.url))) });`,
    },
  };
}

/** Writes dist/jq.wasm.zst. */
export function writePackedJq(root: string): void {
  const wasm = createRequire(join(root, 'package.json')).resolve('jq-wasm/jq.wasm');
  writeFileSync(join(root, 'dist', 'jq.wasm.zst'), packed(readFileSync(wasm)));
}
