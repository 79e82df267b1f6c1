import { createHash } from 'node:crypto';
import { ar, type Entry, tarGz } from './archive.ts';

/** What dpkg is told of a package. */
export type DebianPackage = {
  readonly version: string;
  readonly architecture: 'amd64' | 'arm64';
  readonly description: string;
  /** What is installed, with paths such as `./usr/bin/payctl`. */
  readonly entries: readonly Entry[];
};

/** The libraries that Node itself is linked with, in the oldest versions that have what it calls. */
const LIBRARIES = 'libc6 (>= 2.28), libstdc++6 (>= 5.2), libgcc-s1 (>= 3.4) | libgcc1, libatomic1 (>= 4.8)';

/** The bytes of a .deb. It has no scripts that run when it is installed. */
export function debianPackage(
  { version, architecture, description, entries }: DebianPackage,
  { quickly = false } = {},
): Buffer {
  const size = entries.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const control = [
    'Package: payctl',
    `Version: ${version}`,
    `Architecture: ${architecture}`,
    // The address of whoever publishes it belongs here.
    'Maintainer: the payctl maintainers <maintainers@payctl.invalid>',
    `Installed-Size: ${Math.ceil(size / 1024)}`,
    `Depends: ${LIBRARIES}`,
    'Section: admin',
    'Priority: optional',
    `Description: ${description}`,
    '',
  ].join('\n');
  const sums = entries.map(({ path, bytes }) => {
    const sum = createHash('md5').update(bytes).digest('hex');
    return `${sum}  ${path.slice('./'.length)}\n`;
  });
  return ar([
    { path: 'debian-binary', bytes: Buffer.from('2.0\n') },
    {
      path: 'control.tar.gz',
      bytes: tarGz([
        { path: './control', bytes: Buffer.from(control) },
        { path: './md5sums', bytes: Buffer.from(sums.join('')) },
      ]),
    },
    { path: 'data.tar.gz', bytes: tarGz(entries, { quickly }) },
  ]);
}
