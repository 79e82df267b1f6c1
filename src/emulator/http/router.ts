import { type OperationId, operations } from '../../contract/generated/operations.ts';
import type { Operation } from '../../contract/operation.ts';
import { handlers } from '../resources/registry.ts';
import type { Handler } from '../resources/resource.ts';
import { HttpError } from './response.ts';

/** The operation that a request asks for, with the decoded values of its path. */
export type Route = {
  readonly operation: Operation;
  readonly handler: Handler;
  readonly pathParameters: Readonly<Record<string, string>>;
};

type Endpoint = { readonly operation: Operation; readonly handler: Handler };
type Path = { readonly template: readonly string[]; readonly endpoints: Map<string, Endpoint> };

const paths = compilePaths();

/**
 * Finds the operation of a method and the decoded segments of a path. Gives the methods of a known path that lacks this one;
 * undefined for an unknown path.
 */
export function findRoute(
  method: string,
  segments: readonly string[],
): Route | { readonly methods: readonly string[] } | undefined {
  const found = paths.find(({ template }) => matches(template, segments));
  if (found === undefined) return undefined;
  const endpoint = found.endpoints.get(method);
  if (endpoint === undefined) return { methods: [...found.endpoints.keys()] };
  return { ...endpoint, pathParameters: parametersOf(found.template, segments) };
}

/**
 * The decoded segments of a path, as sent without the query.
 * @throws HttpError `bad_request` for a path that is not valid percent-encoding
 */
export function segmentsOf(path: string): readonly string[] {
  // What does not begin with a slash is the path of nothing.
  if (!path.startsWith('/')) return [''];
  return path.split('/').slice(1).map(decodeSegment);
}

/** Paths without parameters come first, so that a fixed word wins over a parameter in the same place. */
function compilePaths(): readonly Path[] {
  const byPath = new Map<string, Path>();
  for (const id of Object.keys(handlers) as OperationId[]) {
    const operation: Operation = operations[id];
    const handler = handlers[id] as Handler;
    const path = byPath.get(operation.path) ?? {
      template: operation.path.split('/').slice(1),
      endpoints: new Map(),
    };
    path.endpoints.set(operation.method, { operation, handler });
    byPath.set(operation.path, path);
  }
  const parameterCount = ({ template }: Path) => template.filter(isParameter).length;
  return [...byPath.values()].sort((a, b) => parameterCount(a) - parameterCount(b));
}

function matches(template: readonly string[], segments: readonly string[]): boolean {
  if (template.length !== segments.length) return false;
  return template.every((part, index) =>
    isParameter(part) ? segments[index] !== '' : part === segments[index],
  );
}

function parametersOf(template: readonly string[], segments: readonly string[]): Record<string, string> {
  const pairs = template.map((part, index) => [part.slice(1, -1), segments[index] ?? ''] as const);
  return Object.fromEntries(pairs.filter((_, index) => isParameter(template[index] ?? '')));
}

function isParameter(part: string): boolean {
  return part.startsWith('{');
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new HttpError('bad_request', {
      details: [
        {
          type: 'value_error.encoding',
          pointer: '',
          message: 'the path is not valid percent-encoded UTF-8',
          location: 'path',
        },
      ],
    });
  }
}
