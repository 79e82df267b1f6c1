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
  const sections = [...folders.map((folder) => describe(root, folder)), ...embedded];
  writeFileSync(
    join(root, 'dist', 'THIRD-PARTY-LICENCES.txt'),
    `${sections.join(`\n\n${'-'.repeat(78)}\n\n`)}\n`,
  );
}

/** The text is in the package or, where its authors have left it out of that, in scripts/notices. */
function describe(root: string, folder: string): string {
  const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { name, version, license } = manifest as { name: string; version: string; license?: string };
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const notice = `${name.replace('@', '').replace('/', '-')}.txt`;
  const path = file ? join(folder, file) : join(root, 'scripts', 'notices', notice);
  if (!existsSync(path))
    throw new Error(`${name} has no licence text: put it into scripts/notices/${notice}`);
  return `${name} ${version} (${license ?? 'unknown'})\n\n${readFileSync(path, 'utf8').trim()}`;
}
