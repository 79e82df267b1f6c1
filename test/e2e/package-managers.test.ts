import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { versionOf } from '../harness/old-node.ts';
import { folderForAll } from '../harness/temporary-folder.ts';

const root = join(import.meta.dirname, '../..');
const { platform, arch } = process;
const lowest = join(root, `test/runtimes/lowest/node_modules/node-${platform}-${arch}/bin`);
const folder = folderForAll();
const tools = join(folder, 'tools');
const env = {
  ...process.env,
  HOME: join(folder, 'home'),
  PNPM_HOME: join(folder, 'pnpm'),
  npm_config_cache: join(folder, 'npm-cache'),
  YARN_CACHE_FOLDER: join(folder, 'yarn-cache'),
  YARN_ENABLE_TELEMETRY: '0',
  YARN_ENABLE_SCRIPTS: 'false',
  YARN_ENABLE_GLOBAL_CACHE: 'false',
  npm_config_ignore_scripts: 'true',
};

function run(line: string, { cwd = folder, path = [] as readonly string[] } = {}) {
  mkdirSync(cwd, { recursive: true });
  const PATH = [...path, process.env.PATH].join(delimiter);
  const ran = spawnSync('sh', ['-c', line], {
    cwd,
    env: { ...env, PATH },
    encoding: 'utf8',
    timeout: 120_000,
  });
  return { stdout: ran.stdout, stderr: ran.stderr, code: ran.status };
}

/** Why the tests are skipped; nothing where the registry gave the tools. */
function missing(): string | undefined {
  if (process.env.PAYCTL_LONG_TESTS !== '1') return 'without PAYCTL_LONG_TESTS';
  if (platform === 'win32') return 'no sh';
  const { code } = run(`npm install --prefix "${tools}" --no-audit --no-fund pnpm yarn@1 @yarnpkg/cli-dist`);
  return code === 0 ? undefined : 'no registry';
}

const reason = missing();
if (!reason) run(`npm pack --pack-destination "${folder}" "${root}"`);
const [tarball = ''] = globSync('payctl-*.tgz', { cwd: folder });
const tgz = join(folder, tarball);
const pnpm = `node "${tools}/node_modules/pnpm/bin/pnpm.mjs"`;
const yarn = `node "${tools}/node_modules/yarn/bin/yarn.js"`;
const berry = `node "${tools}/node_modules/@yarnpkg/cli-dist/bin/yarn.js"`;
const berryProject = (linker: string) =>
  `echo 'nodeLinker: ${linker}' > .yarnrc.yml && touch yarn.lock && ${berry} add "payctl@file:${tgz}"`;

/** How people install payctl, and how they call it then, in a folder of its own. */
const WAYS: readonly [name: string, install: string, payctl: string][] = [
  ['npm, in a project', `npm install "${tgz}"`, 'node_modules/.bin/payctl'],
  ['npm, without optional dependencies', `npm install --omit=optional "${tgz}"`, 'node_modules/.bin/payctl'],
  ['npm, globally', `npm install --global --prefix "$PWD/global" "${tgz}"`, 'global/bin/payctl'],
  ['npx', 'true', `npx --yes --package="${tgz}" -- payctl`],
  ['npm exec', 'true', `npm exec --yes --package="${tgz}" -- payctl`],
  ['pnpm, in a project', `${pnpm} add --ignore-scripts "${tgz}"`, 'node_modules/.bin/payctl'],
  ['pnpm exec', `${pnpm} add --ignore-scripts "${tgz}"`, `${pnpm} exec payctl`],
  ['pnpm, globally', `${pnpm} add --global --ignore-scripts "${tgz}"`, '"$PNPM_HOME/bin/payctl"'],
  ['yarn 1, in a project', `${yarn} add --ignore-scripts "file:${tgz}"`, 'node_modules/.bin/payctl'],
  [
    'yarn 1, globally',
    `${yarn} global add --ignore-scripts --global-folder "$PWD/g" --prefix "$PWD/p" "file:${tgz}"`,
    'p/bin/payctl',
  ],
  ['yarn, with node_modules', berryProject('node-modules'), `${berry} payctl`],
  ['yarn, with Plug and Play', berryProject('pnp'), `${berry} payctl`],
];

const nodes: readonly [name: string, path: readonly string[], version: string][] = [
  ['the newest Node', [dirname(process.execPath)], process.version],
  ['the lowest Node', [lowest], versionOf(join(lowest, 'node'))],
];

describe.skipIf(reason).each(WAYS)(
  `installed by %s${reason ? ` (${reason})` : ''}`,
  (name, install, payctl) => {
    const cwd = join(folder, name.replaceAll(/\W+/g, '-'));
    const onPath = [join(folder, 'pnpm/bin')];

    it('runs on every Node that payctl supports, with scripts disabled', { timeout: 300_000 }, () => {
      mkdirSync(cwd);
      writeFileSync(
        join(cwd, 'package.json'),
        '{"private":true,"name":"p","version":"1.0.0","license":"MIT"}',
      );
      const installed = run(install, { cwd, path: [dirname(process.execPath), ...onPath] });
      expect(installed, install).toMatchObject({ code: 0 });
      for (const [, path, version] of nodes) {
        // What the tools themselves print is not payctl's.
        const said = run(`${payctl} --version`, { cwd, path });
        expect(said.stdout).toMatch(new RegExp(`^payctl/\\S+ \\S+ node-${version}$`, 'm'));
        const list = run(`${payctl} buyers list --profile emulator --limit 1 -o json --jq .limit`, {
          cwd,
          path,
        });
        expect(list.stdout).toMatch(/^1$/m);
        expect(list.code).toBe(0);
        expect(run(`${payctl} buyers lst`, { cwd, path }).code).not.toBe(0);
        expect(run(`${payctl} help --json`, { cwd, path }).stdout).toContain('"program":"payctl"');
      }
    });
  },
);
