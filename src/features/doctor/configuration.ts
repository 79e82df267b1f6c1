import type { Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { BUILT_IN_PROFILES } from '../../config/profile.ts';
import { type Profiles, profilesFile } from '../../config/profiles.ts';
import { PayctlError } from '../../errors.ts';
import { plural } from '../../text/format.ts';
import { shellQuote } from '../../text/shell.ts';
import { type CheckResult, fail, pass, warn } from './finding.ts';

/** The configuration as it was found. */
export type CheckedConfiguration = {
  readonly result: CheckResult;
  /** Undefined when the file of the profiles cannot be used. */
  readonly profiles: Profiles | undefined;
  /** Files with secrets that others can read. */
  readonly openPaths: readonly OpenPath[];
};

/**
 * Reads the profiles by `read` and looks who may reach their file and their secrets. Comes before anything else reads
 * them: reading restricts a file that others could read, and this check reports it.
 */
export function checkConfiguration(directory: string, read: () => Profiles): CheckedConfiguration {
  const file = profilesFile(directory);
  const own = ownPaths(directory, file);
  const before = findOpenPaths(own);
  try {
    const profiles = read();
    const openPaths = findOpenPaths([...own, ...secretPaths(profiles)]);
    const closed = before.filter(({ path }) => !openPaths.some((open) => open.path === path));
    const stored = [...profiles.profiles.keys()].filter((name) => !BUILT_IN_PROFILES.has(name));
    const hasFile = own.includes(file);
    const result = evaluateConfiguration({ file, hasFile, count: stored.length, openPaths, closed });
    return { result, profiles, openPaths };
  } catch (error) {
    if (!(error instanceof PayctlError)) throw error;
    return { result: evaluateDamage(error, file, before), profiles: undefined, openPaths: before };
  }
}

function evaluateDamage(
  { message, hint }: PayctlError,
  file: string,
  openPaths: readonly OpenPath[],
): CheckResult {
  return fail(message, hint, { file, profiles: null, open: factsOf(openPaths) });
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
  /** What other users could access until a moment ago. */
  readonly closed: readonly OpenPath[];
};

/** Evaluates who may reach the profiles and their secrets. */
export function evaluateConfiguration(given: ConfigurationFacts): CheckResult {
  const { file, hasFile, count, openPaths, closed } = given;
  const open = factsOf([...openPaths, ...closed]);
  const facts = { file, profiles: count, open };
  const found = hasFile ? `${plural(count, 'profile')} in ${file}` : 'no profiles yet';
  if (open.length === 0) return pass(hasFile ? `${found}, private` : found, facts);
  const parts = [found];
  if (openPaths.length > 0) parts.push(`other users can access ${listOf(openPaths)}`);
  if (closed.length > 0)
    parts.push(`other users could access ${listOf(closed)}, which payctl has just made private`);
  return warn(parts.join('; '), chmodCommand(openPaths), facts);
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
    const words = paths.filter((open) => open.kind === kind).map(({ path }) => shellQuote(path));
    return words.length === 0 ? [] : [`chmod ${mode} ${words.join(' ')}`];
  });
  return lines.length === 0 ? undefined : lines.join(' && ');
}

/** A path that others than its owner may reach. */
export type OpenPath = {
  readonly path: string;
  readonly kind: 'directory' | 'file';
  /** The permission bits in octal: `644`. */
  readonly mode: string;
};

/**
 * The files among these, and their directories where payctl made them, that others than the owner may reach; nothing on
 * Windows, and nothing for a path that is not there.
 */
export function findOpenPaths(paths: readonly string[]): OpenPath[] {
  if (process.platform === 'win32') return [];
  return [...new Set(paths)].flatMap((path) => openPath(path) ?? []);
}

/** What payctl keeps in a configuration directory: itself, the file of the profiles, and the secrets in files. */
export function ownPaths(directory: string, profilesFile: string): string[] {
  const secrets = join(directory, 'secrets');
  const files = [...(statOf(profilesFile) ? [profilesFile] : []), ...filesIn(secrets)];
  if (files.length === 0) return [];
  return [...new Set([directory, ...files.map((file) => dirname(file)), ...files])];
}

function filesIn(directory: string): string[] {
  try {
    const names = process.getBuiltinModule('node:fs').readdirSync(directory);
    return names.sort().map((name) => join(directory, name));
  } catch {
    return [];
  }
}

function openPath(path: string): OpenPath | undefined {
  const stats = statOf(path);
  if (!stats || (stats.mode & 0o077) === 0) return undefined;
  const mode = (stats.mode & 0o777).toString(8).padStart(3, '0');
  if (stats.isDirectory()) return { path, kind: 'directory', mode };
  // What is neither, such as a pipe, has no content that lasts.
  return stats.isFile() ? { path, kind: 'file', mode } : undefined;
}

function statOf(path: string): Stats | undefined {
  try {
    return process.getBuiltinModule('node:fs').statSync(path);
  } catch {
    return undefined;
  }
}
