import type { IncomingMessage } from 'node:http';
import type { BodySchemaName } from '../../contract/generated/body-schemas.ts';
import type { Operation } from '../../contract/operation.ts';
import { isNestedDeeper, MAX_DEPTH } from '../../json/depth.ts';
import { type KeptNumbers, parseKeepingNumbers } from '../../json/exact.ts';
import { isObject } from '../../json/is-object.ts';
import { badRequest, HttpError, ValidationError } from './response.ts';

/** The largest body that is usually taken, in bytes. */
const usualLimit = 1024 * 1024;

const empty = Buffer.alloc(0);

/**
 * Reads the body of a request to its end. A longer one is read to its end too, without being kept, so that the
 * client is done sending when it gets its response.
 * @throws HttpError `bad_request` above the limit
 */
export async function readBody(request: IncomingMessage, bodyLimit = usualLimit): Promise<Buffer> {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if ((length === undefined || length === '0') && encoding === undefined) return empty;
  const chunks: Buffer[] = [];
  let size = 0;
  // An iteration over the request would take longer than everything else that is done with a small body.
  await new Promise<void>((resolve, reject) => {
    const leave = () => reject(new Error('the client has gone'));
    if (request.destroyed) leave();
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= bodyLimit) chunks.push(chunk);
      else chunks.length = 0;
    });
    request.on('end', resolve);
    request.on('error', reject);
    request.on('close', () => request.readableEnded || leave());
  });
  if (size <= bodyLimit) return Buffer.concat(chunks);
  const message = `the body must be at most ${bodyLimit} bytes`;
  throw badRequest('body', 'value_error.body_too_large', message);
}

const JSON_TYPES = ['application/json'];

/**
 * Requires one of the media types of the operation of a request with a body; `image/*` is any image.
 * @throws HttpError `bad_request`: the contract knows no 415
 */
export function requireMediaType({ headers }: IncomingMessage, wanted: readonly string[] = JSON_TYPES): void {
  const type = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (wanted.some((one) => one === type || (one.endsWith('/*') && type.startsWith(one.slice(0, -1))))) return;
  const message = `must be ${wanted.join(' or ')}`;
  throw badRequest('header', 'value_error.content_type', message, '/content-type');
}

/** A body that is a JSON object: `value` to look at, `exact` to store and write again. */
export type JsonBody = {
  readonly value: Readonly<Record<string, unknown>>;
  readonly exact: KeptNumbers;
};

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads a body that must be a JSON object.
 * @throws HttpError `bad_request` without a body; for one that is not JSON or not an object a ValidationError where the
 * contract lists 422 for the operation, else HttpError `bad_request`
 */
export function readJson(operation: Operation, body: Buffer): JsonBody {
  if (body.length === 0) throw badRequest('body', 'value_error.missing', 'the body is missing');
  const text = decode(operation, body);
  requireShallow(text);
  const value = parse(operation, text);
  if (!isObject(value)) {
    const issue = { type: 'type_error.object', message: 'must be an object' };
    throw unreadable(operation, issue, value);
  }
  return { value, exact: parseKeepingNumbers(text) };
}

function decode(operation: Operation, body: Buffer): string {
  try {
    return decoder.decode(body);
  } catch {
    throw unreadable(operation, { type: 'value_error.jsondecode', message: 'must be UTF-8' }, null);
  }
}

function parse(operation: Operation, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unreadable(operation, { type: 'value_error.jsondecode', message: 'must be valid JSON' }, null);
  }
}

/** @throws HttpError `bad_request` for JSON that is nested so deep that writing it again could use up the stack */
export function requireShallow(text: string): void {
  if (!isNestedDeeper(text, MAX_DEPTH)) return;
  throw badRequest('body', 'value_error.depth', `must not be nested more than ${MAX_DEPTH} levels deep`);
}

function unreadable(operation: Operation, issue: { type: string; message: string }, input: unknown): Error {
  const { type, message } = issue;
  if (!operation.errors.includes(422)) return badRequest('body', type, message);
  return new ValidationError([
    { loc: ['body'], msg: message, type: type.replace(/^.*\./, ''), input, ctx: {} },
  ]);
}

/** More errors than that in one body are not listed one by one. */
export const MOST_ERRORS = 50;

/**
 * Reads the body of an operation and compares it with the operation's schema, which is loaded with its validator when the
 * first body comes in. Of `exact`, only what the schema names is left.
 * @throws HttpError `bad_request` whose details name every error, and what `readJson` throws
 */
export async function validBody(
  operation: Operation & { readonly bodySchema: BodySchemaName },
  body: Buffer,
): Promise<JsonBody> {
  const read = readJson(operation, body);
  const { knownPart, validateBody } = await import('./validate-body.ts');
  const { bodySchema: schema } = operation;
  const details = validateBody(schema, read.value);
  if (details.length > 0) throw new HttpError('bad_request', { details: details.slice(0, MOST_ERRORS) });
  return { value: read.value, exact: knownPart(schema, read.exact) as KeptNumbers };
}
