import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A library that is not an npm package: a bundled package contains it in compiled form. */
export type EmbeddedLibrary = {
  readonly name: string;
  readonly version: string;
  /** By the SPDX list. */
  readonly license: string;
  /** Its address as a package URL. */
  readonly purl: string;
  /** The notices that its authors ask to be kept. */
  readonly text: string;
};

/** The package that contains WebAssembly. Its version ends with that of jq: `3.0.0-jq-1.8.2`. */
const CONTAINER = 'jq-wasm';

/** The versions of jq, and of the libraries in its source tree, that have been looked up. */
const KNOWN = { jq: '1.8.2', oniguruma: '6.9.10', decNumber: '3.68' };

/**
 * The libraries that are compiled into bundled packages: jq, and Oniguruma and decNumber within it. `folders` are those of the
 * packages.
 * @throws Error where jq-wasm contains another jq than the one whose libraries and notices are listed here
 */
export function embeddedLibraries(root: string, folders: readonly string[]): EmbeddedLibrary[] {
  const folder = folders.find((path) => path.replaceAll('\\', '/').endsWith(`node_modules/${CONTAINER}`));
  if (folder === undefined) return [];
  const { version }: { version: string } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (!version.endsWith(`-jq-${KNOWN.jq}`)) {
    throw new Error(`${CONTAINER} ${version} is not jq ${KNOWN.jq}: compare scripts/notices with the new jq`);
  }
  const text = (name: string) => readFileSync(join(root, 'scripts', 'notices', `${name}.txt`), 'utf8').trim();
  return [
    {
      name: 'jq',
      version: KNOWN.jq,
      license: 'MIT',
      purl: `pkg:github/jqlang/jq@jq-${KNOWN.jq}`,
      text: text('jq'),
    },
    {
      name: 'oniguruma',
      version: KNOWN.oniguruma,
      license: 'BSD-2-Clause',
      purl: `pkg:github/kkos/oniguruma@v${KNOWN.oniguruma}`,
      text: text('oniguruma'),
    },
    {
      name: 'decNumber',
      version: KNOWN.decNumber,
      license: 'ICU',
      purl: `pkg:generic/decNumber@${KNOWN.decNumber}`,
      text: text('decNumber'),
    },
  ];
}
