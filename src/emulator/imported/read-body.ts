import { isNestedDeeper, MAX_DEPTH } from '../../json/depth.ts';
import { parseKeepingNumbers, plainNumber } from '../../json/exact.ts';
import { isObject, memberAt } from '../../json/is-object.ts';
import { FORM_TYPE } from '../../text/format.ts';
import { HttpError } from '../http/response.ts';
import { takenFrom } from './members.ts';
import { comparable, type Document, mapParts } from './overlay.ts';
import type { Prepared } from './prepared.ts';
import { readForm } from './read-form.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The largest number of errors that a response lists. */
const MOST_ERRORS = 50;

/**
 * Reads and validates the body of an operation. Whole numbers are integers however they are written (`1e2`, `100.0`); other numbers
 * keep their notation. Members that a caller cannot set are left out. Returns an empty object for an empty body and for one that is not
 * an object.
 * @throws HttpError `bad_request` whose details name every error
 */
export async function readRequestBody(
  prepared: Prepared,
  body: Buffer,
  contentType?: string,
): Promise<Document> {
  const { operation } = prepared;
  if (!operation.hasBody) return {};
  if (body.length === 0) {
    if (operation.bodyRequired)
      throw broken([{ type: 'value_error.missing', pointer: '', message: 'field required' }]);
    return {};
  }
  if (operation.bodyKind === 'bytes')
    return (await import('./read-parts.ts')).factsOfBody(prepared, body, contentType);
  if (operation.bodyKind === 'multipart') return await readPartsOf(prepared, body, contentType);
  const value: unknown = operation.bodyType === FORM_TYPE ? readFormBody(prepared, body) : parse(body);
  requireFit(prepared, value);
  return isObject(value) ? takenFrom(recordIn(value, prepared), prepared) : {};
}

/** The record in a body. The members next to it describe the request. */
function recordIn(body: Document, { operation: { record } }: Prepared): Document {
  const [first, ...inner] = record?.request?.split('.') ?? [];
  if (first === undefined) return body;
  const { [first]: holder, ...beside } = body;
  const found = memberAt(holder, inner);
  return isObject(found) ? { ...beside, ...found } : beside;
}

/** What a schema says about a file, such as its type, is not about the text in its place. */
function requireFit({ body }: Prepared, value: unknown, files: ReadonlySet<string> = new Set()): void {
  const found = body?.problems(comparable(value)) ?? [];
  const problems = found.filter(({ pointer }) => !files.has(pointer));
  if (problems.length === 0) return;
  const details = problems.slice(0, MOST_ERRORS);
  throw broken(details.map(({ pointer, message }) => ({ type: 'value_error.schema', pointer, message })));
}

async function readPartsOf(prepared: Prepared, body: Buffer, contentType?: string): Promise<Document> {
  const { readParts } = await import('./read-parts.ts');
  const read = await readParts(prepared, body, contentType).catch(() => {
    throw broken([{ type: 'value_error.multipart', pointer: '', message: 'must be multipart/form-data' }]);
  });
  requireFit(prepared, withWholeNumbers(read.checked), read.files);
  const taken = takenFrom(read.checked, prepared);
  const isKept = (name: string) => Object.hasOwn(taken, name) || !Object.hasOwn(read.checked, name);
  const kept = mapParts(read.stored, (member, name) => (isKept(name) ? [member] : []));
  return withWholeNumbers(kept) as Document;
}

function readFormBody({ operation, body: form }: Prepared, body: Buffer): unknown {
  try {
    const described = { schema: form?.schema, encoding: operation.bodyEncoding };
    return withWholeNumbers(readForm(decoder.decode(body), described));
  } catch {
    throw broken([{ type: 'value_error.form', pointer: '', message: 'must be a form in UTF-8' }]);
  }
}

/** Matches texts that may contain a number that JavaScript writes in another way. */
const ODD_NUMBER = /\d[.eE]|-0|\d{16}/;

function parse(body: Buffer): unknown {
  try {
    const text = decoder.decode(body);
    if (isNestedDeeper(text, MAX_DEPTH)) {
      const message = `must not be nested more than ${MAX_DEPTH} levels deep`;
      throw broken([{ type: 'value_error.depth', pointer: '', message }]);
    }
    return ODD_NUMBER.test(text) ? withWholeNumbers(parseKeepingNumbers(text)) : JSON.parse(text);
  } catch (error) {
    if (error instanceof HttpError) throw error;
    throw broken([{ type: 'value_error.jsondecode', pointer: '', message: 'must be valid JSON in UTF-8' }]);
  }
}

function withWholeNumbers(value: unknown): unknown {
  if (isObject(value) || Array.isArray(value)) return mapParts(value, (part) => [withWholeNumbers(part)]);
  const number = plainNumber(value);
  return number !== undefined && Number.isSafeInteger(number) ? number : value;
}

type Problem = { readonly type: string; readonly pointer: string; readonly message: string };

function broken(problems: readonly Problem[]): HttpError {
  return new HttpError('bad_request', { details: problems.map((one) => ({ ...one, location: 'body' })) });
}
