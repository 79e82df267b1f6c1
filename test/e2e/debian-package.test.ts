import { spawnSync } from 'node:child_process';
import { copyFileSync, globSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { debianPackage } from '../../scripts/package/debian.ts';
import { OWN_PLATFORM } from '../../scripts/package/platforms.ts';
import { builtExecutable, NO_EXECUTABLE } from '../harness/executable.ts';
import { folderForAll } from '../harness/temporary-folder.ts';

const root = join(import.meta.dirname, '../..');
const folder = folderForAll();
const file = join(folder, 'payctl.deb');
const has = (program: string) => spawnSync(program, ['--version']).status === 0;
const isLinux = process.platform === 'linux';
const why = NO_EXECUTABLE ?? (isLinux && has('dpkg-deb') ? undefined : 'there is no dpkg');
const notRoot = process.getuid?.() === 0 ? undefined : 'only root installs packages';
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

function succeed(program: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', cwd: folder });
  expect(status, stdout + stderr).toBe(0);
  return stdout;
}

describe.skipIf(why)(`the Debian package${why ? ` (${why})` : ''}`, () => {
  const unpacked = join(folder, 'unpacked');
  const doc = join(unpacked, 'usr/share/doc/payctl');

  beforeAll(async () => {
    if (!OWN_PLATFORM) return;
    const executable = await builtExecutable();
    writeFileSync(file, debianPackage(root, { platform: OWN_PLATFORM, executable }, { quickly: true }));
    succeed('dpkg-deb', '--extract', file, unpacked);
  }, 120_000);

  it('says what it is, and what it needs', () => {
    const field = (name: string) => succeed('dpkg-deb', '--field', file, name).trim();
    expect([field('Package'), field('Version'), field('Section')]).toEqual(['payctl', version, 'admin']);
    const [synopsis = '', ...more] = field('Description').split('\n');
    expect(synopsis.length).toBeLessThan(80);
    expect(more.length).toBeGreaterThan(0);
    expect(more.filter((line) => !/^ \S.{0,78}$/.test(line))).toEqual([]);
    expect(succeed('dpkg-deb', '--ctrl-tarfile', file)).not.toMatch(/p(re|ost)(inst|rm)/);
  });

  it('has files that everybody can read, of root, and none older than Debian accepts', () => {
    const lines = succeed('dpkg-deb', '--contents', file).trim().split('\n');
    const usual = /^(drwxr-xr-x|-rw-r--r--) root\/root +\d+ 1980-01-01 \d\d:\d\d \.\/usr\//;
    const others = lines.filter((line) => !usual.test(line));
    expect(others).toEqual([
      expect.stringMatching(/^-rwxr-xr-x root\/root +\d+ 1980-01-01 .* \.\/usr\/bin\/payctl$/),
    ]);
  });

  it('has the checksum of each file', () => {
    succeed('dpkg-deb', '--control', file, join(folder, 'control'));
    const sums = readFileSync(join(folder, 'control/md5sums'), 'utf8').trim().split('\n');
    const files = globSync('**/*', { cwd: unpacked }).filter((path) =>
      lstatSync(join(unpacked, path)).isFile(),
    );
    expect(sums.map((line) => line.slice(34)).toSorted()).toEqual(files.toSorted());
    const { status } = spawnSync('md5sum', ['--check', '--quiet', '../control/md5sums'], { cwd: unpacked });
    expect(status).toBe(0);
  });

  it('has every licence in the one document that images of containers keep', () => {
    const copyright = readFileSync(join(doc, 'copyright'), 'utf8');
    for (const path of ['LICENSE', 'dist/THIRD-PARTY-LICENCES.txt']) {
      expect(copyright).toContain(readFileSync(join(root, path), 'utf8'));
    }
    for (const part of ['Node.js is licensed', 'OpenSSL', 'keyring']) expect(copyright).toContain(part);
  });

  it('has the changelog and the man pages, packed without a time or name', () => {
    const packed = globSync('usr/share/**/*.gz', { cwd: unpacked }).map((path) =>
      readFileSync(join(unpacked, path)),
    );
    expect(packed.length).toBeGreaterThan(50);
    // No flags, so no name; then four bytes of time.
    expect(packed.filter((bytes) => bytes.readUInt32BE(3) !== 0 || bytes.readUInt8(7) !== 0)).toEqual([]);
    const changelog = gunzipSync(readFileSync(join(doc, 'changelog.gz')));
    expect(changelog.equals(readFileSync(join(root, 'CHANGELOG.md')))).toBe(true);
  });

  it('contains no path of the machine that it was built on', () => {
    const files = globSync('**/*', { cwd: unpacked }).map((path) => join(unpacked, path));
    const naming = files.filter((path) => lstatSync(path).isFile() && readFileSync(path).includes(root));
    expect(naming).toEqual([]);
  });

  it.skipIf(!has('readelf'))('needs no library but those of the packages that it depends on', () => {
    const program = join(unpacked, 'usr/bin/payctl');
    const dynamic = succeed('readelf', '--dynamic', '--wide', program);
    const needed = [...dynamic.matchAll(/\(NEEDED\).*\[(.*)\]/g)].map(([, name = '']) => name);
    expect(needed.length).toBeGreaterThan(3);
    const known = /^(lib(c|m|dl|pthread|stdc\+\+|gcc_s|atomic)|ld-linux.*)\.so\.\d$/;
    expect(needed.filter((name) => !known.test(name))).toEqual([]);
    const symbols = succeed('readelf', '--version-info', '--wide', program);
    const minors = [...symbols.matchAll(/\bGLIBC_2\.(\d+)/g)].map(([, minor]) => Number(minor));
    expect(Math.max(...minors)).toBeLessThanOrEqual(28);
  });

  it.skipIf(notRoot)(
    `is installed, runs, and is removed without a trace`,
    () => {
      // A system of its own, so that this one stays as it is; it has the list of packages of this one, for what payctl needs.
      const system = join(folder, 'system');
      const admin = join(system, 'var/lib/dpkg');
      mkdirSync(join(admin, 'updates'), { recursive: true });
      mkdirSync(join(admin, 'info'));
      copyFileSync('/var/lib/dpkg/status', join(admin, 'status'));
      const places = [`--instdir=${system}`, `--admindir=${admin}`, `--log=${join(folder, 'dpkg.log')}`];
      const dpkg = (...args: string[]) => succeed('dpkg', ...places, ...args);
      dpkg('--install', file);
      const installed = join(system, 'usr/bin/payctl');
      const run = spawnSync(installed, ['--version'], { env: {}, encoding: 'utf8' });
      expect(run).toMatchObject({
        stdout: expect.stringMatching(`^payctl/${version} `),
        stderr: '',
        status: 0,
      });
      expect(dpkg('--listfiles', 'payctl').trim().split('\n')).toEqual(
        expect.arrayContaining([
          '/usr/share/man/man1/payctl-buyers-list.1.gz',
          '/usr/share/man/man7/payctl-settings.7.gz',
          '/usr/share/bash-completion/completions/payctl',
          '/usr/share/zsh/vendor-completions/_payctl',
          '/usr/share/fish/vendor_completions.d/payctl.fish',
          '/usr/share/payctl/lnav/payctl-api-logs.json',
          '/usr/share/doc/payctl/copyright',
        ]),
      );
      expect(dpkg('--verify', 'payctl')).toBe('');
      dpkg('--purge', 'payctl');
      expect(globSync('usr/**/*', { cwd: system })).toEqual([]);
    },
    60_000,
  );
});
