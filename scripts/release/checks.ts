import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { MAINTAINER } from '../package/debian.ts';
import { buildExecutable } from '../package/executable.ts';
import { readSums, repositoryAddress } from '../package/formulae.ts';
import { LARGEST_PACKAGE, PACKAGED } from '../package/npm-contents.ts';
import { OWN_PLATFORM, PLATFORMS } from '../package/platforms.ts';

/** What a check found: `note` says what was seen or, where it failed or was skipped, what to do. */
export type Finding = { readonly outcome: 'pass' | 'fail' | 'skip'; readonly note: string };

export type Check = (root: string) => Finding | Promise<Finding>;

/** Everything that a release needs, in the order in which a person would do it. */
export const CHECKS: Readonly<Record<string, Check>> = {
  repository,
  maintainer,
  version,
  changelog,
  tree,
  tag,
  workflow,
  licences,
  sbom,
  package: packageContents,
  checksums,
  formulae,
  reproducible,
};

/** Archives of all platforms, which one machine cannot test but can build. */
const BUILD = 'npm run package -- all';

/** Files of a release that are made from SHA256SUMS. */
const FROM_SUMS = ['SHA256SUMS', 'payctl.rb', 'payctl.json'];

function repository(root: string): Finding {
  const address = repositoryAddress(manifestOf(root).repository);
  if (address !== undefined) return pass(address);
  return fail(
    'package.json names no repository on GitHub, which provenance is checked against; add "repository": "github:OWNER/NAME"',
  );
}

function maintainer(): Finding {
  if (!MAINTAINER.includes('.invalid')) return pass(MAINTAINER);
  return fail(
    `the .deb would name a placeholder, ${MAINTAINER}; set MAINTAINER in scripts/package/debian.ts to 'NAME <ADDRESS>'`,
  );
}

function version(root: string): Finding {
  const own = versionOf(root);
  if (!SEMVER.test(own)) return fail(`"${own}" in package.json is no version such as 1.2.3`);
  const { version: locked } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  if (locked !== own)
    return fail(`package-lock.json says ${locked}: npm version --no-git-tag-version ${own}`);
  const [last] = git(root, 'tag', '--list', 'v*')
    .split('\n')
    .map((tag) => tag.slice(1))
    .filter((known) => SEMVER.test(known) && known !== own)
    .sort((a, b) => compareVersions(b, a));
  if (last === undefined) return pass(`${own}, the first`);
  if (compareVersions(own, last) > 0) return pass(`${own}, after ${last}`);
  return fail(`${own} is not higher than the last release, ${last}: npm version --no-git-tag-version NEXT`);
}

function changelog(root: string): Finding {
  const own = versionOf(root);
  const sections = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split(/^## /m).slice(1);
  const unreleased = sections.find((section) => section.startsWith('Unreleased'));
  const heading = sections.find((section) => section.split(/\s/, 1)[0] === own)?.split('\n', 1)[0] ?? '';
  const isEmpty = unreleased === undefined || unreleased.replace('Unreleased', '').trim() === '';
  if (!isEmpty)
    return fail(`CHANGELOG.md has changes under "Unreleased"; rename it to "## ${own} - YYYY-MM-DD"`);
  const [, date = ''] = / - (\d{4}-\d\d-\d\d)$/.exec(heading) ?? [];
  if (Number.isNaN(Date.parse(date))) return fail(`CHANGELOG.md has no heading "## ${own} - YYYY-MM-DD"`);
  return pass(`${own} of ${date}`);
}

function tree(root: string): Finding {
  if (git(root, 'rev-parse', 'HEAD') === '') return fail('there is no commit here');
  const changed = git(root, 'status', '--porcelain').split('\n').filter(Boolean);
  if (changed.length === 0) return pass('everything is committed');
  return fail(`not committed: ${changed.map((line) => line.slice(3)).join(', ')}`);
}

function tag(root: string): Finding {
  const name = `v${versionOf(root)}`;
  const tagged = git(root, 'rev-list', '--max-count=1', `refs/tags/${name}`, '--');
  if (tagged === '') return pass(`there is no ${name} yet; when all else passes: git tag ${name}`);
  if (tagged === git(root, 'rev-parse', 'HEAD')) return pass(`${name} is this commit`);
  return fail(`${name} is another commit, ${tagged.slice(0, 8)}: choose the next version`);
}

type Job = {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
};

/** Whether what is published is signed with where it comes from, by actions of fixed versions. */
function workflow(root: string): Finding {
  const text = readFileSync(join(root, '.github', 'workflows', 'release.yml'), 'utf8');
  const { jobs }: { jobs: Readonly<Record<string, Job>> } = parse(text);
  const all = Object.values(jobs);
  const loose = all
    .flatMap(({ steps }) => steps.flatMap(({ uses }) => uses ?? []))
    .filter((action) => !/@(v\d+\.\d+\.\d+|[0-9a-f]{40})$/.test(action));
  const publishing = all.filter(({ steps }) => steps.some(({ run }) => run?.startsWith('npm publish')));
  const unsigned = publishing.filter(
    ({ permissions, steps }) =>
      permissions?.['id-token'] !== 'write' ||
      steps.some(({ run }) => run?.startsWith('npm publish') && !run.includes(' --provenance ')),
  );
  const files = all.find(({ steps }) => steps.some(({ run }) => run?.startsWith('gh release create')));
  const attests = files?.steps.some(({ uses }) => uses?.startsWith('actions/attest-build-provenance@'));
  const problems = [
    ...loose.map((action) => `${action} has no fixed version`),
    ...(publishing.length === 0 ? ['nothing is published'] : []),
    ...(unsigned.length > 0 ? ['npm publish needs --provenance and id-token: write'] : []),
    ...(attests ? [] : ['the files of the release are not attested']),
  ];
  if (problems.length > 0) return fail(`.github/workflows/release.yml: ${problems.join('; ')}`);
  return pass('signs what it publishes, with actions of fixed versions');
}

type Component = {
  readonly type?: string;
  readonly name?: string;
  readonly version?: string;
  readonly purl?: string;
  readonly 'bom-ref'?: string;
  readonly scope?: string;
  readonly licenses?: readonly unknown[];
};
type Bom = {
  readonly bomFormat?: string;
  readonly specVersion?: string;
  readonly metadata?: { readonly component?: Component };
  readonly components?: readonly Component[];
  readonly dependencies?: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
};

function licences(root: string): Finding {
  const files = ['sbom.cdx.json', 'THIRD-PARTY-LICENCES.txt'].map((name) => join(root, 'dist', name));
  const [bom = '', texts = ''] = files;
  if (!files.every(existsSync)) return fail('there is no build: npm run build');
  const text = readFileSync(texts, 'utf8');
  const { components = [] }: Bom = JSON.parse(readFileSync(bom, 'utf8'));
  const bundled = components.filter(({ scope }) => scope === 'required');
  const missing = bundled.filter(({ name, version: of }) => !text.includes(`${name} ${of} (`));
  if (missing.length > 0)
    return fail(
      `no licence text of ${missing.map(({ name }) => name).join(', ')} in dist/THIRD-PARTY-LICENCES.txt`,
    );
  return pass(`of ${bundled.length} packages and libraries`);
}

/** By the rules of CycloneDX 1.6 that matter for what payctl writes. */
function sbom(root: string): Finding {
  const files = [
    join(root, 'dist', 'sbom.cdx.json'),
    ...globSync('*.cdx.json', { cwd: join(root, 'out', 'release') }).map((name) =>
      join(root, 'out', 'release', name),
    ),
  ];
  if (!existsSync(files[0] ?? '')) return fail('there is no build: npm run build');
  const problems = files.flatMap((file) => {
    const problem = bomProblem(JSON.parse(readFileSync(file, 'utf8')), versionOf(root));
    return problem === undefined ? [] : [`${file.slice(root.length + 1)}: ${problem}`];
  });
  return problems.length > 0 ? fail(problems.join('; ')) : pass(`${files.length} in CycloneDX 1.6`);
}

/** What is wrong with an SBOM of a version of payctl. */
export function bomProblem(bom: Bom, own: string): string | undefined {
  if (bom.bomFormat !== 'CycloneDX' || bom.specVersion !== '1.6') return 'not CycloneDX 1.6';
  if (bom.metadata?.component?.version !== own)
    return `is about ${bom.metadata?.component?.version}, not ${own}`;
  const components = bom.components ?? [];
  const faulty = components.find(
    ({ type, name, version: of, purl, 'bom-ref': ref }) =>
      !type || !name || !of || !ref || !/^pkg:[a-z]+\/.+@/.test(purl ?? ''),
  );
  if (faulty) return `${faulty.name ?? 'a component'} lacks its type, version, reference or purl`;
  const refs = new Set(components.map((part) => part['bom-ref']));
  if (refs.size !== components.length) return 'two components have one reference';
  const unknown = bom.dependencies?.flatMap(({ dependsOn = [] }) => dependsOn).find((ref) => !refs.has(ref));
  return unknown && `depends on ${unknown}, which it does not list`;
}

type Packed = { readonly unpackedSize: number; readonly files: readonly { readonly path: string }[] };

function packageContents(root: string): Finding {
  if (!existsSync(join(root, 'dist', 'main.cjs'))) return fail('there is no build: npm run build');
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const { stdout, stderr } = spawnSync('npm', args, {
    cwd: root,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (stdout === '') return fail(`npm pack: ${stderr.trim()}`);
  const [packed] = Object.values<Packed>(JSON.parse(stdout));
  const { unpackedSize = 0, files = [] } = packed ?? {};
  const strangers = files.map(({ path }) => path).filter((path) => !PACKAGED.test(path));
  const megabytes = `${(unpackedSize / 1e6).toFixed(2)} MB in ${files.length} files`;
  if (strangers.length > 0) return fail(`holds what nobody needs: ${strangers.join(', ')}`);
  if (unpackedSize > LARGEST_PACKAGE)
    return fail(`${megabytes}, more than scripts/package/npm-contents.ts allows`);
  return pass(megabytes);
}

function checksums(root: string): Finding {
  const folder = join(root, 'out', 'release');
  const missing = PLATFORMS.filter(({ name }) => !existsSync(archiveOf(root, name)));
  if (missing.length > 0)
    return skip(`out/release lacks ${missing.map(({ name }) => name).join(', ')}: ${BUILD}`);
  const sums = readSums(readFileSync(join(folder, 'SHA256SUMS'), 'utf8'));
  const names = globSync('*', { cwd: folder }).filter((name) => !FROM_SUMS.includes(name));
  const wrong = [...new Set([...names, ...sums.keys()])].filter(
    (name) => !names.includes(name) || sums.get(name) !== sha256(join(folder, name)),
  );
  if (wrong.length > 0) return fail(`SHA256SUMS does not fit ${wrong.join(', ')}: ${BUILD}`);
  return pass(`of ${names.length} files`);
}

function formulae(root: string): Finding {
  const file = (name: string) => join(root, 'out', 'release', name);
  if (!existsSync(file('SHA256SUMS'))) return skip(`nothing is built: ${BUILD}`);
  if (!existsSync(file('payctl.rb')) || !existsSync(file('payctl.json')))
    return skip(`they need the repository and the archives of all platforms: ${BUILD}`);
  const sums = readSums(readFileSync(file('SHA256SUMS'), 'utf8'));
  const text = readFileSync(file('payctl.rb'), 'utf8') + readFileSync(file('payctl.json'), 'utf8');
  const named = [...text.matchAll(/\/v([^/"]+)\/(payctl-[^/"$]+)",?\s+(?:sha256|"hash":) "([^"]*)"/g)];
  const wrong = named.filter(([, of, name = '', sum]) => of !== versionOf(root) || sums.get(name) !== sum);
  if (named.length !== PLATFORMS.length || wrong.length > 0)
    return fail(`they do not fit SHA256SUMS: ${BUILD}`);
  return pass('payctl.rb for Homebrew and payctl.json for Scoop');
}

/** Builds the executable of this platform again. */
async function reproducible(root: string): Promise<Finding> {
  const built = OWN_PLATFORM && join(root, 'out', 'executables', OWN_PLATFORM.name, OWN_PLATFORM.program);
  if (!OWN_PLATFORM || !built || !existsSync(built)) return skip('there is no executable: npm run package');
  const folder = mkdtempSync(join(tmpdir(), 'payctl-release-'));
  try {
    const { file } = await buildExecutable(root, OWN_PLATFORM, folder);
    if (sha256(file) === sha256(built)) return pass(`${OWN_PLATFORM.name}, built twice`);
    return fail(`two builds of ${OWN_PLATFORM.name} differ, or out/ is of another commit: npm run package`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const SEMVER = /^(\d+)\.(\d+)\.(\d+)(?:-([\w.-]+))?$/;

/** Negative if the first is lower. A version with a suffix comes before that without. */
export function compareVersions(first: string, second: string): number {
  const parts = (text: string) => SEMVER.exec(text)?.slice(1, 4).map(Number) ?? [];
  const [a, b] = [parts(first), parts(second)];
  const different = a.findIndex((part, index) => part !== b[index]);
  if (different !== -1) return (a[different] ?? 0) - (b[different] ?? 0);
  const [before, after] = [first, second].map((text) => SEMVER.exec(text)?.[4]);
  if (before === undefined || after === undefined)
    return Number(before === undefined) - Number(after === undefined);
  return before.localeCompare(after, 'en', { numeric: true });
}

function archiveOf(root: string, platform: string): string {
  const ending = platform.startsWith('win32') ? 'zip' : 'tar.gz';
  return join(root, 'out', 'release', `payctl-${versionOf(root)}-${platform}.${ending}`);
}

function versionOf(root: string): string {
  return String(manifestOf(root).version);
}

function manifestOf(root: string): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
}

/** What git prints, without the line break at its end; nothing where it fails. */
function git(root: string, ...args: readonly string[]): string {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trimEnd() : '';
}

function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

function pass(note: string): Finding {
  return { outcome: 'pass', note };
}

function fail(note: string): Finding {
  return { outcome: 'fail', note };
}

function skip(note: string): Finding {
  return { outcome: 'skip', note };
}
