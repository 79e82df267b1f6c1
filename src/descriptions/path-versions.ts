import { calledBy } from './path-words.ts';
import { kebab } from './plain-text.ts';

/** Segments that say which version of the service it is: `v2`, `1.0`, `2024-05`. */
const VERSION = /^(v\d+([._-]?\w+)?|\d+(?:[.-]\d+)+|api|rest)$/i;
const FEWEST_PATHS = 3;

/**
 * How many leading segments all paths share. They are left out of names, provided that each path has a further word; a verb at the end
 * does not count.
 */
export function commonPrefix(paths: readonly string[]): number {
  const all = paths.map((path) => (calledBy(path)?.resource ?? path).split('/').slice(1));
  const [first = []] = all;
  let length = 0;
  for (; length < first.length; length += 1) {
    const segment = first[length] ?? '';
    const isShared = all.every((names) => names[length] === segment && isWord(names[length + 1]));
    if (!isShared || !(VERSION.test(segment) || all.length >= FEWEST_PATHS)) break;
  }
  return length;
}

/** The leading segments that are versions, and what follows; none are where nothing follows that names a resource. */
export function splitVersion(segments: readonly string[]): {
  version: readonly string[];
  words: readonly string[];
} {
  const end = segments.findIndex((segment) => !VERSION.test(segment));
  const length = end > 0 && segments.slice(end).some(isWord) ? end : 0;
  return { version: segments.slice(0, length), words: segments.slice(length) };
}

/** The versions under which each resource occurs, by its name in kebab case. */
export function versionsOf(paths: readonly (readonly string[])[]): ReadonlyMap<string, ReadonlySet<string>> {
  const versions = new Map<string, Set<string>>();
  for (const path of paths) {
    const { version, words } = splitVersion(path);
    const name = resourceIn(words);
    versions.set(name, (versions.get(name) ?? new Set()).add(version.join('/')));
  }
  return versions;
}

/** The first word besides parameters, as names have it. */
export function resourceIn(segments: readonly string[]): string {
  return kebab(segments.find(isWord) ?? '');
}

function isWord(segment: string | undefined): boolean {
  return segment !== undefined && segment !== '' && !segment.includes('{');
}
