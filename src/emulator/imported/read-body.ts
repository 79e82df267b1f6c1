import type { FormStyle } from '../../descriptions/form-encoding.ts';
import type { Action } from '../../descriptions/imported-operation.ts';
import { readForm } from '../../descriptions/read-form.ts';
import { parseKeepingNumbers, plainNumber } from '../../json/exact.ts';
import { isObject, memberAt } from '../../json/is-object.ts';
import { valueAtPointer } from '../../json/pointer.ts';
import { memberSchemas, partsOf, typesOf } from '../../schemas/schema-at.ts';
import { type RootedSchema, type Shape, shapeOf } from '../../schemas/values/shape.ts';
import { FORM_TYPE } from '../../text/format.ts';
import { MOST_ERRORS, requireShallow } from '../http/body.ts';
import { badRequest, HttpError } from '../http/response.ts';
import type { RouteContext } from '../resources/resource.ts';
import type { Served } from './kinds.ts';
import { takenFrom } from './members.ts';
import { type Document, mapParts, withValueAt } from './overlay.ts';
import type { Prepared } from './prepared.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads and validates the body of an operation. Whole numbers are integers however they are written (`1e2`, `100.0`); other numbers
 * keep their notation. Members that a caller cannot set are left out. Returns an empty object for an empty body and for one that is not
 * an object.
 * @throws HttpError `bad_request` whose details name every error
 */
export async function readRequestBody(
  prepared: Prepared,
  { action }: Served,
  { body, headers: { 'content-type': contentType } }: RouteContext,
): Promise<Document> {
  const { operation } = prepared;
  if (!operation.hasBody) return {};
  if (body.length === 0) {
    if (operation.bodyRequired) throw badRequest('body', 'value_error.missing', 'the body is missing');
    return {};
  }
  if (operation.bodyKind === 'bytes') {
    const [type = ''] = contentType?.split(';') ?? [];
    return known(furtherFacts({ size: body.length, type }), prepared.response?.members);
  }
  if (operation.bodyKind === 'multipart') return await readPartsOf(prepared, body, contentType);
  const value = parse(prepared, body);
  requireFit(prepared, value);
  return isObject(value) ? takenFrom(recordIn(value, prepared, action), prepared) : {};
}

/** The record in a body. The members next to it describe the request. */
function recordIn(body: Document, prepared: Prepared, action: Action | undefined): Document {
  const path = prepared.operation.record?.request?.split('.') ?? [];
  const [first, ...inner] = path;
  if (first === undefined) return body;
  const { [first]: holder, ...beside } = body;
  if (Array.isArray(holder) && holder.length !== 1) {
    const message = 'must have one record: the emulator makes or changes one at a time';
    throw badRequest('body', 'value_error.list.one_item', message, `/${first}`);
  }
  const found = memberAt(holder, inner);
  // A new record that the body does not have lacks what an empty one lacks.
  if (found === undefined && action === 'create') requireFit(prepared, withValueAt(body, path, {}));
  return isObject(found) ? { ...beside, ...found } : beside;
}

/** Stands for a file in a body that is checked: what a schema says about a file is not about a text. */
const FILE = '\0file';

function requireFit({ body }: Prepared, value: unknown): void {
  const found = body?.problems(value) ?? [];
  const problems = found.filter(({ pointer }) => valueAtPointer(value, pointer) !== FILE);
  const details = problems.slice(0, MOST_ERRORS).map(({ pointer, message }) => {
    return { type: 'value_error.schema', pointer, message, location: 'body' as const };
  });
  if (details.length > 0) throw new HttpError('bad_request', { details });
}

/** Reads a body of `multipart/form-data`. A record has what its schema has members for of a file: its name, type and size. */
async function readPartsOf(prepared: Prepared, body: Buffer, contentType = ''): Promise<Document> {
  const response = new Response(new Uint8Array(body), { headers: { 'content-type': contentType } });
  const form = await response.formData().catch(() => {
    throw badRequest('body', 'value_error.multipart', 'must be multipart/form-data');
  });
  const parts: readonly Part[] = [...form];
  const texts = parts.map(([name, value]) => [name, typeof value === 'string' ? value : FILE]);
  const read = readForm(new URLSearchParams(texts).toString(), {
    schema: prepared.request?.schema,
    encoding: { ...prepared.operation.bodyEncoding, ...jsonMembers(prepared, parts) },
  });
  const checked = withWholeNumbers(read) as Document;
  requireFit(prepared, checked);
  const { members, root } = prepared.response ?? {};
  const given = parts.flatMap(([name, file]) => (typeof file === 'string' ? [] : { name, file }));
  const files = [...Map.groupBy(given, ({ name }) => name)].map(([name, all]) => {
    return [name, recordsOf(all, checked[name], { schema: members?.get(name), root })] as const;
  });
  const [first] = files.length === 1 ? given : [];
  return {
    ...(first && known(furtherFacts(first.file), members)),
    ...takenFrom({ ...checked, ...Object.fromEntries(files) }, prepared),
  };
}

function parse({ operation, body: described }: Prepared, body: Buffer): unknown {
  const isForm = operation.bodyType === FORM_TYPE;
  const how = { schema: described?.schema, encoding: operation.bodyEncoding };
  try {
    const text = decoder.decode(body);
    if (!isForm) requireShallow(text);
    return withWholeNumbers(isForm ? readForm(text, how) : parseKeepingNumbers(text));
  } catch (error) {
    if (error instanceof HttpError) throw error;
    if (isForm) throw badRequest('body', 'value_error.form', 'must be a form in UTF-8');
    throw badRequest('body', 'value_error.jsondecode', 'must be valid JSON in UTF-8');
  }
}

function withWholeNumbers(value: unknown): unknown {
  if (isObject(value) || Array.isArray(value)) return mapParts(value, (part) => [withWholeNumbers(part)]);
  const number = plainNumber(value);
  return number !== undefined && Number.isSafeInteger(number) ? number : value;
}

type Part = readonly [name: string, value: string | File];

/** The parts that are JSON by the schema: an object, and a list in one part. */
function jsonMembers({ request }: Prepared, parts: readonly Part[]): Record<string, FormStyle> {
  if (!request) return {};
  const { schema, root } = request;
  const members = partsOf(schema, root);
  const found = [...new Map(parts)].filter(([name, value]) => {
    const types = typesOf(memberSchemas(members, name).flatMap((one) => partsOf(one, root)));
    return types.has('object') || (types.has('array') && /^\s*\[/.test(String(value)));
  });
  return Object.fromEntries(found.map(([name]) => [name, 'json']));
}

/** What a record has in the place of the files of a member. */
function recordsOf(
  files: readonly { readonly file: File }[],
  checked: unknown,
  { schema, root }: RootedSchema,
): unknown {
  const isList = Array.isArray(checked);
  const shape = shapeOf({ schema: isList ? shapeOf({ schema, root }).items : schema, root });
  const records = files.map(({ file }) => recordOf(file, shape));
  return isList ? records : records[0];
}

/** A file as a record shows it: its name where the schema has a text, else its name, type and size. */
function recordOf(file: File, { types, members }: Shape): unknown {
  const { name, type, size } = file;
  if (types?.has('string') && !types.has('object')) return name;
  return members.size === 0 ? { name, type, size } : known({ name, type, ...furtherFacts(file) }, members);
}

function known(facts: Document, members?: ReadonlyMap<string, unknown>): Document {
  const isKnown = ([name, fact]: [string, unknown]) => fact !== undefined && members?.has(name);
  return Object.fromEntries(Object.entries(facts).filter(isKnown));
}

/** What a record of a file may say about it, by the names of its members. */
function furtherFacts({ name, type, size }: { name?: string; type: string; size: number }): Document {
  return {
    ...{ filename: name, file_name: name, fileName: name },
    ...{ content_type: type, contentType: type, media_type: type, mime_type: type, mimeType: type },
    ...{ size, bytes: size, file_size: size, size_bytes: size },
  };
}
