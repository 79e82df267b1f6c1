import { ApiError, type ErrorDetail } from './errors.ts';
import type { Reply } from './reply.ts';

/** How much of an undocumented body an error keeps, in characters. */
const EXCERPT_LENGTH = 500;

/**
 * The typed error of a response with a status of 400 or above, for every body the service or something before it may
 * send: the error object, the body of a 422, other JSON, a page of HTML, nothing (specification: Errors).
 */
export function readApiError(reply: Reply): ApiError {
  const { status, text } = reply;
  const common = { ...reply, retryAfter: reply.headers['retry-after'] };
  const body = parseObject(text);
  if (body && Array.isArray(body.detail)) {
    const details = body.detail.map(readValidationItem);
    return new ApiError('validation_error', 'The request did not pass validation', { ...common, details });
  }
  if (body && body.type === 'error' && typeof body.code === 'string') {
    return new ApiError(body.code, asText(body.message) ?? statusName(status), {
      ...common,
      details: Array.isArray(body.details) ? body.details.map(readDetail) : [],
      resourceId: asText(body.resource_id),
    });
  }
  return new ApiError(`http_${status}`, statusName(status), { ...common, bodyExcerpt: excerpt(text) });
}

/** The first characters of a body, for a report; `undefined` for an empty one. */
export function excerpt(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  return trimmed.length > EXCERPT_LENGTH ? `${trimmed.slice(0, EXCERPT_LENGTH).toWellFormed()}…` : trimmed;
}

function readDetail(item: unknown): ErrorDetail {
  if (!isObject(item)) return { message: asText(item) ?? JSON.stringify(item) };
  return {
    location: asText(item.location),
    pointer: asText(item.pointer),
    message: asText(item.message) ?? '',
    type: asText(item.type),
  };
}

/** Translates `loc: ["body", "address", "city"]` to location and JSON pointer (RFC 6901), as `details` has them. */
function readValidationItem(item: unknown): ErrorDetail {
  if (!isObject(item)) return { message: asText(item) ?? JSON.stringify(item) };
  const [location, ...segments] = Array.isArray(item.loc) ? item.loc.map(String) : [];
  const pointer = segments
    .map((segment) => `/${segment.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
  return {
    location,
    pointer: pointer || undefined,
    message: asText(item.msg) ?? '',
    type: asText(item.type),
  };
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function statusName(status: number): string {
  const { STATUS_CODES } = process.getBuiltinModule('node:http');
  return STATUS_CODES[status] ?? (status < 500 ? 'Request refused' : 'Server error');
}
