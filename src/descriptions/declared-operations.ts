import type { Operation } from '../contract/operation.ts';
import { isObject } from '../json/is-object.ts';
import { quote } from '../text/format.ts';
import { type Declaration, pathNames } from './declaration.ts';
import type { Issues } from './issues.ts';
import { locationBelow, type References } from './references.ts';

const METHODS: ReadonlyMap<string, Operation['method']> = new Map(
  (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).map((method) => [method.toLowerCase(), method]),
);
const OTHER_METHODS = new Set(['head', 'options', 'trace', 'query']);

/** The operations that the paths of a document declare. Reports the paths and methods that payctl cannot use. */
export function declarationsOf(
  document: Readonly<Record<string, unknown>>,
  references: References,
  issues: Issues,
): readonly Declaration[] {
  if (document.webhooks !== undefined) {
    const message = 'Webhooks are requests that the service sends, not ones that it receives';
    issues.add(locationBelow(undefined, 'webhooks'), 'webhooks_ignored', message);
  }
  const paths = isObject(document.paths) ? Object.entries(document.paths) : [];
  return paths.flatMap(([path, item]) => {
    const location = locationBelow(undefined, 'paths', path);
    if (path.startsWith('x-')) return [];
    const skip = (code: string, message: string) => {
      issues.add(location, code, message, true);
      return [];
    };
    const found = references.follow(item, location);
    if ('code' in found) return skip(found.code, `${quote(path)} cannot be run. ${found.message}`);
    const problem = problemOf(path);
    if (problem !== undefined) return skip('path_invalid', `${quote(path)} cannot be run. ${problem}`);
    if (!isObject(found.value)) return skip('path_invalid', `${quote(path)} describes no operations`);
    return operationsOf(path, { item: found.value, location: found.location ?? location }, issues);
  });
}

type PathItem = {
  readonly item: Readonly<Record<string, unknown>>;
  readonly location: ReturnType<typeof locationBelow>;
};

function operationsOf(path: string, { item, location }: PathItem, issues: Issues): readonly Declaration[] {
  return Object.entries(item).flatMap(([key, value]) => {
    const below = locationBelow(location, key);
    const method = METHODS.get(key);
    if (OTHER_METHODS.has(key)) {
      const message = `${key.toUpperCase()} ${path} cannot be run. payctl does not send ${key.toUpperCase()}`;
      issues.add(below, 'method_not_sent', message, true);
    }
    if (method === undefined || !isObject(value)) return [];
    if (value.servers !== undefined || item.servers !== undefined) {
      const message = `The description gives another server for ${method} ${path}; payctl sends it to the base URL in use`;
      issues.add(below, 'server_ignored', message);
    }
    const shared = { value: item.parameters, location: locationBelow(location, 'parameters') };
    return [{ method, path, value, location: below, shared }];
  });
}

const LONGEST_PATH = 1000;

/** Why no request can be sent to a path; undefined if it can. */
function problemOf(path: string): string | undefined {
  if (!path.startsWith('/') || path.startsWith('//')) return 'The path does not begin with one slash';
  if (path.length > LONGEST_PATH) return 'The path is too long';
  const fixed = path.replace(/\{[^{}/?#\p{Cc}]{1,100}\}/gu, '0');
  if (!/^[\w\-.~!$&'()*+,;=:@%/]*$/.test(fixed)) return 'The path holds characters that no path can have';
  if (/%(?![0-9a-f]{2})|%(?:2f|5c|00)/i.test(fixed))
    return 'The path contains an escape that services read in different ways';
  const segments = fixed.replaceAll(/%2e/gi, '.').split('/');
  if (segments.includes('..') || segments.includes('.'))
    return 'The path contains "..", which leads to another path';
  const names = pathNames(path);
  return new Set(names).size < names.length ? 'The path has the same parameter twice' : undefined;
}
