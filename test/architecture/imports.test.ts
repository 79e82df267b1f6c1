import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

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
const ours = imports.filter(({ target }) => target.startsWith('src/'));
const show = ({ from, target }: Import) => `${from} -> ${target}`;

/** The layer of a file: its first folder below src, or its own name. */
const layer = (file: string) => file.split('/')[1] ?? '';
/** The feature of a file in src/features. */
const feature = (file: string) => file.split('/')[2] ?? '';

/** Libraries: they know no commands, no features and nothing of the frame of a command. */
const LIBRARIES: Readonly<Record<string, readonly string[]>> = {
  'errors.ts': [],
  'program-files.ts': [],
  'signals.ts': ['errors.ts'],
  text: ['errors.ts'],
  json: [],
  files: ['errors.ts', 'signals.ts', 'text'],
  schemas: ['text', 'json'],
  contract: ['json'],
  // Descriptions know the types of columns.
  descriptions: ['errors.ts', 'text', 'json', 'schemas', 'files', 'contract', 'output'],
  // Settings know the names of the formats, and the default merchant header.
  config: ['errors.ts', 'text', 'json', 'files', 'output', 'contract'],
  tokens: ['errors.ts', 'text', 'json', 'contract'],
  credentials: ['errors.ts', 'signals.ts', 'text', 'files', 'config', 'tokens'],
  client: ['errors.ts', 'signals.ts', 'text', 'json', 'schemas', 'contract', 'descriptions'],
  output: ['errors.ts', 'program-files.ts', 'text', 'json'],
  webhooks: ['errors.ts', 'text', 'json', 'files', 'client'],
};
const libraries = Object.keys(LIBRARIES);

/** Which layers each layer may import, itself aside. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  ...LIBRARIES,
  cli: libraries,
  features: ['cli', ...libraries],
  commands: ['features', 'cli', ...libraries],
  'main.ts': ['cli', 'features', 'output', 'signals.ts'],
  'help.ts': ['cli', 'config', 'features', 'output'],
  'complete.ts': ['cli', 'config', 'features', 'output'],
  'profile-name.ts': ['config', 'output'],
  // These take the built program as it is; they import none of it.
  executable: ['main.ts', 'help.ts', 'complete.ts', 'profile-name.ts', 'config', 'files', 'start'],
  start: ['main.ts', 'files'],
  emulator: [
    'errors.ts',
    'text',
    'json',
    'files',
    'contract',
    'tokens',
    'schemas',
    'descriptions',
    'webhooks',
  ],
};

/** The only importers of the emulator: its own commands and the built-in profile. */
const EMULATOR_IMPORTERS = /^src\/(commands\/emulator\/[a-z/-]+|cli\/session\/emulator-profile)\.ts$/;

/** Where each package may be imported. */
const PACKAGE_PLACES: Readonly<Record<string, RegExp>> = {
  undici: /^src\/client\/(transport|network\/(connect|recover|tunnel))\.ts$/,
  jose: /^src\/tokens\//,
  chalk: /^src\/output\/terminal\.ts$/,
  'cli-table3': /^src\/output\/formats\/table\.ts$/,
  '@scalar/openapi-upgrader': /^src\/descriptions\/swagger\.ts$/,
  'js-yaml': /^src\/descriptions\/quick-yaml\.ts$/,
  yaml: /^src\/descriptions\/yaml\.ts$/,
  'jq-wasm': /^src\/output\/formats\/jq-engine\.ts$/,
  hyparquet: /^src\/output\/parts\/parquet/,
  'hyparquet-writer': /^src\/output\/parts\/parquet/,
  '@napi-rs/keyring': /^src\/credentials\/keychain\.ts$/,
  '@cfworker/json-schema': /^src\/schemas\/validator\.ts$/,
  conf: /^src\/config\/profile-writer\.ts$/,
  '@oclif/core': /^src\/(cli|commands|features)\//,
};

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** Groups of files that import each other, directly or by way of others; types and dynamic imports count. */
function cycles(): string[][] {
  const targets = Map.groupBy(ours, ({ from }) => from);
  const reachable = new Map(sources.map((file) => [file, reachableFrom(file, targets)]));
  const reaches = (from: string, to: string) => reachable.get(from)?.has(to) === true;
  const groups = sources
    .filter((file) => reaches(file, file))
    .map((file) => sources.filter((other) => reaches(file, other) && reaches(other, file)).join(' <-> '));
  return [...new Set(groups)].map((group) => group.split(' <-> '));
}

function reachableFrom(start: string, targets: ReadonlyMap<string, readonly Import[]>): Set<string> {
  const found = new Set<string>();
  const waiting = [start];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    for (const { target } of targets.get(file) ?? []) {
      if (!found.has(target)) waiting.push(target);
      found.add(target);
    }
  }
  return found;
}

describe('the sources', () => {
  it('import only what the layer of each file may know', () => {
    const violations = ours.filter(({ from, target }) => {
      if (layer(from) === layer(target)) return false;
      if (layer(target) === 'emulator') return !EMULATOR_IMPORTERS.test(from);
      return !MAY_IMPORT[layer(from)]?.includes(layer(target));
    });
    expect(violations.map(show)).toEqual([]);
  });

  it('have a rule for every layer, and a layer for every rule', () => {
    expect(Object.keys(MAY_IMPORT).toSorted()).toEqual([...new Set(sources.map(layer))].toSorted());
  });

  it('have no command that imports another, and no feature that imports another', () => {
    const violations = ours.filter(({ from, target }) => {
      if (layer(from) !== layer(target)) return false;
      return layer(from) === 'commands' || (layer(from) === 'features' && feature(from) !== feature(target));
    });
    expect(violations.map(show)).toEqual([]);
  });

  it('have no cycle of imports between files, types included', { tags: 'slow' }, () => {
    expect(cycles()).toEqual([]);
  });

  it('import each package in its one place', () => {
    const violations = imports.filter(({ from, target }) => {
      if (target.startsWith('src/') || target.startsWith('node:')) return false;
      if (from === 'src/main.ts' && target === 'package.json') return false;
      return !PACKAGE_PLACES[packageOf(target)]?.test(from);
    });
    expect(violations.map(show)).toEqual([]);
  });

  it('use every package that has a place', () => {
    const used = new Set(imports.map(({ target }) => packageOf(target)));
    expect(Object.keys(PACKAGE_PLACES).filter((name) => !used.has(name))).toEqual([]);
  });

  it('import no package that is not updated with those of the releases', () => {
    const { updates } = parse(readFileSync(join(root, '.github/dependabot.yml'), 'utf8'));
    const { bundled, installed } = updates[0].groups;
    expect([...bundled.patterns, ...installed.patterns].toSorted()).toEqual(
      Object.keys(PACKAGE_PLACES).toSorted(),
    );
  });

  it('import the bare @oclif/core for types alone', () => {
    const bare = sources.filter((file) =>
      /^import (?!type ).*from '@oclif\/core'/m.test(readFileSync(join(root, file), 'utf8')),
    );
    expect(bare).toEqual([]);
  });

  it.each([
    [
      'process.env',
      /\bprocess\.env\b/,
      /^src\/(config\/|files\/private-files\.ts$|executable\/start\.ts$|start\/code-folder\.ts$|text\/shell\.ts$)/,
    ],
    // Once everything is written: nothing in `src/main.ts` can be cut off by it.
    ['process.exit()', /\bprocess\.exit\(/, /^src\/main\.ts$/],
    // A new file of the program has to be in the executable, too, and looked for through program-files.ts.
    [
      'import.meta',
      /\bimport\.meta\b/,
      /^src\/(main|help|complete|start\/start|cli\/routing\/route|output\/formats\/jq-runner)\.ts$/,
    ],
    ['console', /\bconsole\.\w/, /^src\/output\/formats\/jq-(runner|worker)\.ts$/],
  ])('keep %s to its place', (_, pattern, home) => {
    const violations = sources.filter((file) => {
      const code = readFileSync(join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
      return pattern.test(code) && !home.test(file);
    });
    expect(violations).toEqual([]);
  });

  it('have no folder for leftovers and no barrel', () => {
    const banned = sources.filter((file) =>
      /\/(lib|utils?|helpers?|common|services?)(\/|\.ts$)|\/index\.ts$/.test(file),
    );
    expect(banned).toEqual([]);
  });
});
