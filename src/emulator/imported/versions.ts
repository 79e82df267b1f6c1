import { createHash } from 'node:crypto';
import { type EmulatorResponse, errorBody } from '../http/response.ts';
import type { OperationRequest } from './call.ts';

/** The headers that name the version of a record; none where the description knows no versions at the path. */
export function versionOf({ served }: OperationRequest, document: string): { readonly etag?: string } {
  return served.hasVersions ? { etag: etagOf(document) } : {};
}

function etagOf(document: string): string {
  return `"${createHash('sha256').update(document).digest('base64url').slice(0, 22)}"`;
}

/**
 * The answer to a request whose conditions the record does not meet (RFC 9110): 412 to `If-Match` with other versions, and to
 * `If-None-Match` with this one, which with GET is a 304. Without a record, none meets `If-Match`. Undefined where the request is
 * to be carried out.
 */
export function refusedVersion(
  { served, context, prepared }: OperationRequest,
  document: string | undefined,
): EmulatorResponse | undefined {
  if (!served.hasVersions) return undefined;
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = context.headers;
  if (document === undefined) return ifMatch === undefined ? undefined : preconditionFailed({});
  const etag = etagOf(document);
  if (ifMatch !== undefined && !names(ifMatch, etag)) return preconditionFailed({ etag });
  // A weak tag names the same version where nothing is changed by it.
  if (ifNoneMatch === undefined || !names(ifNoneMatch.replaceAll('W/"', '"'), etag)) return undefined;
  if (prepared.operation.method === 'GET') return { status: 304, body: '', headers: { etag } };
  return preconditionFailed({ etag });
}

function names(header: string, etag: string): boolean {
  if (header.trim() === '*') return true;
  return header.match(/(?:W\/)?"[^"]*"/g)?.includes(etag) === true;
}

function preconditionFailed(headers: { readonly etag?: string }): EmulatorResponse {
  const message = 'The record has another version than the request asks for';
  const body = errorBody({ type: 'error', code: 'precondition_failed', status: 412, message });
  return { status: 412, body, headers };
}
