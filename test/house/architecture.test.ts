import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const sources = globSync('src/**/*.ts', { cwd: root }).sort();

type Import = { readonly from: string; readonly target: string };

/** Every import of a file, static or dynamic; ours as a path below the project, others by name. */
function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8');
  const specifiers = [...text.matchAll(/\b(?:from |import |import\()\s*'([^'\n]+)'/g)].map(
    (match) => match[1] ?? '',
  );
  return specifiers.map((specifier) => ({
    from: file,
    target: specifier.startsWith('.') ? relative(root, join(root, dirname(file), specifier)) : specifier,
  }));
}

const imports = sources.flatMap(importsOf);
const show = ({ from, target }: Import) => `${from} -> ${target}`;
const room = (file: string) => file.split('/')[1] ?? '';

/** Which rooms of the house each room may know; a path stands for that one file. */
const MAY_KNOW: Readonly<Record<string, readonly string[]>> = {
  'main.ts': ['cli'],
  commands: ['cli', 'client', 'auth', 'config', 'output', 'contract'],
  cli: ['client', 'auth', 'config', 'output', 'contract', 'json'],
  client: ['contract', 'json'],
  output: ['json'],
  json: [],
  auth: ['src/client/errors.ts'],
  config: ['src/client/errors.ts'],
  emulator: ['contract', 'auth', 'src/client/errors.ts'],
  contract: [],
};

/** The only ways into the emulator: its own commands and the built-in profile. */
const EMULATOR_DOORS = /^src\/(commands\/emulator\/[a-z-]+|cli\/emulator-profile)\.ts$/;

/** Where each package may be imported. */
const PACKAGE_HOMES: Readonly<Record<string, RegExp>> = {
  ajv: /^src\/contract\/body-faults\.ts$/,
  undici: /^src\/client\/transport\.ts$/,
  jose: /^src\/auth\//,
  chalk: /^src\/output\/color\.ts$/,
  'cli-table3': /^src\/output\/aligned-table\.ts$/,
  'jq-wasm': /^src\/output\/jq\.ts$/,
  yaml: /^src\/output\//,
  '@napi-rs/keyring': /^src\/config\/keychain\.ts$/,
  conf: /^src\/config\/profile-conf\.ts$/,
  'env-paths': /^src\/config\/directories\.ts$/,
  '@oclif/core': /^src\/(cli|commands)\//,
};

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

describe('the house', () => {
  it('has only arrows that its plan allows', () => {
    const forbidden = imports.filter(({ from, target }) => {
      if (!target.startsWith('src/')) return false;
      if (room(from) === room(target)) return false;
      if (room(target) === 'emulator') return !EMULATOR_DOORS.test(from);
      const allowed = MAY_KNOW[room(from)];
      return !allowed?.some((known) => known === room(target) || known === target);
    });
    expect(forbidden.map(show)).toEqual([]);
  });

  it('has no command that imports another', () => {
    const forbidden = imports.filter(
      ({ from, target }) => room(from) === 'commands' && target.startsWith('src/commands/'),
    );
    expect(forbidden.map(show)).toEqual([]);
  });

  it('reaches each package from its one place', () => {
    const strangers = imports.filter(({ from, target }) => {
      if (target.startsWith('src/') || target.startsWith('node:')) return false;
      if (from === 'src/main.ts' && target === 'package.json') return false;
      return !PACKAGE_HOMES[packageOf(target)]?.test(from);
    });
    expect(strangers.map(show)).toEqual([]);
  });

  it('uses every package that it has a place for', () => {
    const used = new Set(imports.map(({ target }) => packageOf(target)));
    expect(Object.keys(PACKAGE_HOMES).filter((name) => !used.has(name))).toEqual([]);
  });

  it('imports the bare @oclif/core for types alone', () => {
    const bare = sources.filter((file) =>
      /^import (?!type ).*from '@oclif\/core'/m.test(readFileSync(join(root, file), 'utf8')),
    );
    expect(bare).toEqual([]);
  });

  it.each([
    ['process.env', /\bprocess\.env\b/, /^src\/config\//],
    ['process.exit()', /\bprocess\.exit\(/, /^$/],
    ['console', /\bconsole\.\w/, /^$/],
  ])('keeps %s to its place', (_, pattern, home) => {
    const strangers = sources.filter((file) => {
      const code = readFileSync(join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
      return pattern.test(code) && !home.test(file);
    });
    expect(strangers).toEqual([]);
  });

  it('has no room for leftovers and no barrel', () => {
    const banned = sources.filter((file) =>
      /\/(lib|utils?|helpers?|common|services?)(\/|\.ts$)|\/index\.ts$/.test(file),
    );
    expect(banned).toEqual([]);
  });
});
