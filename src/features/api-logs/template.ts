import { operations } from '../../contract/generated/operations.ts';
import { withoutEndSlashes } from '../../text/format.ts';
import { pathOf } from './entry.ts';

/** The paths of the contract, as their segments; those with more fixed segments first. */
const TEMPLATES: readonly (readonly string[])[] = [
  ...new Set(Object.values(operations).map(({ path }) => path)),
]
  .map((path) => path.split('/').slice(1))
  .sort((a, b) => fixedSegments(b) - fixedSegments(a));

/** The templates as paths. */
const TEXTS = new Map(TEMPLATES.map((template) => [template, `/${template.join('/')}`]));

const BY_LENGTH = Map.groupBy(TEMPLATES, ({ length }) => length);

/** Segments that are IDs: UUIDs, whole numbers, IDs with a prefix (`cus_8Jd72hsQ`), ULIDs and those of 24 hexadecimal digits. */
const IDS = [
  /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i,
  /^\d{1,30}$/,
  /^(?:[a-z]{1,12}_){1,3}(?=[a-z]{0,60}[\dA-Z])[\da-zA-Z]{8,60}$/,
  /^[\dA-HJKMNP-TV-Z]{26}$/,
  /^[\da-f]{24}$/,
];

function isId(segment: string): boolean {
  return IDS.some((pattern) => pattern.test(segment));
}

/** Whether a segment of a template stands for any value: `{buyer_id}`. */
export function isParameter(segment: string): boolean {
  return segment.startsWith('{') && segment.endsWith('}');
}

/**
 * The template of the path of an address: that of the contract (`/buyers/{buyer_id}/shipping-details`), wherever its base
 * path begins; for a path that the contract does not have, the path with `{id}` for each segment that is an ID.
 */
export function templateOf(url: string, basePath = ''): string {
  const segments = segmentsBelow(pathOf(url), basePath);
  const known = TEXTS.get(contractTemplate(segments) ?? []);
  return known ?? `/${segments.map((segment) => (isId(segment) ? '{id}' : segment)).join('/')}`;
}

/** The path of the contract that these segments are of, as its segments; undefined where it has none. */
export function contractTemplate(segments: readonly string[]): readonly string[] | undefined {
  return BY_LENGTH.get(segments.length)?.find((template) =>
    template.every((part, at) => part === segments[at] || (isParameter(part) && segments[at] !== '')),
  );
}

/** The segments of a path without those of the base URL. */
export function segmentsBelow(path: string, basePath: string): readonly string[] {
  const below = basePath !== '' && path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path;
  return below.split('/').slice(below.startsWith('/') ? 1 : 0);
}

function fixedSegments(template: readonly string[]): number {
  return template.filter((segment) => !isParameter(segment)).length;
}

/** The path of a base URL, which the paths of the contract are below; empty where there is none. */
export function pathOfBaseUrl(baseUrl: string | undefined): string {
  return withoutEndSlashes(URL.parse(baseUrl ?? '')?.pathname ?? '');
}
