import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { bundledPackages } from './bundled-packages.ts';
import { type EmbeddedLibrary, embeddedLibraries } from './embedded-libraries.ts';

/** Not in the bundle, but installed with it where its platform has one. */
const INSTALLED_BESIDE = ['@napi-rs/keyring'];

type Manifest = { readonly name: string; readonly version: string; readonly license?: string };
type Lock = { readonly packages: Readonly<Record<string, { readonly integrity?: string }>> };

/**
 * Writes dist/sbom.cdx.json, a CycloneDX list of every package and library whose code is in the bundle or installed with it. The same
 * bundle gives the same bytes: there is no time and no serial number. `modules` are the paths of the bundled files.
 */
export function writeSbom(root: string, modules: readonly string[]): void {
  writeFileSync(join(root, 'dist', 'sbom.cdx.json'), `${JSON.stringify(sbom(root, modules))}\n`);
}

function sbom(root: string, modules: readonly string[]): unknown {
  // What npm has installed, which may be another release than the locked one.
  const lock: Lock = readJson(join(root, 'node_modules'), '.package-lock.json');
  const component = (folder: string, scope: 'required' | 'optional') => {
    const path = relative(root, folder).replaceAll('\\', '/');
    const manifest: Manifest = readJson(folder, 'package.json');
    return { type: 'library', ...identity(manifest), scope, hashes: hashes(path, lock) };
  };
  const folders = bundledPackages(modules);
  const components = [
    ...folders.map((folder) => component(folder, 'required')),
    ...embeddedLibraries(root, folders).map(embedded),
    ...INSTALLED_BESIDE.map((name) => component(join(root, 'node_modules', name), 'optional')),
  ].sort((a, b) => (a.purl < b.purl ? -1 : 1));
  const own = identity(readJson<Manifest>(root, 'package.json'));
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', ...own } },
    components,
    dependencies: [{ ref: own.purl, dependsOn: components.map(({ purl }) => purl) }],
  };
}

/** It has no checksum of its own: that of the package that contains it covers it. */
function embedded({ name, version, license, purl }: EmbeddedLibrary) {
  const licenses = [{ license: { id: license } }];
  return { type: 'library', 'bom-ref': purl, name, version, purl, licenses, scope: 'required', hashes: [] };
}

function identity({ name, version, license }: Manifest) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const licenses = /^[\w.-]+$/.test(license ?? '')
    ? [{ license: { id: license } }]
    : [{ expression: license }];
  return { 'bom-ref': purl, name, version, purl, licenses: license ? licenses : [] };
}

/** Of the package as it was downloaded. */
function hashes(path: string, { packages }: Lock): { alg: string; content: string }[] {
  const [, content] = /^sha512-(\S+)$/.exec(packages[path]?.integrity ?? '') ?? [];
  if (!content) throw new Error(`npm has no checksum of ${path}`);
  return [{ alg: 'SHA-512', content: Buffer.from(content, 'base64').toString('hex') }];
}

function readJson<Content>(folder: string, name: string): Content {
  return JSON.parse(readFileSync(join(folder, name), 'utf8'));
}
