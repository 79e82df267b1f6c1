import { spawnSync } from 'node:child_process';
import { chmodSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { writeNativePackage, writePlatformPackage } from '../../scripts/package/npm-packages.ts';
import { OWN_PLATFORM, PLATFORMS } from '../../scripts/package/platforms.ts';
import { oldNode } from '../harness/old-node.ts';
import { useHome } from '../harness/run-payctl.ts';
import { folderForAll } from '../harness/temporary-folder.ts';

const root = join(import.meta.dirname, '../..');
const home = useHome();
const folder = folderForAll();
const modules = join(folder, 'node_modules');
const program = join(modules, 'payctl-native/bin/run.js');
const old = oldNode();

beforeAll(() => {
  writeNativePackage(root, PLATFORMS, join(modules, 'payctl-native'));
});

describe('payctl-native', () => {
  it('names an executable for each platform, and nothing that npm would run', () => {
    const manifest = JSON.parse(readFileSync(join(modules, 'payctl-native/package.json'), 'utf8'));
    expect(manifest.scripts).toBeUndefined();
    expect(manifest.dependencies).toBeUndefined();
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    for (const { name } of PLATFORMS) expect(manifest.optionalDependencies[`payctl-${name}`]).toBe(version);
  });

  it('has the same files as payctl', () => {
    const packed = (path: string) => {
      const args = ['pack', '--dry-run', '--json', '--ignore-scripts', path];
      const env = { ...process.env, npm_config_cache: join(folder, 'npm-cache') };
      const { stdout, stderr } = spawnSync('npm', args, { cwd: folder, env, encoding: 'utf8' });
      const [found] = stdout === '' ? [] : JSON.parse(stdout);
      expect(found, stderr).toBeDefined();
      return found.files.map((file: { path: string; mode: number }) => `${file.path} ${file.mode}`);
    };
    expect(packed(join(modules, 'payctl-native'))).toEqual(packed(root));
  });

  it('leaves payctl itself without such dependencies, each of which is many megabytes', () => {
    const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(Object.keys(optionalDependencies)).toEqual(['@napi-rs/keyring']);
  });

  it('is installed where the registry has no executable, and runs the JavaScript', async () => {
    const project = join(folder, 'project');
    mkdirSync(project);
    writeFileSync(join(project, 'package.json'), '{"private":true}');
    const env = { ...process.env, npm_config_cache: join(folder, 'npm-cache') };
    const npm = (...args: string[]) => {
      const { status, stdout, stderr } = spawnSync('npm', args, { cwd: project, env, encoding: 'utf8' });
      expect(status, stdout + stderr).toBe(0);
    };
    npm('pack', '--ignore-scripts', '--pack-destination', folder, join(modules, 'payctl-native'));
    const [tarball = ''] = globSync('payctl-native-*.tgz', { cwd: folder });
    npm('install', '--offline', '--no-audit', '--no-fund', join(folder, tarball));
    expect(globSync('node_modules/*', { cwd: project })).toEqual(['node_modules/payctl-native']);
    const run = await home.shell(`${join(project, 'node_modules/.bin/payctl')} --version`);
    expect(run).toEqual(await home.payctl(['--version']));
  }, 60_000);
});

const cannot =
  !OWN_PLATFORM || process.platform === 'win32' ? 'no platform for it' : old ? undefined : 'no old Node';

describe.skipIf(cannot)(`payctl-native with an executable${cannot ? ` (${cannot})` : ''}`, () => {
  beforeAll(() => {
    if (!OWN_PLATFORM) return;
    const executable = join(folder, 'executable');
    writeFileSync(executable, '#!/bin/sh\necho "executable $*"\nexit 7\n');
    chmodSync(executable, 0o755);
    const place = join(modules, `payctl-${OWN_PLATFORM.name}`);
    writePlatformPackage(root, { platform: OWN_PLATFORM, executable, folder: place });
  });

  it('runs it on a Node that is too old for the JavaScript', async () => {
    const run = await home.payctl(['buyers', 'list'], { program, node: old ?? '' });
    expect(run).toMatchObject({ stdout: 'executable buyers list\n', stderr: '', code: 7 });
  });

  it('says why an executable does not start where there is no glibc', async () => {
    const executable = join(modules, `payctl-${OWN_PLATFORM?.name}`, 'bin/payctl');
    const before = readFileSync(executable);
    writeFileSync(executable, '#!/lib64/no-such-loader\n');
    onTestFinished(() => writeFileSync(executable, before));
    const run = await home.payctl(['--version'], { program, node: old ?? '' });
    expect(run).toMatchObject({ stdout: '', code: 1 });
    expect(run.stderr).toMatch(
      /^payctl needs Node 22\.20 or later; this is Node [\d.]+\. Its executable does not start here \(ENOENT\): on Linux it needs glibc\. Get one from https:\/\/nodejs\.org\n$/,
    );
  });

  it('runs the JavaScript on any other Node, which is faster than a second process', async () => {
    expect(await home.payctl(['--version'], { program })).toEqual(await home.payctl(['--version']));
  });
});
