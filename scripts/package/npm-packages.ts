import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { licences } from './licences.ts';
import type { Platform } from './platforms.ts';

/** package.json of payctl, as far as the packages repeat it. */
type Manifest = {
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly files: readonly string[];
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
};

/** Fields that mean something in the clone only. */
const OF_THE_CLONE = ['devDependencies', 'scripts', 'oclif'];

/** The files that npm puts into a package even if `files` does not name them. */
const ALWAYS_PACKED = ['README.md', 'LICENSE'];

/** Writes the package that holds the executable of one platform; npm installs it on no other. */
export function writePlatformPackage(
  root: string,
  { platform, executable, folder }: { platform: Platform; executable: string; folder: string },
): void {
  const { version, license } = readManifest(root);
  mkdirSync(join(folder, 'bin'), { recursive: true });
  copyFileSync(executable, join(folder, 'bin', platform.program));
  for (const { path, bytes } of licences(root, platform)) writeFileSync(join(folder, path), bytes);
  writeManifest(folder, {
    name: platformPackage(platform),
    version,
    description: `The executable of payctl for ${platform.os} on ${platform.cpu}; install payctl-native to use it`,
    license,
    os: [platform.os],
    cpu: [platform.cpu],
    // Node of Linux is linked with this one.
    ...(platform.os === 'linux' ? { libc: ['glibc'] } : {}),
    files: ['bin', '*LICEN*'],
  });
}

/**
 * Writes the package payctl-native: payctl with the executables as optional dependencies. On a Node that is too old for the JavaScript it runs
 * the executable (bin/run.js); without one it is what payctl is. There is no install script. payctl itself has no such
 * dependencies: few need them, and each is more than 40 MB to download.
 */
export function writeNativePackage(root: string, platforms: readonly Platform[], folder: string): void {
  const manifest = readManifest(root);
  mkdirSync(folder, { recursive: true });
  for (const name of [...manifest.files, ...ALWAYS_PACKED]) {
    cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  const own = Object.entries(manifest).filter(([field]) => !OF_THE_CLONE.includes(field));
  const executables = platforms.map((platform) => [platformPackage(platform), manifest.version]);
  writeManifest(folder, {
    ...Object.fromEntries(own),
    name: 'payctl-native',
    // Any Node may start it.
    engines: { node: '>=16' },
    optionalDependencies: { ...manifest.optionalDependencies, ...Object.fromEntries(executables) },
  });
}

function platformPackage({ name }: Platform): string {
  return `payctl-${name}`;
}

function readManifest(root: string): Manifest {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
}

function writeManifest(folder: string, manifest: unknown): void {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
