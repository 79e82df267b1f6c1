import { operations } from '../../../contract/generated/operations.ts';
import type { Operation } from '../../../contract/operation.ts';
import { lettersOf, withoutEndSlashes } from '../../../text/format.ts';
import { suggest } from '../../../text/suggest.ts';

/** The paths of the contract, split into segments; those with more fixed segments first. */
const TEMPLATES: readonly (readonly string[])[] = [
  ...new Set(Object.values(operations).map(({ path }) => path)),
]
  .map((path) => path.split('/').slice(1))
  .sort((a, b) => fixedSegments(b) - fixedSegments(a));

const BY_LENGTH = Map.groupBy(TEMPLATES, ({ length }) => length);

/** Whether a segment of a template stands for any value: `{buyer_id}`. */
export function isParameter(segment: string): boolean {
  return segment.startsWith('{') && segment.endsWith('}');
}

/** The contract path that matches these segments, itself split into segments, if there is one. */
export function contractTemplate(segments: readonly string[]): readonly string[] | undefined {
  return BY_LENGTH.get(segments.length)?.find((template) =>
    template.every((part, at) => part === segments[at] || (isParameter(part) && segments[at] !== '')),
  );
}

/** The segments of a path below the base URL. */
export function segmentsBelow(path: string, basePath: string): readonly string[] {
  const below = basePath !== '' && path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path;
  return below.split('/').slice(below.startsWith('/') ? 1 : 0);
}

/** The path of a base URL, which precedes the contract paths; may be empty. */
export function pathOfBaseUrl(baseUrl: string | undefined): string {
  return withoutEndSlashes(URL.parse(baseUrl ?? '')?.pathname ?? '');
}

/** The operations of a path of the contract, by its template. */
export function operationsAt(template: string): readonly Operation[] {
  return Object.values<Operation>(operations).filter(({ path }) => path === template);
}

/** A longer path is not compared with those of the contract, in characters. */
const LONGEST = 200;

/**
 * The contract path that an unknown path most likely means: one that it ends with (`/v1/buyers`), one with the same letters
 * (`/checkout-sessions/ID`), or one with small spelling differences (`/buyer`). Undefined if none is close.
 */
export function nearestPath(given: readonly string[]): string | undefined {
  const segments = given.filter((segment) => segment !== '');
  const path = segments.join('/');
  if (path.length > LONGEST) return undefined;
  const ending = segments
    .map((_, at) => contractTemplate(segments.slice(at)))
    .find((found) => found?.some(isFixed));
  const filled = new Map(TEMPLATES.map((template) => [fill(template, segments), template]));
  const alike = [...filled].filter(([, template]) => isAlike(template, segments)).map(([text]) => text);
  const sameLetters = [...filled.keys()].find((text) => lettersOf(text) === lettersOf(path));
  const found = ending ?? filled.get(sameLetters ?? suggest(path, alike) ?? '');
  return found && `/${found.join('/')}`;
}

/** Whether a path has as many segments as a template, spelled similarly. */
function isAlike(template: readonly string[], segments: readonly string[]): boolean {
  return (
    template.length === segments.length &&
    template.every((part, at) => isParameter(part) || suggest(segments[at] ?? '', [part]) !== undefined)
  );
}

/** A template with its parameters filled from the path; positions count from the end. */
function fill(template: readonly string[], segments: readonly string[]): string {
  return template
    .map((part, at) => (isParameter(part) ? (segments.at(at - template.length) ?? part) : part))
    .join('/');
}

function isFixed(segment: string): boolean {
  return !isParameter(segment);
}

function fixedSegments(template: readonly string[]): number {
  return template.filter(isFixed).length;
}
