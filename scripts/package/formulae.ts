import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the formulae say about a release. */
export type Release = {
  readonly version: string;
  readonly description: string;
  readonly license: string;
  /** The address of the repository, without a slash at its end. */
  readonly repository: string;
  /** The checksum of each file of the release, by its name. */
  readonly sums: ReadonlyMap<string, string>;
};

/**
 * Writes payctl.rb for Homebrew and payctl.json for Scoop into a folder with the archives of all platforms and SHA256SUMS.
 * @throws Error if package.json names no repository, or an archive is missing
 */
export function writeFormulae(root: string, folder: string): void {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const repository = repositoryAddress(manifest.repository);
  if (repository === undefined) throw new Error('package.json names no repository on GitHub');
  const sums = readSums(readFileSync(join(folder, 'SHA256SUMS'), 'utf8'));
  const release = { ...manifest, repository, sums };
  writeFileSync(join(folder, 'payctl.rb'), homebrewFormula(release));
  writeFileSync(join(folder, 'payctl.json'), `${JSON.stringify(scoopManifest(release), null, 2)}\n`);
}

/** The checksums that a file in the format of `sha256sum` lists, by the names of the files. */
export function readSums(text: string): ReadonlyMap<string, string> {
  return new Map(
    [...text.matchAll(/^([0-9a-f]{64}) [ *](.+)$/gm)].map(([, sum = '', name = '']) => [name, sum]),
  );
}

/** The address that `repository` of a package.json means: `https://github.com/OWNER/NAME`; undefined where that is not on GitHub. */
export function repositoryAddress(repository: unknown): string | undefined {
  const isObject = typeof repository === 'object' && repository !== null;
  const url = isObject && 'url' in repository ? repository.url : repository;
  const found =
    /^(?:(?:git\+)?(?:https:\/\/|ssh:\/\/git@|git@)github\.com[/:]|github:)?([\w.-]+\/[\w.-]+?)(?:\.git)?$/.exec(
      typeof url === 'string' ? url : '',
    );
  return found ? `https://github.com/${found[1]}` : undefined;
}

/** The formula of Homebrew. Its Linux is that of the executables: glibc. */
export function homebrewFormula(release: Release): string {
  const archive = (platform: string) => {
    const { url, sum } = download(release, `payctl-${release.version}-${platform}.tar.gz`);
    return `      url "${url}"\n      sha256 "${sum}"`;
  };
  return `class Payctl < Formula
  desc "${shortDescription(release.description)}"
  homepage "${release.repository}"
  version "${release.version}"
  license "${release.license}"

  on_macos do
    on_arm do
${archive('darwin-arm64')}
    end
    on_intel do
${archive('darwin-x64')}
    end
  end

  on_linux do
    on_arm do
${archive('linux-arm64')}
    end
    on_intel do
${archive('linux-x64')}
    end
  end

  def install
    bin.install "payctl"
    man1.install Dir["man/man1/*"]
    man7.install Dir["man/man7/*"]
    bash_completion.install "completions/payctl.bash" => "payctl"
    zsh_completion.install "completions/_payctl"
    fish_completion.install "completions/payctl.fish"
    pkgshare.install "lnav"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/payctl --version")
    assert_match "limit", shell_output("#{bin}/payctl buyers list --profile emulator --limit 1 -o json")
  end
end
`;
}

/** The manifest of Scoop. */
export function scoopManifest(release: Release) {
  const { version, repository } = release;
  const folder = (of: string, platform: string) => `payctl-${of}-${platform}`;
  const architecture = (platform: string) => {
    const extract_dir = folder(version, platform);
    const { url, sum } = download(release, `${extract_dir}.zip`);
    return { url, hash: sum, extract_dir };
  };
  const updated = (platform: string) => {
    const extract_dir = folder('$version', platform);
    return { url: `${repository}/releases/download/v$version/${extract_dir}.zip`, extract_dir };
  };
  return {
    version,
    description: shortDescription(release.description),
    homepage: repository,
    license: release.license,
    architecture: { '64bit': architecture('win32-x64'), arm64: architecture('win32-arm64') },
    bin: 'payctl.exe',
    checkver: { github: repository },
    autoupdate: {
      architecture: { '64bit': updated('win32-x64'), arm64: updated('win32-arm64') },
      hash: { url: '$baseurl/SHA256SUMS' },
    },
  };
}

function download({ version, repository, sums }: Release, name: string) {
  const sum = sums.get(name);
  if (sum === undefined) throw new Error(`SHA256SUMS has no ${name}`);
  return { url: `${repository}/releases/download/v${version}/${name}`, sum };
}

/** What is before the colon: Homebrew takes at most 80 characters. */
function shortDescription(description: string): string {
  return description.replace(/:.*/, '');
}
