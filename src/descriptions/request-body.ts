import type { QueryParameter } from '../contract/operation.ts';
import { isObject } from '../json/is-object.ts';
import { type ConvertedSchema, nameOfSchema } from '../schemas/definitions.ts';
import type { SchemaView } from '../schemas/schema-view.ts';
import { FORM_TYPE, quote } from '../text/format.ts';
import { bareType, JSON_PATCH, typesIn } from '../text/media-type.ts';
import { type Content, type MediaType, readContent } from './content.ts';
import type { Declaration, OperationContext } from './declaration.ts';
import { readEncoding } from './form-encoding.ts';
import { keyAmong } from './idempotency-key.ts';
import type { BodyForm, ImportedOperation } from './imported-operation.ts';
import { limitsOf, viewSchema } from './parameter-limits.ts';
import { onlyReads } from './reads.ts';
import { locationBelow, NotRunnable } from './references.ts';

/** The body of an operation. */
export type ReadBody = {
  readonly operation: BodyForm & Pick<ImportedOperation, 'hasBody' | 'bodyRequired'>;
  /** Each media type that it may have, the usual one first. */
  readonly bodies: readonly TypedBody[];
};

/** A body in one of its media types. */
type TypedBody = { readonly form: BodyForm; readonly schema: ConvertedSchema | null };

const NO_BODY: ReadBody = { operation: { hasBody: false }, bodies: [] };

/** Reads the body of an operation. @throws NotRunnable where payctl cannot send it */
export function readBody(
  { value, location: above, method, path }: Declaration,
  context: OperationContext,
): ReadBody {
  if (value.requestBody === undefined) return NO_BODY;
  const location = locationBelow(above, 'requestBody');
  const needed = { name: 'Its body', location };
  const found = context.references.require(value.requestBody, location, needed);
  const body = isObject(found.value) ? found.value : {};
  const content = readContent(found, needed, context);
  const { types, best } = content;
  const isRequired = body.required === true;
  // Some documents give every operation an empty form.
  if (best && best.kind !== 'json' && !isRequired && isEmptyForm(best)) return emptyForm(best, method);
  const bodies = method === 'GET' ? [] : bodiesOf(content, context, !onlyReads({ method, path }));
  const [usual] = bodies;
  if (usual)
    return { operation: { hasBody: true, ...(isRequired && { bodyRequired: true }), ...usual.form }, bodies };
  if (types.length === 0) return NO_BODY;
  const message = best
    ? 'payctl sends no body with GET'
    : `Its body is ${types.map((type) => quote(type)).join(' or ')}, which payctl does not write`;
  const code = best ? 'body_of_get' : 'body_not_json';
  if (isRequired || (method !== 'GET' && method !== 'DELETE')) throw new NotRunnable(location, code, message);
  context.issues.add(location, code, message);
  return NO_BODY;
}

/** A body in each media type that payctl can send, the usual one first. */
function bodiesOf(
  { types, best, others, text }: Content,
  context: OperationContext,
  mayHaveKey: boolean,
): readonly TypedBody[] {
  const known = new Set([best, ...others].map((media) => media?.type));
  const unchanged = bytesTypes(types.filter((type) => !known.has(type)));
  if (!best) return unchanged.length === 0 ? [] : [bytesBody(unchanged, text && integerIn(text, context))];
  const usual = schemaBody(best, context, mayHaveKey);
  const isOne = (type: string) => !type.includes('*');
  const further = [
    ...others.filter(({ type }) => isOne(type)).map((each) => schemaBody(each, context, mayHaveKey)),
    ...unchanged.filter(isOne).map((type) => bytesBody([type])),
  ];
  return [usual, ...further.filter(({ form }) => form.bodyType !== usual.form.bodyType)];
}

/** A form without fields: the request has its media type, and no body. */
function emptyForm({ kind }: MediaType, method: Declaration['method']): ReadBody {
  const hasType = kind === 'form' && method !== 'GET' && method !== 'DELETE';
  return hasType ? { ...NO_BODY, operation: { hasBody: false, bodyType: FORM_TYPE } } : NO_BODY;
}

/** The schema of a JSON patch (RFC 6902), for documents that say only that it is an object. */
const PATCH_SCHEMA = { type: 'array', items: { type: 'object', required: ['op', 'path'] } };

function sourceOf({ type, schema, location }: MediaType, { references }: OperationContext): unknown {
  if (bareType(type) !== JSON_PATCH) return schema;
  const found = references.follow(schema ?? {}, location);
  const isObjectOnly = 'value' in found && isObject(found.value) && found.value.type === 'object';
  return isObjectOnly || schema === undefined ? PATCH_SCHEMA : schema;
}

/** A body that is written by its schema: JSON, a form or parts. */
function schemaBody(media: MediaType, context: OperationContext, mayHaveKey: boolean): TypedBody {
  const { kind, ownType, encoding, location } = media;
  const source = sourceOf(media, context);
  const schema = source === undefined ? null : context.schemas.convert(source, location);
  const styles = kind === 'json' ? undefined : readEncoding(encoding);
  const partTypes = kind === 'multipart' ? readPartTypes(encoding) : undefined;
  const name = nameOfSchema(schema);
  const key = mayHaveKey ? keyMember(context.views.of(schema?.schema)) : undefined;
  const form = {
    ...(name !== undefined && { bodySchema: name }),
    ...(ownType !== undefined && { bodyType: ownType }),
    ...(styles && { bodyEncoding: styles }),
    ...(kind === 'multipart' && { bodyKind: kind }),
    ...(partTypes && { partTypes }),
    ...(key !== undefined && { idempotencyMember: key }),
  };
  return { form, schema };
}

/** The text of a body that is such a key. One that is all of the body says which request it is about. */
function keyMember({ members, viewOf }: SchemaView): string | undefined {
  if (members.size < 2) return undefined;
  const texts = [...members.keys()].filter((name) => viewOf(members.get(name)).types.has('string'));
  return keyAmong(texts, (name) => viewOf(members.get(name)).description);
}

/** The media types of a body that can be sent unchanged; a multipart body needs a writer of its own. */
function bytesTypes(types: readonly string[]): readonly string[] {
  return [...new Set(types.flatMap(typesIn))].filter((type) => !type.startsWith('multipart/'));
}

function bytesBody(bodyTypes: readonly string[], bodyValue?: QueryParameter): TypedBody {
  const types = { bodyKind: 'bytes', bodyType: bodyTypes.join(' or '), bodyTypes } as const;
  return { form: { ...types, ...(bodyValue && { bodyValue }) }, schema: null };
}

/** What a text is, where it is an integer. */
function integerIn(text: NonNullable<Content['text']>, context: OperationContext) {
  const view = viewSchema(text.schema ?? {}, text.location, context);
  const shape = 'problem' in view ? view : limitsOf(view, { ...context, ...text, name: 'body' });
  if ('problem' in shape || shape.multiple) return undefined;
  return shape.type === 'integer' || shape.orInteger ? shape : undefined;
}

/** The media types that `encoding` names for parts. */
function readPartTypes(encoding: unknown): Readonly<Record<string, string>> | undefined {
  const types = Object.entries(isObject(encoding) ? encoding : {}).flatMap(([name, member]) => {
    const all = typesIn(isObject(member) ? member.contentType : undefined);
    return all.length === 0 ? [] : [[name, all.join(', ')] as const];
  });
  return types.length === 0 ? undefined : Object.fromEntries(types);
}

function isEmptyForm({ schema }: MediaType): boolean {
  const { type, properties } = isObject(schema) ? schema : {};
  return type === 'object' && isObject(properties) && Object.keys(properties).length === 0;
}
