import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PLATFORMS } from '../../scripts/package/platforms.ts';
import { executableSbom } from '../../scripts/package/sbom.ts';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

type Component = {
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly scope: string;
  readonly licenses: readonly unknown[];
  readonly hashes: readonly { readonly alg: string; readonly content: string }[];
};

const text = read('dist/sbom.cdx.json');
const { components, metadata, ...rest } = JSON.parse(text);
const listed: readonly Component[] = components;
const names = listed.map(({ name }) => name);

describe('the list of what is bundled', () => {
  it('names exactly the bundled packages and the keychain binding', () => {
    const licences = [
      ...`\n${'-'.repeat(78)}\n\n${read('dist/THIRD-PARTY-LICENCES.txt')}`.matchAll(
        /\n-{78}\n\n(\S+) (\S+) \(/g,
      ),
    ].map(([, name, version]) => `${name}@${version}`);
    const expected = [
      ...licences,
      `@napi-rs/keyring@${JSON.parse(read('package.json')).optionalDependencies['@napi-rs/keyring']}`,
    ];
    expect(listed.map(({ name, version }) => `${name}@${version}`).toSorted()).toEqual(expected.toSorted());
  });

  it('has the terms of each licence, in the section of the package or in the one that it names', () => {
    const sections = read('dist/THIRD-PARTY-LICENCES.txt').split(`\n\n${'-'.repeat(78)}\n\n`);
    const withTerms = sections.filter((section) => /\bAS IS\b|WITHOUT WARRANT/.test(section));
    const others = sections.filter((section) => !withTerms.includes(section));
    expect(others.length).toBeGreaterThan(20);
    for (const section of others) {
      const [, first] =
        /\n\nThe terms are, word for word, those of (\S+ \S+) above\.$/.exec(section.trim()) ?? [];
      expect(
        withTerms.some((other) => other.startsWith(`${first} (`)),
        section,
      ).toBe(true);
    }
  });

  it('names every package that the sources import, and no tool', () => {
    const imported = globSync('src/**/*.ts', { cwd: root }).flatMap((file) =>
      [...read(file).matchAll(/^import (?!type )[^;]*?from '((?:@[^/']+\/)?[^./'][^/']*)[^']*';/gm)].map(
        ([, name = '']) => name,
      ),
    );
    const packages = [...new Set(imported)].filter((name) => !name.startsWith('node:'));
    expect(packages).toContain('undici');
    expect(names).toEqual(expect.arrayContaining(packages));
    expect(names.filter((name) => /^(vitest|nock|rolldown|oclif|node-.*)$|biome|^@types/.test(name))).toEqual(
      [],
    );
  });

  it('has a version, an address, a licence and the checksum of the lock file for each', () => {
    const { packages } = JSON.parse(read('package-lock.json'));
    const locked = Object.entries<{ version?: string; integrity?: string }>(packages);
    const checksums = new Map(
      locked.map(([path, { version, integrity }]) => {
        const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
        return [`pkg:npm/${name.replace('@', '%40')}@${version}`, integrity];
      }),
    );
    const wrong = listed
      .filter(({ purl }) => purl.startsWith('pkg:npm/'))
      .filter(({ purl, licenses, hashes: [hash] }) => {
        const integrity = `sha512-${Buffer.from(hash?.content ?? '', 'hex').toString('base64')}`;
        return hash?.alg !== 'SHA-512' || integrity !== checksums.get(purl) || licenses.length !== 1;
      });
    expect(wrong).toEqual([]);
  });

  it('names the libraries that the WebAssembly of jq contains, with their notices', () => {
    const embedded = listed.filter(({ purl }) => !purl.startsWith('pkg:npm/'));
    expect(embedded.map(({ name, licenses }) => [name, licenses])).toEqual([
      ['decNumber', [{ license: { id: 'ICU' } }]],
      ['jq', [{ license: { id: 'MIT' } }]],
      ['oniguruma', [{ license: { id: 'BSD-2-Clause' } }]],
    ]);
    const notices = read('dist/THIRD-PARTY-LICENCES.txt');
    for (const name of ['jq', 'oniguruma', 'decNumber']) {
      expect(notices).toContain(`\n\n${read(`scripts/notices/${name}.txt`).trim()}\n`);
    }
    for (const holder of ['Stephen Dolan', 'David M. Gay', 'International Business Machines', 'K.Kosako']) {
      expect(notices).toContain(holder);
    }
    const { version } = JSON.parse(read('node_modules/jq-wasm/package.json'));
    expect(version).toMatch(new RegExp(`-jq-${embedded[1]?.version}$`));
  });

  it('calls optional what payctl can do without', () => {
    const optional = listed.filter(({ scope }) => scope !== 'required').map(({ name }) => name);
    expect(optional).toEqual(['@napi-rs/keyring']);
  });

  it('is of payctl, and the same for each build', () => {
    const { version } = JSON.parse(read('package.json'));
    expect(metadata).toEqual({
      component: {
        type: 'application',
        'bom-ref': `pkg:npm/payctl@${version}`,
        name: 'payctl',
        version,
        purl: `pkg:npm/payctl@${version}`,
        licenses: [{ license: { id: 'MIT' } }],
      },
    });
    expect(rest).toEqual({
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      version: 1,
      dependencies: [{ ref: `pkg:npm/payctl@${version}`, dependsOn: listed.map(({ purl }) => purl) }],
    });
  });
});

describe('the list of what an executable consists of', () => {
  type Bom = {
    readonly components: readonly (Component & {
      readonly 'bom-ref': string;
      readonly components?: readonly unknown[];
    })[];
    readonly dependencies: readonly { readonly dependsOn: readonly string[] }[];
  };
  const { packages } = JSON.parse(read('package-lock.json'));

  it.each(PLATFORMS)('adds Node and the binding of $name, with their checksums', (platform) => {
    const bom = executableSbom(root, platform) as Bom;
    const added = bom.components.slice(listed.length);
    expect(bom.components.slice(0, listed.length).map(({ purl }) => purl)).toEqual(
      listed.map(({ purl }) => purl),
    );
    const expected = [platform.node, platform.binding].map((key) => {
      const { name = key.slice('node_modules/'.length), version, integrity } = packages[key];
      return [`pkg:npm/${name.replace('@', '%40')}@${version}`, integrity];
    });
    expect(
      added.map(({ purl, hashes: [hash] }) => [
        purl,
        `sha512-${Buffer.from(hash?.content ?? '', 'hex').toString('base64')}`,
      ]),
    ).toEqual(expected);
  });

  it.each(PLATFORMS)('calls nothing in that of $name optional, and names nothing twice', (platform) => {
    const bom = executableSbom(root, platform) as Bom;
    const references = bom.components.map((component) => component['bom-ref']);
    expect(new Set(references).size).toBe(references.length);
    expect(bom.dependencies.map(({ dependsOn }) => dependsOn)).toEqual([references]);
    expect(new Set(bom.components.map(({ scope }) => scope))).toEqual(new Set(['required']));
  });

  it('names the libraries of Node where it is the one that builds', () => {
    for (const platform of PLATFORMS) {
      const bom = executableSbom(root, platform) as Bom;
      const node = bom.components.find(({ name }) => name.startsWith('node-'));
      const openssl = { name: 'openssl', version: process.versions.openssl };
      const isSame = packages[platform.node].version === process.versions.node;
      expect(node?.components).toEqual(
        isSame ? expect.arrayContaining([expect.objectContaining(openssl)]) : [],
      );
    }
  });
});
