import { type OperationId, operations } from '../../contract/generated/operations.ts';
import type { Operation } from '../../contract/operation.ts';
import { handlers } from '../resources/registry.ts';
import type { Handler } from '../resources/resource.ts';
import { badRequest, type EmulatorResponse } from './response.ts';
import { Routes } from './routes.ts';

/** The operation that a request asks for, with the decoded values of its path. */
export type Route = {
  readonly operation: Operation;
  readonly handler: Handler;
  readonly pathParameters: Readonly<Record<string, string>>;
  /** The media types of its body; JSON where it does not say. */
  readonly bodyTypes?: readonly string[];
  /** In bytes; the usual limit where it is undefined. */
  readonly largestBody?: number | undefined;
  /** The promise of its handler resolves after the changes are committed. */
  readonly isCommitted?: true;
  /** Gives an error the form that the description of the operation has for it. */
  readonly asDescribed?: (response: EmulatorResponse) => EmulatorResponse;
};

type Endpoint = Pick<Operation, 'method' | 'path'> & Omit<Route, 'pathParameters'>;

const routes = new Routes<Endpoint>(
  (Object.keys(handlers) as OperationId[]).map((id) => {
    const operation: Operation = operations[id];
    return { method: operation.method, path: operation.path, operation, handler: handlers[id] as Handler };
  }),
);

/**
 * Finds the operation of a method and the decoded segments of a path. Gives the methods of a known path that lacks this one;
 * undefined for an unknown path.
 */
export function findRoute(
  method: string,
  segments: readonly string[],
): Route | { readonly methods: readonly string[] } | undefined {
  const found = routes.find(segments);
  if (found === undefined) return undefined;
  const endpoint = found.methods.get(method);
  if (endpoint === undefined) return { methods: [...found.methods.keys()] };
  const { operation, handler } = endpoint;
  return { operation, handler, pathParameters: pathParametersOf(operation, found.values) };
}

/** The values of a path by the names that the operation has for them. */
export function pathParametersOf(
  { pathParameters }: Operation,
  values: readonly string[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(pathParameters.map((name, index) => [name, values[index] ?? '']));
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

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw badRequest('path', 'value_error.encoding', 'the path is not valid percent-encoded UTF-8');
  }
}
