/**
 * Builds in out/ what a release consists of: executables, archives, Debian packages, packages for npm, an SBOM of each executable
 * and the checksums. Without words it builds for this platform; with names such as `linux-arm64`, or `all`, for these.
 */
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tarGz, zip } from './archive.ts';
import { archiveEntries } from './contents.ts';
import { DEBIAN_ARCHITECTURES, debianPackage } from './debian.ts';
import { buildExecutable } from './executable.ts';
import { writeFormulae } from './formulae.ts';
import { writeNativePackage, writePlatformPackage } from './npm-packages.ts';
import { PLATFORMS, type Platform } from './platforms.ts';
import { executableSbom } from './sbom.ts';

const root = join(import.meta.dirname, '..', '..');
const out = join(root, 'out');
const release = join(out, 'release');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

try {
  // Before anything that was built is deleted.
  const platforms = chosenPlatforms(process.argv.slice(2));
  rmSync(out, { recursive: true, force: true });
  mkdirSync(release, { recursive: true });
  for (const platform of platforms) await buildFor(platform);
  writeNativePackage(root, PLATFORMS, join(out, 'npm', 'payctl-native'));
  // It names everything else, except what is made from it.
  write('SHA256SUMS', Buffer.from(checksums()));
  if (platforms === PLATFORMS) addFormulae();
} catch (error) {
  process.stderr.write(`payctl: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}

async function buildFor(platform: Platform): Promise<void> {
  const built = await buildExecutable(root, platform, join(out, 'executables', platform.name));
  const name = `payctl-${version}-${platform.name}`;
  const entries = archiveEntries(root, platform, built.file);
  const below = entries.map((entry) => ({ ...entry, path: `${name}/${entry.path}` }));
  if (platform.os === 'win32') write(`${name}.zip`, zip(below));
  else write(`${name}.tar.gz`, tarGz(below));
  if (platform.os === 'linux') {
    const bytes = debianPackage(root, { platform, executable: built.file });
    write(`payctl_${version}_${DEBIAN_ARCHITECTURES[platform.cpu]}.deb`, bytes);
  }
  write(`${name}.cdx.json`, Buffer.from(`${JSON.stringify(executableSbom(root, platform), null, 2)}\n`));
  const folder = join(out, 'npm', `payctl-${platform.name}`);
  writePlatformPackage(root, { platform, executable: built.file, folder });
  const missing = [built.isStripped ? [] : 'stripped', built.hasCompiledCode ? [] : 'compiled'].flat();
  const note = missing.length > 0 ? ` (not ${missing.join(', not ')})` : '';
  process.stderr.write(`payctl: built ${platform.name}${note}\n`);
}

function addFormulae(): void {
  try {
    writeFormulae(root, release);
  } catch (error) {
    process.stderr.write(`payctl: no formulae: ${error instanceof Error ? error.message : error}\n`);
  }
}

function chosenPlatforms(words: readonly string[]): readonly Platform[] {
  if (words.length === 1 && words[0] === 'all') return PLATFORMS;
  const names = words.length > 0 ? words : [`${process.platform}-${process.arch}`];
  return names.map((name) => {
    const platform = PLATFORMS.find((candidate) => candidate.name === name);
    if (platform) return platform;
    const known = PLATFORMS.map((candidate) => candidate.name).join(', ');
    throw new Error(`there is no platform ${name}; there are ${known}`);
  });
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
