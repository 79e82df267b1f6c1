import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { COMPLETION_SCRIPTS } from '../../src/features/completion/scripts.ts';
import { ar, type Entry, tarGz } from './archive.ts';
import { logFormat, manEntries } from './contents.ts';
import { licences } from './licences.ts';
import type { Platform } from './platforms.ts';

/** The libraries that Node itself is linked with, in the oldest versions that have what it calls. */
const LIBRARIES = 'libc6 (>= 2.28), libstdc++6 (>= 5.2), libgcc-s1 (>= 3.4) | libgcc1, libatomic1 (>= 4.8)';

/** The publisher's name and address belong here; `npm run release:check` refuses a placeholder. */
export const MAINTAINER = 'the payctl maintainers <maintainers@payctl.invalid>';

const DESCRIPTION = [
  'Administration of a payment orchestration service from the command line',
  ' payctl looks up buyers, payment methods, checkout sessions, gift cards, roles,',
  ' webhooks and audit logs, reports the API requests that failed, and calls every',
  ' operation of an imported OpenAPI description. It contains an emulator of the',
  ' service, and everything else that it needs to run.',
];

/** As Debian names the processors of platforms; the executable is built for no other Linux. */
export const DEBIAN_ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/** The bytes of a .deb with the executable in the file `executable`. It has no scripts that run when it is installed. */
export function debianPackage(
  root: string,
  { platform, executable }: { readonly platform: Platform; readonly executable: string },
  { quickly = false } = {},
): Buffer {
  const entries = installedFiles(root, platform, executable);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const size = entries.reduce((sum, { bytes }) => sum + Math.ceil(bytes.length / 1024), 0);
  const control = [
    'Package: payctl',
    `Version: ${version}`,
    `Architecture: ${DEBIAN_ARCHITECTURES[platform.cpu]}`,
    `Maintainer: ${MAINTAINER}`,
    `Installed-Size: ${size}`,
    `Depends: ${LIBRARIES}`,
    'Section: admin',
    'Priority: optional',
    `Description: ${DESCRIPTION.join('\n')}`,
    '',
  ].join('\n');
  return ar([
    { path: 'debian-binary', bytes: Buffer.from('2.0\n') },
    {
      path: 'control.tar.gz',
      bytes: tarGz([
        { path: './control', bytes: Buffer.from(control) },
        { path: './md5sums', bytes: Buffer.from(md5sums(entries)) },
      ]),
    },
    { path: 'data.tar.gz', bytes: tarGz(entries, { quickly }) },
  ]);
}

/** Each file where Debian looks for it. */
function installedFiles(root: string, platform: Platform, executable: string): readonly Entry[] {
  const at = (path: string, bytes: Uint8Array) => ({ path: `./usr/${path}`, bytes });
  const packed = (bytes: Uint8Array) => gzipSync(bytes, { level: 9 });
  return [
    { ...at('bin/payctl', readFileSync(executable)), runs: true },
    ...manEntries(root).map(({ path, bytes }) => at(`share/man/${path}`, bytes)),
    at('share/bash-completion/completions/payctl', Buffer.from(COMPLETION_SCRIPTS.bash)),
    at('share/zsh/vendor-completions/_payctl', Buffer.from(COMPLETION_SCRIPTS.zsh)),
    at('share/fish/vendor_completions.d/payctl.fish', Buffer.from(COMPLETION_SCRIPTS.fish)),
    at('share/payctl/lnav/payctl-api-logs.json', logFormat(root)),
    at('share/doc/payctl/changelog.gz', packed(readFileSync(join(root, 'CHANGELOG.md')))),
    at('share/doc/payctl/copyright', copyright(licences(root, platform))),
  ];
}

/** All licences in one file: many images of containers leave out every document but this one. */
function copyright(texts: readonly Entry[]): Buffer {
  const line = '='.repeat(78);
  return Buffer.concat(
    texts.flatMap(({ path, bytes }) => [
      Buffer.from(`${line}\n${path}\n${line}\n\n`),
      bytes,
      Buffer.from('\n'),
    ]),
  );
}

function md5sums(entries: readonly Entry[]): string {
  return entries
    .map(({ path, bytes }) => {
      const sum = createHash('md5').update(bytes).digest('hex');
      return `${sum}  ${path.slice('./'.length)}\n`;
    })
    .join('');
}
