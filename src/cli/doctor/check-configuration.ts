import { PayctlError } from '../../client/errors.ts';
import { BUILT_IN_PROFILES } from '../../config/profile.ts';
import { type Profiles, profilesFile } from '../../config/profile-store.ts';
import { shellWord } from '../../config/shell-word.ts';
import { plural } from '../../output/plural.ts';
import { fault, ok, type Verdict, warning } from './finding.ts';
import { findOpenPaths, type OpenPath, ownPaths } from './open-paths.ts';

/** The configuration as it was found. */
export type Configuration = {
  readonly verdict: Verdict;
  /** Undefined when the file of the profiles cannot be used. */
  readonly profiles: Profiles | undefined;
  /** Files with secrets that others can read. */
  readonly openPaths: readonly OpenPath[];
};

/**
 * Reads the profiles by `read` and looks who may reach their file and their secrets. Comes before anything else reads
 * them: reading closes a file that others could read, and this is where it is told.
 */
export function checkConfiguration(directory: string, read: () => Profiles): Configuration {
  const file = profilesFile(directory);
  const own = ownPaths(directory, file);
  const before = findOpenPaths(own);
  try {
    const profiles = read();
    const openPaths = findOpenPaths([...own, ...secretPaths(profiles)]);
    const closed = before.filter(({ path }) => !openPaths.some((open) => open.path === path));
    const stored = [...profiles.profiles.keys()].filter((name) => !BUILT_IN_PROFILES.has(name));
    const hasFile = own.includes(file);
    const verdict = judgeConfiguration({ file, hasFile, count: stored.length, openPaths, closed });
    return { verdict, profiles, openPaths };
  } catch (error) {
    if (!(error instanceof PayctlError)) throw error;
    return { verdict: judgeDamage(error, file, before), profiles: undefined, openPaths: before };
  }
}

function judgeDamage({ message, hint }: PayctlError, file: string, openPaths: readonly OpenPath[]): Verdict {
  return fault(message, hint, { file, profiles: null, open: factsOf(openPaths) });
}

function secretPaths({ profiles }: Profiles): string[] {
  return [...profiles.values()].flatMap(({ credentials }) =>
    credentials && credentials.storage !== 'keychain' ? [credentials.path] : [],
  );
}

/** What there is to judge of a configuration that can be read. */
export type ConfigurationFacts = {
  readonly file: string;
  readonly hasFile: boolean;
  /** How many profiles of the user's own there are. */
  readonly count: number;
  readonly openPaths: readonly OpenPath[];
  /** What others could reach until a moment ago. */
  readonly closed: readonly OpenPath[];
};

/** Judges who may reach the profiles and their secrets. */
export function judgeConfiguration(given: ConfigurationFacts): Verdict {
  const { file, hasFile, count, openPaths, closed } = given;
  const open = factsOf([...openPaths, ...closed]);
  const facts = { file, profiles: count, open };
  const found = hasFile ? `${plural(count, 'profile')} in ${file}` : 'no profiles yet';
  if (open.length === 0) return ok(hasFile ? `${found}, private` : found, facts);
  const parts = [found];
  if (openPaths.length > 0) parts.push(`others may reach ${listOf(openPaths)}`);
  if (closed.length > 0) parts.push(`others could reach ${listOf(closed)}, which payctl has just closed`);
  return warning(parts.join('; '), chmodCommand(openPaths), facts);
}

function factsOf(paths: readonly OpenPath[]) {
  return paths.map(({ path, mode }) => ({ path, mode }));
}

function listOf(paths: readonly OpenPath[]): string {
  return paths.map(({ path, mode }) => `${path} (${mode})`).join(', ');
}

function chmodCommand(paths: readonly OpenPath[]): string | undefined {
  const commands = [
    ['directory', '700'],
    ['file', '600'],
  ] as const;
  const lines = commands.flatMap(([kind, mode]) => {
    const words = paths.filter((open) => open.kind === kind).map(({ path }) => shellWord(path));
    return words.length === 0 ? [] : [`chmod ${mode} ${words.join(' ')}`];
  });
  return lines.length === 0 ? undefined : lines.join(' && ');
}
