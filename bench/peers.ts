/** Other programs for the same work. None is a dependency of payctl: those of npm are installed on demand, the others have to be there. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cache, folder } from './programs.ts';
import { reportAbsent } from './row.ts';

/** A peer that is there: its name with its version, and the file of it that runs. */
export type Peer = { readonly name: string; readonly file: string };

const PACKAGES = {
  prism: { package: '@stoplight/prism-cli', version: '5.16.0', file: 'dist/index.js', name: 'Prism' },
  csvParse: { package: 'csv-parse', version: '7.0.3', file: 'lib/index.js', name: 'csv-parse' },
  sdk: { package: '@gr4vy/sdk', version: '1.10.18', file: 'index.js', name: '@gr4vy/sdk' },
} as const;

/** A program of the PATH; undefined if there is none, which is reported. */
export function programPeer(name: string): Peer | undefined {
  const env = { ...process.env, HOME: folder };
  const { status, stdout, error } = spawnSync(name, ['--version'], { env, encoding: 'utf8' });
  if (error || status !== 0) {
    reportAbsent(name, 'not installed');
    return undefined;
  }
  const version = /\d+(?:\.\d+)+/.exec(stdout)?.[0];
  return { name: version ? `${name} ${version}` : name, file: name };
}

/** A package of npm in its fixed version; undefined if it cannot be installed, which is reported. */
export function packagePeer(key: keyof typeof PACKAGES): Peer | undefined {
  const { package: name, version, file, name: title } = PACKAGES[key];
  const parent = join(cache, 'peers', key);
  const installed = join(parent, 'node_modules', name);
  if (!isInstalled(installed, version)) {
    mkdirSync(parent, { recursive: true });
    writeFileSync(join(parent, 'package.json'), '{"private":true}');
    const args = ['install', '--ignore-scripts', '--no-fund', '--no-audit', '--loglevel=error'];
    const { status } = spawnSync('npm', [...args, `${name}@${version}`], {
      cwd: parent,
      stdio: ['ignore', 'ignore', 2],
      timeout: 120_000,
      shell: process.platform === 'win32',
    });
    if (status !== 0) {
      reportAbsent(`${title} ${version}`, 'npm could not install it');
      return undefined;
    }
  }
  return { name: `${title} ${version}`, file: join(installed, file) };
}

function isInstalled(directory: string, version: string): boolean {
  const manifest = join(directory, 'package.json');
  return existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === version;
}
