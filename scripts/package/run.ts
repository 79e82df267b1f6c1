/**
 * Builds in out/ what a release consists of: executables, archives, Debian packages, packages for npm, the SBOM and the checksums.
 * Without words it builds for this platform; with names such as `linux-arm64`, or `all`, for these.
 */
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tarGz, zip } from './archive.ts';
import { archiveEntries, debianEntries } from './contents.ts';
import { debianPackage } from './debian.ts';
import { buildExecutable } from './executable.ts';
import { writeNativePackage, writePlatformPackage } from './npm-packages.ts';
import { lockedPackage, OWN_PLATFORM, PLATFORMS, type Platform } from './platforms.ts';

const DEBIAN = { x64: 'amd64', arm64: 'arm64' } as const;

const root = join(import.meta.dirname, '..', '..');
const out = join(root, 'out');
const release = join(out, 'release');
const { version, description } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

rmSync(out, { recursive: true, force: true });
mkdirSync(release, { recursive: true });
const platforms = chosenPlatforms(process.argv.slice(2));
for (const platform of platforms) await buildFor(platform);
writeNativePackage(root, PLATFORMS, join(out, 'npm', 'payctl-native'));
write(`payctl-${version}.cdx.json`, Buffer.from(`${JSON.stringify(sbom(), null, 2)}\n`));
// Last: it names everything else.
write('SHA256SUMS', Buffer.from(checksums()));

async function buildFor(platform: Platform): Promise<void> {
  const built = await buildExecutable(root, platform, join(out, 'executables', platform.name));
  const name = `payctl-${version}-${platform.name}`;
  const entries = archiveEntries(root, platform, built.file);
  const below = entries.map((entry) => ({ ...entry, path: `${name}/${entry.path}` }));
  if (platform.os === 'win32') write(`${name}.zip`, zip(below));
  else write(`${name}.tar.gz`, tarGz(below));
  const architecture = DEBIAN[platform.cpu as keyof typeof DEBIAN];
  if (platform.os === 'linux') {
    const files = debianEntries(root, platform, built.file);
    const text = description.replace(/: .*/s, '');
    const bytes = debianPackage({ version, architecture, description: text, entries: files });
    write(`payctl_${version}_${architecture}.deb`, bytes);
  }
  const folder = join(out, 'npm', `payctl-${platform.name}`);
  writePlatformPackage(root, { platform, executable: built.file, folder });
  const missing = [built.isStripped ? [] : 'stripped', built.hasCompiledCode ? [] : 'compiled'].flat();
  const note = missing.length > 0 ? ` (not ${missing.join(', not ')})` : '';
  process.stderr.write(`payctl: built ${platform.name}${note}\n`);
}

function chosenPlatforms(words: readonly string[]): readonly Platform[] {
  if (words.length === 1 && words[0] === 'all') return PLATFORMS;
  const names = words.length > 0 ? words : [OWN_PLATFORM?.name];
  return names.map((name) => {
    const platform = PLATFORMS.find((candidate) => candidate.name === name);
    if (platform) return platform;
    const known = PLATFORMS.map((candidate) => candidate.name).join(', ');
    throw new Error(`There is no platform ${name}; there are ${known}`);
  });
}

/** That of the package, and Node. */
function sbom(): unknown {
  const bom = JSON.parse(readFileSync(join(root, 'dist', 'sbom.cdx.json'), 'utf8'));
  const versions = new Set(platforms.map((platform) => lockedPackage(root, platform.node).version));
  const nodes = [...versions].map((node) => ({
    type: 'application',
    'bom-ref': `pkg:generic/node@${node}`,
    name: 'node',
    version: node,
    purl: `pkg:generic/node@${node}`,
    licenses: [{ license: { id: 'MIT' } }],
    scope: 'required',
    hashes: [],
  }));
  const [own] = bom.dependencies;
  const dependsOn = [...own.dependsOn, ...nodes.map(({ purl }) => purl)];
  return { ...bom, components: [...bom.components, ...nodes], dependencies: [{ ...own, dependsOn }] };
}

function checksums(): string {
  return globSync('*', { cwd: release })
    .sort()
    .map((name) => {
      const sum = createHash('sha256')
        .update(readFileSync(join(release, name)))
        .digest('hex');
      return `${sum}  ${name}\n`;
    })
    .join('');
}

function write(name: string, bytes: Uint8Array): void {
  writeFileSync(join(release, name), bytes);
}
