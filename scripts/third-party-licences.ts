import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundledPackages } from './bundled-packages.ts';
import { embeddedLibraries } from './embedded-libraries.ts';

/**
 * Writes dist/THIRD-PARTY-LICENCES.txt: name, version and licence text of every package whose code is in the bundle, and of
 * every library that such a package contains in compiled form.
 * `modules` are the paths of the bundled files.
 */
export function writeLicences(root: string, modules: readonly string[]): void {
  const folders = bundledPackages(modules);
  const embedded = embeddedLibraries(root, folders).map(
    ({ name, version, license, text }) => `${name} ${version} (${license})\n\n${text}`,
  );
  const sections = [...folders.map((folder) => describe(folder)), ...embedded];
  writeFileSync(
    join(root, 'dist', 'THIRD-PARTY-LICENCES.txt'),
    `${sections.join(`\n\n${'-'.repeat(78)}\n\n`)}\n`,
  );
}

function describe(folder: string): string {
  const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { name, version, license } = manifest as { name: string; version: string; license?: string };
  const file = readdirSync(folder).find(
    (entry) => /^licen[cs]e/i.test(entry) && existsSync(join(folder, entry)),
  );
  const text = file
    ? readFileSync(join(folder, file), 'utf8').trim()
    : `Licence: ${license ?? 'see its repository'}`;
  return `${name} ${version} (${license ?? 'unknown'})\n\n${text}`;
}
