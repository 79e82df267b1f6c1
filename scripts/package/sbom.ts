import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockedPackage, type Platform } from './platforms.ts';

type Component = { readonly name: string; readonly purl: string };

/**
 * What the executable of a platform consists of, as CycloneDX: the packages of the bundle, Node, and the native binding of the
 * keychain, the last two with the checksums of the packages that they come from.
 * @throws Error if package-lock.json does not lock one of them
 */
export function executableSbom(root: string, platform: Platform): unknown {
  const bom = JSON.parse(readFileSync(join(root, 'dist', 'sbom.cdx.json'), 'utf8'));
  const node = {
    ...component(root, platform.node, 'application'),
    components: librariesOfNode(lockedPackage(root, platform.node).version),
  };
  const binding = component(root, platform.binding, 'library');
  // In the package it is optional. The executable contains it.
  const bundled = bom.components.map((part: Component) => ({ ...part, scope: 'required' }));
  const components = [...bundled, node, binding];
  const [own] = bom.dependencies;
  const dependsOn = components.map(({ purl }) => purl);
  return { ...bom, components, dependencies: [{ ...own, dependsOn }] };
}

function component(root: string, key: string, type: 'application' | 'library') {
  const { name, version, integrity } = lockedPackage(root, key);
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const content = Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex');
  return {
    type,
    'bom-ref': purl,
    name,
    version,
    purl,
    licenses: [{ license: { id: 'MIT' } }],
    scope: 'required',
    hashes: [{ alg: 'SHA-512', content }],
  };
}

/** Those that security notices name, as far as this Node knows: only one of the same version has the same. */
function librariesOfNode(version: string) {
  if (version !== process.versions.node) return [];
  const names = [
    'ada',
    'ares',
    'brotli',
    'icu',
    'llhttp',
    'nghttp2',
    'openssl',
    'simdjson',
    'sqlite',
    'uv',
    'v8',
  ];
  return [...names, 'zlib', 'zstd'].flatMap((name) => {
    const own = process.versions[name];
    if (own === undefined) return [];
    const purl = `pkg:generic/${name}@${own}`;
    return { type: 'library', 'bom-ref': purl, name, version: own, purl };
  });
}
