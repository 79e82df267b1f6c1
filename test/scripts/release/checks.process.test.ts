import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeFormulae } from '../../../scripts/package/formulae.ts';
import { PLATFORMS } from '../../../scripts/package/platforms.ts';
import { bomProblem, CHECKS, compareVersions, type Finding } from '../../../scripts/release/checks.ts';
import { folderForTest } from '../../harness/temporary-folder.ts';

const project = join(import.meta.dirname, '../../..');

/** A repository that can be released as 1.2.3. */
function releasable(): string {
  const root = folderForTest();
  write(
    root,
    'package.json',
    JSON.stringify({ version: '1.2.3', license: 'MIT', description: 'D', repository: 'acme/payctl' }),
  );
  write(root, 'package-lock.json', '{"version":"1.2.3"}');
  write(
    root,
    'CHANGELOG.md',
    '# Changelog\n\n## Unreleased\n\n## 1.2.3 - 2026-11-24\n\n- A change.\n\n## 1.2.2 - 2026-01-01\n',
  );
  write(root, '.gitignore', 'out\ndist\n');
  cpSync(join(project, '.github/workflows/release.yml'), join(root, '.github/workflows/release.yml'));
  git(root, 'init', '-q');
  commit(root);
  git(root, 'tag', 'v1.2.2');
  write(root, 'notes.md', 'A change.\n');
  commit(root);
  return root;
}

function write(root: string, name: string, text: string): void {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), text);
}

function git(root: string, ...args: readonly string[]): void {
  const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false'];
  execFileSync('git', [...who, ...args], { cwd: root, stdio: 'pipe' });
}

function commit(root: string): void {
  git(root, 'add', '-A');
  git(root, 'commit', '-qm', 'Change');
}

async function check(root: string, name: string): Promise<Finding> {
  const found = await CHECKS[name]?.(root);
  if (!found) throw new Error(`there is no check ${name}`);
  return found;
}

const CHANGES: readonly [what: string, name: string, change: (root: string) => void, note: RegExp][] = [
  [
    'no repository',
    'repository',
    (root) => write(root, 'package.json', '{"version":"1.2.3"}'),
    /add "repository": "github:OWNER\/NAME"$/,
  ],
  [
    'no version',
    'version',
    (root) => write(root, 'package.json', '{"version":"1.2"}'),
    /no version such as 1\.2\.3$/,
  ],
  [
    'another version in the lock file',
    'version',
    (root) => write(root, 'package-lock.json', '{"version":"1.2.2"}'),
    /says 1\.2\.2/,
  ],
  [
    'a higher release',
    'version',
    (root) => git(root, 'tag', 'v1.10.0'),
    /not higher than the last release, 1\.10\.0/,
  ],
  [
    'unreleased changes',
    'changelog',
    (root) => write(root, 'CHANGELOG.md', '## Unreleased\n\n- New.\n\n## 1.2.3 - 2026-11-24\n'),
    /under "Unreleased"/,
  ],
  [
    'no date',
    'changelog',
    (root) => write(root, 'CHANGELOG.md', '## 1.2.3\n'),
    /no heading "## 1\.2\.3 - YYYY-MM-DD"$/,
  ],
  [
    'no such date',
    'changelog',
    (root) => write(root, 'CHANGELOG.md', '## 1.2.3 - 2026-13-24\n'),
    /no heading/,
  ],
  ['a changed file', 'tree', (root) => write(root, 'notes.md', ''), /^not committed: notes\.md$/],
  [
    'the tag on another commit',
    'tag',
    (root) => git(root, 'tag', 'v1.2.3', 'HEAD~1'),
    /another commit, [0-9a-f]{8}: choose/,
  ],
  [
    'a loose action',
    'workflow',
    (root) => changeWorkflow(root, 'actions/checkout@v5.0.0', 'actions/checkout@v5'),
    /checkout@v5 has no fixed/,
  ],
  [
    'no provenance',
    'workflow',
    (root) => changeWorkflow(root, ' --provenance', ''),
    /npm publish needs --provenance/,
  ],
  [
    'no attestation',
    'workflow',
    (root) => changeWorkflow(root, /actions\/attest-build-provenance@/g, 'actions/other@'),
    /not attested/,
  ],
];

function changeWorkflow(root: string, from: string | RegExp, to: string): void {
  const text = execFileSync('git', ['show', 'HEAD:.github/workflows/release.yml'], {
    cwd: root,
    encoding: 'utf8',
  });
  write(root, '.github/workflows/release.yml', text.replaceAll(from, to));
}

describe('what a release needs of the sources', () => {
  it('is there', async () => {
    const root = releasable();
    for (const name of ['repository', 'version', 'changelog', 'tree', 'tag', 'workflow'])
      expect(await check(root, name), name).toMatchObject({ outcome: 'pass' });
    expect(await check(root, 'version')).toEqual({ outcome: 'pass', note: '1.2.3, after 1.2.2' });
    git(root, 'tag', 'v1.2.3');
    expect(await check(root, 'tag')).toEqual({ outcome: 'pass', note: 'v1.2.3 is this commit' });
    expect(await check(root, 'version')).toMatchObject({ outcome: 'pass' });
  });

  it.each(CHANGES)('is refused with %s', async (_what, name, change, note) => {
    const root = releasable();
    change(root);
    expect(await check(root, name)).toEqual({ outcome: 'fail', note: expect.stringMatching(note) });
  });
});

describe('what a release needs of the build', () => {
  const skipped = ['checksums', 'formulae', 'reproducible'];

  it.each(skipped)('is skipped before one: %s', async (name) => {
    expect(await check(releasable(), name)).toEqual({
      outcome: 'skip',
      note: expect.stringContaining('npm run package'),
    });
  });

  /** The archives, as far as the checksums care. */
  function built(): string {
    const root = releasable();
    const names = PLATFORMS.map(
      ({ name, os }) => `payctl-1.2.3-${name}.${os === 'win32' ? 'zip' : 'tar.gz'}`,
    );
    for (const name of names) write(root, `out/release/${name}`, name);
    const sum = (text: string) => createHash('sha256').update(text).digest('hex');
    write(root, 'out/release/SHA256SUMS', names.map((name) => `${sum(name)}  ${name}\n`).join(''));
    writeFormulae(root, join(root, 'out/release'));
    return root;
  }

  it('has the checksum of each file, and formulae with the same', async () => {
    const root = built();
    expect(await check(root, 'checksums')).toEqual({ outcome: 'pass', note: 'of 6 files' });
    expect(await check(root, 'formulae')).toMatchObject({ outcome: 'pass' });
  });

  it('is refused where a file is another than that of its checksum, or has none', async () => {
    const root = built();
    write(root, 'out/release/payctl-1.2.3-linux-x64.tar.gz', 'changed');
    write(root, 'out/release/other.deb', '');
    const { outcome, note } = await check(root, 'checksums');
    expect({ outcome, note }).toEqual({
      outcome: 'fail',
      note: expect.stringMatching(/payctl-1\.2\.3-linux-x64\.tar\.gz.*npm run package/),
    });
    expect(note).toContain('other.deb');
  });

  it('is refused where a formula is of another build', async () => {
    const root = built();
    write(root, 'out/release/SHA256SUMS', 'a'.repeat(64).concat('  payctl-1.2.3-linux-x64.tar.gz\n'));
    expect(await check(root, 'formulae')).toMatchObject({ outcome: 'fail' });
  });

  it('has the licence text of everything that is bundled', async () => {
    const root = releasable();
    const components = ['a', 'b'].map((name) => ({ name, version: '1.0.0', scope: 'required' }));
    write(root, 'dist/sbom.cdx.json', JSON.stringify({ components }));
    write(
      root,
      'dist/THIRD-PARTY-LICENCES.txt',
      'a 1.0.0 (MIT)\n\nPermission is hereby granted\n\n-\n\nb 1.0.0 (MIT)\n\nText\n',
    );
    expect(await check(root, 'licences')).toMatchObject({ outcome: 'pass' });
    write(root, 'dist/THIRD-PARTY-LICENCES.txt', 'a 1.0.0 (MIT)\n\nText\n');
    expect((await check(root, 'licences')).note).toMatch(/^no licence text of b in /);
  });
});

describe('the check of an SBOM', () => {
  const part = { type: 'library', name: 'a', version: '1', purl: 'pkg:npm/a@1', 'bom-ref': 'pkg:npm/a@1' };
  const bom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    metadata: { component: { version: '1.2.3' } },
    components: [part],
    dependencies: [{ ref: 'payctl', dependsOn: ['pkg:npm/a@1'] }],
  };

  it.each([
    [bom, undefined],
    [{ ...bom, specVersion: '1.4' }, 'not CycloneDX 1.6'],
    [{ ...bom, metadata: { component: { version: '1.2.2' } } }, 'is about 1.2.2, not 1.2.3'],
    [{ ...bom, components: [{ ...part, purl: 'a' }] }, 'a lacks its type, version, reference or purl'],
    [{ ...bom, components: [part, part] }, 'two components have one reference'],
    [{ ...bom, components: [] }, 'depends on pkg:npm/a@1, which it does not list'],
  ])('finds what is wrong %#', (given, problem) => {
    expect(bomProblem(given, '1.2.3')).toBe(problem);
  });
});

it('orders versions as semver does', () => {
  const order = ['0.9.9', '0.10.0', '1.0.0-beta.2', '1.0.0-beta.11', '1.0.0-rc.1', '1.0.0', '1.0.1'];
  expect(order.toReversed().toSorted(compareVersions)).toEqual(order);
});
