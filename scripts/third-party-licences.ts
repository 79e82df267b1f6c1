import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundledPackages } from './bundled-packages.ts';
import { embeddedLibraries } from './embedded-libraries.ts';

/**
 * Writes dist/THIRD-PARTY-LICENCES.txt: name, version and licence text of every package whose code is in the bundle, and of
 * every library that such a package contains in compiled form. Terms that packages have in common are there once.
 * `modules` are the paths of the bundled files.
 */
export function writeLicences(root: string, modules: readonly string[]): void {
  const folders = bundledPackages(modules);
  const embedded = embeddedLibraries(root, folders).map(
    ({ name, version, license, text }) => `${name} ${version} (${license})\n\n${text}`,
  );
  const described = folders.map((folder) => describe(root, folder));
  const sections = [...withTermsOnce(described), ...embedded];
  writeFileSync(
    join(root, 'dist', 'THIRD-PARTY-LICENCES.txt'),
    `${sections.join(`\n\n${'-'.repeat(78)}\n\n`)}\n`,
  );
}

/** What every text of some licences begins with after the names of the owners. */
const TERMS = /^Permission (?:is hereby granted|to use)/m;

/** Refers to the first section with the same terms, however their lines are broken. */
function withTermsOnce(sections: readonly string[]): readonly string[] {
  const firsts = new Map<string, string>();
  return sections.map((section) => {
    const start = section.search(TERMS);
    const terms = section.slice(start).replace(/\s+/g, ' ');
    const first = firsts.get(terms);
    firsts.set(terms, first ?? section.slice(0, section.indexOf(' (')));
    if (start === -1 || first === undefined) return section;
    return `${section.slice(0, start)}The terms are, word for word, those of ${first} above.`;
  });
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
