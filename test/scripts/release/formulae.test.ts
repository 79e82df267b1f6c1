import { describe, expect, it } from 'vitest';
import {
  homebrewFormula,
  readSums,
  repositoryAddress,
  scoopManifest,
} from '../../../scripts/package/formulae.ts';
import { PLATFORMS } from '../../../scripts/package/platforms.ts';

const version = '1.2.3';
const repository = 'https://github.com/acme/payctl';
const archives = PLATFORMS.map(
  ({ name }) => `payctl-${version}-${name}.${name.startsWith('win32') ? 'zip' : 'tar.gz'}`,
);
const sums = new Map(archives.map((name, index) => [name, String(index).repeat(64)]));
const description = 'Administration of payments: buyers and logs';
const release = { version, repository, description, license: 'MIT', sums };

/** Each address and the checksum after it. */
function downloads(text: string): readonly (readonly [string, string])[] {
  return [...text.matchAll(/^ +url "([^"]+)"\n +sha256 "([^"]+)"$/gm)].map(([, url = '', sum = '']) => [
    url,
    sum,
  ]);
}

describe('the formula for Homebrew', () => {
  const text = homebrewFormula(release);

  it('is a class of the name that Homebrew derives from the file, with what its audit demands', () => {
    expect(text).toMatch(/^class Payctl < Formula\n {2}desc "(?!An? |payctl)[A-Z][^".]{1,79}"\n/);
    expect(text).toContain(`\n  homepage "${repository}"\n  version "1.2.3"\n  license "MIT"\n`);
    expect(text).toMatch(
      /\n {2}def install\n(?: {4}.+\n)+ {2}end\n\n {2}test do\n(?: {4}assert_.+\n)+ {2}end\nend\n$/,
    );
  });

  it('closes every block that it opens', () => {
    const opened = text.match(/^ *(class|def|(on_\w+|test) do)\b/gm) ?? [];
    expect(text.match(/^ *end$/gm)).toHaveLength(opened.length);
    expect(opened).toHaveLength(9);
  });

  it('has the archive of each platform that Homebrew runs on, with its checksum', () => {
    const own = archives.filter((name) => name.endsWith('.tar.gz'));
    const expected = own.map((name) => [`${repository}/releases/download/v1.2.3/${name}`, sums.get(name)]);
    expect(downloads(text).toSorted()).toEqual(expected.toSorted());
    for (const system of ['macos', 'linux']) {
      const block = text.slice(
        text.indexOf(`on_${system} do`),
        text.indexOf('\n  end\n', text.indexOf(`on_${system} do`)),
      );
      const os = system === 'macos' ? 'darwin' : 'linux';
      expect(block).toMatch(
        new RegExp(`on_arm do\\n +url "[^"]+-${os}-arm64\\.[^]+on_intel do\\n +url "[^"]+-${os}-x64\\.`),
      );
    }
  });

  it('cannot be made without an archive', () => {
    expect(() => homebrewFormula({ ...release, sums: new Map() })).toThrow(
      'SHA256SUMS has no payctl-1.2.3-darwin-arm64.tar.gz',
    );
  });
});

describe('the manifest for Scoop', () => {
  const manifest = scoopManifest(release);

  it('has the fields of its schema, and no other', () => {
    expect(Object.keys(manifest)).toEqual([
      'version',
      'description',
      'homepage',
      'license',
      'architecture',
      'bin',
      'checkver',
      'autoupdate',
    ]);
    expect(manifest).toMatchObject({
      version,
      bin: 'payctl.exe',
      checkver: { github: repository },
      license: 'MIT',
    });
  });

  it('has the archive of each processor, its checksum, and the folder in it', () => {
    const entry = (platform: string) => ({
      url: `${repository}/releases/download/v1.2.3/payctl-1.2.3-${platform}.zip`,
      hash: sums.get(`payctl-1.2.3-${platform}.zip`),
      extract_dir: `payctl-1.2.3-${platform}`,
    });
    expect(manifest.architecture).toEqual({ '64bit': entry('win32-x64'), arm64: entry('win32-arm64') });
  });

  it('finds the next release by putting its version into the addresses of this one', () => {
    for (const key of ['64bit', 'arm64'] as const) {
      const { url, extract_dir } = manifest.autoupdate.architecture[key];
      const own = manifest.architecture[key];
      expect(url.replaceAll('$version', version)).toBe(own.url);
      expect(extract_dir.replaceAll('$version', version)).toBe(own.extract_dir);
    }
    expect(manifest.autoupdate.hash).toEqual({ url: '$baseurl/SHA256SUMS' });
  });
});

it('reads what sha256sum writes', () => {
  const sum = 'ab'.repeat(32);
  expect([...readSums(`${sum}  a b.zip\n${sum} *c\nno sum  d\n`)]).toEqual([
    ['a b.zip', sum],
    ['c', sum],
  ]);
});

it.each([
  ['acme/payctl', repository],
  ['github:acme/payctl', repository],
  ['https://github.com/acme/payctl.git', repository],
  [{ type: 'git', url: 'git+https://github.com/acme/payctl.git' }, repository],
  ['git@github.com:acme/payctl.git', repository],
  ['https://example.com/acme/payctl', undefined],
  [undefined, undefined],
])('understands a repository as npm does: %j', (field, address) => {
  expect(repositoryAddress(field)).toBe(address);
});
