import { createLoader } from '../start/loader.ts';

/** Loads files of the program from the assets of this executable, by their path in dist/. */
export const { load } = createLoader({
  inside: process.execPath + (process.platform === 'win32' ? '\\' : '/'),
  // The build has escaped every character that is not ASCII.
  code: (name) => asset(name).toString('latin1'),
  compiled(name) {
    try {
      return asset(`compiled/${name}`);
    } catch {
      return undefined;
    }
  },
  require(name) {
    const { loadBinding } = load('binding.cjs') as typeof import('./binding.ts');
    return loadBinding(name);
  },
});

/** Without a copy: its bytes are part of the running executable, and must not be written to. */
function asset(name: string): Buffer {
  return Buffer.from(process.getBuiltinModule('node:sea').getRawAsset(name) as ArrayBuffer);
}
