import type { Operation } from '../contract/operation.ts';
import { isObject, own } from '../json/is-object.ts';
import type { SchemaViews } from '../schemas/schema-view.ts';
import { quote } from '../text/format.ts';
import type { Issues } from './issues.ts';
import { firstSentence, plainLine } from './plain-text.ts';
import { type DocumentLocation, locationBelow, type References } from './references.ts';
import type { ResponseShapes } from './response-shape.ts';
import type { Schemas } from './schemas.ts';
import type { Security } from './security.ts';

/** An operation of the document, before it is read. */
export type Declaration = {
  readonly method: Operation['method'];
  readonly path: string;
  readonly value: Readonly<Record<string, unknown>>;
  readonly location: DocumentLocation;
  /** Parameters that all operations of the path have. */
  readonly shared: { readonly value: unknown; readonly location: DocumentLocation };
};

/** What operations are read with. */
export type OperationContext = {
  readonly references: References;
  readonly schemas: Schemas;
  readonly issues: Issues;
  readonly security: Security;
  /** Lower-case name of the header that names the merchant account. */
  readonly merchantHeader: string | undefined;
  /** Of the schemas that responses and bodies have. */
  readonly views: SchemaViews;
  readonly shapes: ResponseShapes;
  /** Whether the document marks personal data. */
  readonly marksPersonalData: boolean;
};

/** The name, summary and tag of an operation, whether payctl can run it or not. */
export function labelsOf({ summary, description, tags, deprecated }: Declaration['value']) {
  const tag: unknown = Array.isArray(tags) ? tags[0] : undefined;
  return {
    summary: plainLine(summary) || firstSentence(description),
    ...(typeof tag === 'string' && { tag: plainLine(tag, 80) }),
    ...(deprecated === true && { isDeprecated: true }),
  };
}

/** Names in braces, in the order of the path. */
export function pathNames(path: string): readonly string[] {
  return [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name);
}

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
  const servers = serversOf(document);
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
    const pathItem = { item: found.value, location: found.location ?? location, servers };
    return operationsOf(path, pathItem, { references, issues });
  });
}

type PathItem = {
  readonly item: Declaration['value'];
  readonly location: DocumentLocation;
  /** Those of the document. */
  readonly servers: readonly string[];
};

function operationsOf(
  path: string,
  { item, location, servers }: PathItem,
  { references, issues }: { readonly references: References; readonly issues: Issues },
): readonly Declaration[] {
  return Object.entries(item).flatMap(([key, given]) => {
    const below = locationBelow(location, key);
    const method = METHODS.get(key);
    for (const other of otherMethods(key, given)) {
      const message = `${other} ${path} cannot be run. payctl does not send ${other}`;
      issues.add(below, 'method_not_sent', message, true);
    }
    // An operation that is in another file is reported when it is read.
    const found = references.follow(given, below);
    const { value, location: at = below } = 'value' in found ? found : { value: given };
    if (method === undefined || !isObject(value)) return [];
    const urls = serversOf(value.servers === undefined ? item : value);
    if (urls.length > 0 && !urls.some((url) => servers.includes(url))) {
      const message = `The description gives another server for ${method} ${path}; payctl sends it to the base URL in use`;
      issues.add(at, 'server_ignored', message);
    }
    const shared = { value: item.parameters, location: locationBelow(location, 'parameters') };
    return [{ method, path, value, location: at, shared }];
  });
}

/** The methods of a member of a path that payctl does not send. */
function otherMethods(key: string, value: unknown): readonly string[] {
  if (key === 'additionalOperations' && isObject(value))
    return Object.keys(value).map((name) => plainLine(name, 40));
  return OTHER_METHODS.has(key) ? [key.toUpperCase()] : [];
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

/** The URLs of the servers, with the default values of their variables. They are used in hints only. */
export function serversOf({ servers }: Readonly<Record<string, unknown>>): readonly string[] {
  const urls = (Array.isArray(servers) ? servers : []).map((server) => {
    if (!isObject(server)) return '';
    const variables = isObject(server.variables) ? server.variables : {};
    return plainLine(server.url).replace(/\{([^{}]+)\}/g, (text, name: string) => {
      const variable = own(variables, name);
      const value = isObject(variable) ? plainLine(variable.default) : '';
      // A base URL has the same placeholder.
      return name === 'id' || value === '' ? text : value;
    });
  });
  return [...new Set(urls.filter((url) => url !== ''))];
}
