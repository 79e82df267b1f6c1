import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A platform that executables are built for. */
export type Platform = {
  /** As Node names it, `linux-x64`; also the end of the names of what is built. */
  readonly name: string;
  readonly os: string;
  readonly cpu: string;
  /** The key of its Node in package-lock.json. */
  readonly node: string;
  /** The package of the keychain's native binding. */
  readonly binding: string;
  /** The file name of payctl. */
  readonly program: string;
};

const BINDINGS: Readonly<Record<string, string>> = {
  'darwin-arm64': 'darwin-arm64',
  'darwin-x64': 'darwin-x64',
  'linux-arm64': 'linux-arm64-gnu',
  'linux-x64': 'linux-x64-gnu',
  'win32-arm64': 'win32-arm64-msvc',
  'win32-x64': 'win32-x64-msvc',
};

/** Every platform that the project has a Node for. */
export const PLATFORMS: readonly Platform[] = Object.entries(BINDINGS).map(([name, binding]) => {
  const [os = '', cpu = ''] = name.split('-');
  return {
    name,
    os,
    cpu,
    node: `node_modules/node-${name}`,
    binding: `node_modules/@napi-rs/keyring-${binding}`,
    program: os === 'win32' ? 'payctl.exe' : 'payctl',
  };
});

/** The platform of this process. */
export const OWN_PLATFORM = PLATFORMS.find(({ name }) => name === `${process.platform}-${process.arch}`);

/** A package as package-lock.json names it. */
export type LockedPackage = { readonly name: string; readonly version: string; readonly integrity: string };

/** @throws Error if package-lock.json does not lock it */
export function lockedPackage(root: string, key: string): LockedPackage {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const { name = key.slice('node_modules/'.length), version, integrity } = packages[key] ?? {};
  if (!version || !integrity) throw new Error(`package-lock.json has no ${key}`);
  return { name, version, integrity };
}
