import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundledPackages } from './bundled-packages.ts';

/**
 * Writes dist/THIRD-PARTY-LICENCES.txt: name, version and licence text of every package whose code is in the bundle.
 * `modules` are the paths of the bundled files.
 */
export function writeLicences(root: string, modules: readonly string[]): void {
  const sections = bundledPackages(modules).map((folder) => describe(folder));
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
