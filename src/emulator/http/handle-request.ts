import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { isSecretName, MASK } from '../../contract/secret-names.ts';
import { decodeComponent } from '../../text/decode.ts';
import type { ImportedService } from '../imported/imported.ts';
import type { RouteContext } from '../resources/resource.ts';
import type { EmulatorDatabase } from '../store/database.ts';
import {
  type Authenticate,
  findMerchantAccount,
  mayReveal,
  merchantAccountOf,
  requireAccount,
  requireScope,
} from './access.ts';
import { readBody, requireMediaType } from './body.ts';
import { authenticateBy } from './described-access.ts';
import { readQuery } from './query.ts';
import { type EmulatorResponse, errorResponse, HttpError, isRefusal } from './response.ts';
import { findRoute, type Route, segmentsOf } from './router.ts';

/** What an emulator needs to handle requests of the contract. */
export type Service = {
  readonly database: EmulatorDatabase;
  readonly cursorSecret: Buffer;
  readonly authenticate: Authenticate;
  /** Name, in lower case, of the header that chooses the merchant account, in addition to the default one. */
  readonly merchantHeader: string;
  readonly now: () => Date;
  readonly startedAt: Date;
  /** Opens the imported description, whose operations are served in addition to those of the contract; undefined where there is none. */
  readonly imported?: (() => Promise<ImportedService | undefined>) | undefined;
  /** Called after a request that may have changed something. */
  readonly onChange?: (() => void) | undefined;
};

/** What a fault changes in how an operation is run. */
export type Interference = {
  /** How long a checked request waits before its operation is run, in milliseconds. The client may have gone by then. */
  readonly holdMs?: number;
  /** The idempotency key of the request is ignored. */
  readonly forgetsKey?: boolean | undefined;
};

/**
 * Handles one request of the contract. The checks come in a fixed order: path, method, token, scope, merchant
 * account, body size, query, and then the operation itself. Never rejects: an error of the emulator itself is a 500.
 */
export async function handleRequest(
  service: Service,
  request: IncomingMessage,
  interference: Interference & { readonly requestId: string },
): Promise<EmulatorResponse> {
  try {
    service.database.refresh();
    const { path } = splitTarget(request.url ?? '');
    const route = await routeOf(service, request.method ?? '', path);
    const response = await runOperation(service, route, { request, ...interference }).catch(refusalOf);
    return (response.status >= 400 && route.asDescribed?.(response)) || response;
  } catch (error) {
    return refusalOf(error);
  }
}

function refusalOf(error: unknown): EmulatorResponse {
  if (isRefusal(error)) return errorResponse(error);
  const message = error instanceof Error ? error.message : String(error);
  const details = [{ type: 'internal_error', pointer: '', message, location: 'emulator' }];
  return errorResponse(new HttpError('server_error', { details }));
}

type Run = Interference & { readonly request: IncomingMessage; readonly requestId: string };

async function runOperation(
  service: Service,
  route: Route,
  { request, holdMs = 0, forgetsKey = false, requestId }: Run,
): Promise<EmulatorResponse> {
  const { path, query } = splitTarget(request.url ?? '');
  const { operation, handler, pathParameters, bodyTypes, largestBody } = route;
  const now = service.now();
  const { headers } = request;
  const { security } = operation;
  const caller = security
    ? await authenticateBy({ ...operation, security }, { headers, query, now }, service.authenticate)
    : await service.authenticate(headers.authorization, now);
  requireScope(caller, operation);
  const { database, cursorSecret } = service;
  const merchantAccount = findMerchantAccount(
    database,
    operation,
    merchantAccountOf(request, service.merchantHeader),
  );
  requireAccount(caller, operation, merchantAccount);
  const body = await readBody(request, largestBody);
  if (operation.hasBody && body.length > 0) requireMediaType(request, bodyTypes);
  // Does not keep the process alive when the emulator is closed meanwhile.
  if (holdMs > 0) await sleep(holdMs, undefined, { ref: false });
  const { method } = operation;
  const isChange = method !== 'GET';
  const response = await handler({
    database,
    cursorSecret,
    // readQuery has checked it against the same operation that the type is made from.
    query: readQuery(operation, query) as RouteContext['query'],
    cursor: query === '' ? undefined : (new URLSearchParams(query).get('cursor') ?? undefined),
    pathParameters,
    merchantAccount,
    isRevealed: mayReveal(caller, operation),
    body,
    now: holdMs > 0 ? service.now() : now,
    forgetsKey,
    subject: caller.subject,
    headers,
    request: isChange
      ? { id: requestId, method, path: await loggedTarget(service, request.url ?? '') }
      : undefined,
    startedAt: service.startedAt,
  });
  // Its writes may be part of a transaction that other requests share.
  if (!route.isCommitted && isChange) database.commit();
  if (isChange) service.onChange?.();
  if (route.isCommitted || !service.imported) return response;
  // The contract is served even if the description cannot be read.
  const imported = await service.imported().catch(() => undefined);
  return imported ? imported.complete(operation.method, segmentsOf(path), response) : response;
}

/** The target of a request as it may be logged: without API keys in its query. */
export async function loggedTarget({ imported }: Service, target: string): Promise<string> {
  const { query } = splitTarget(target);
  if (query === '') return target;
  const keys = (await imported?.().catch(() => undefined))?.keyParameters;
  const pairs = query.split('&').map((pair) => {
    const [name = ''] = pair.split('=', 1);
    const typed = decodeComponent(name);
    return isSecretName(typed) || keys?.has(typed) ? `${name}=${MASK}` : pair;
  });
  return `${target.slice(0, target.length - query.length)}${pairs.join('&')}`;
}

/**
 * The operation of the contract, otherwise that of the description.
 * @throws HttpError `not_found` for an unknown path, `method_not_allowed` for another method on a known one, `bad_request` for a
 * path that is not valid percent-encoding
 */
async function routeOf({ imported }: Service, method: string, path: string): Promise<Route> {
  const segments = segmentsOf(path);
  const own = findRoute(method, segments);
  if (own && 'operation' in own) return own;
  const other = (await imported?.())?.find(method, segments);
  if (other && 'operation' in other) return other;
  if (!own && !other) throw new HttpError('not_found');
  const methods = new Set([...(own?.methods ?? []), ...(other?.methods ?? [])]);
  throw new HttpError('method_not_allowed', { headers: { allow: [...methods].join(', ') } });
}

/** Splits a request target by hand, because a URL parser would read the start of `//buyers` as a host. */
function splitTarget(target: string): { readonly path: string; readonly query: string } {
  const local = target.replace(/^https?:\/\/[^/?]*/i, '');
  const mark = local.indexOf('?');
  return mark === -1
    ? { path: local, query: '' }
    : { path: local.slice(0, mark), query: local.slice(mark + 1) };
}
