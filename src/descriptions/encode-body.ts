import { bodyNotValid } from '../errors.ts';
import { stringifyExactJson } from '../json/exact.ts';
import { isObject, own } from '../json/is-object.ts';
import { elementSchemas, memberSchemas, partsOf, type Schema } from '../schemas/schema-at.ts';
import { FORM_TYPE } from '../text/format.ts';
import { isJsonType, typesIn } from '../text/media-type.ts';
import {
  type BodyPart,
  type ByteSource,
  type BytesBody,
  bytesSource,
  sourceOf,
  typeOfSource,
} from './byte-source.ts';
import { encodeForm, requirePlainName, scalarText } from './form-body.ts';
import type { FormEncoding } from './form-encoding.ts';
import type { BodyForm } from './imported-operation.ts';

/** How the body of an operation is written; one without `encode` is JSON. */
export type BodyEncoder = {
  readonly contentType: string | undefined;
  readonly encode?: (body: unknown) => string | BytesBody;
};

/** How the body of an operation is written: as JSON, a form, parts or bytes. */
export function encoderOf(operation: BodyForm): BodyEncoder {
  const { bodyType, bodyKind, bodyEncoding, bodyTypes, partTypes: types, requestSchema: schema } = operation;
  const written = (encode: BodyEncoder['encode']) => ({ contentType: bodyType, ...(encode && { encode }) });
  if (bodyKind === 'multipart')
    return written((body) => encodeMultipart(body, { schema, types, styles: bodyEncoding }));
  if (bodyKind === 'bytes') return written((body) => encodeBytes(body, bodyTypes ?? []));
  return written(bodyType === FORM_TYPE ? (body) => encodeForm(body, bodyEncoding) : undefined);
}

/** What the description says about the parts of a body. */
export type PartEncoding = {
  readonly schema: unknown;
  /** The media types of the members for which the description has them. */
  readonly types: Readonly<Record<string, string>> | undefined;
  /** How members are written for which the description says so; only `brackets` is another way than the usual one. */
  readonly styles?: FormEncoding | undefined;
};

/**
 * A body as `multipart/form-data` (RFC 7578): each member is a part, each element of a list one of the same name. Bytes are a file, an
 * object is JSON, anything else a text. A file is read when the body is sent, piece by piece.
 * @throws UsageError `bad_body` for what is not an object
 */
export function encodeMultipart(body: unknown, encoding: PartEncoding): BytesBody {
  if (!isObject(body) || sourceOf(body)) throw bodyNotValid('its parts must be an object');
  const boundary = `payctl-${globalThis.crypto.randomUUID()}`;
  const parts = Object.entries(body).flatMap(([name, value]) => partsOfMember(name, value, encoding));
  const head = (part: Part) => Buffer.from(`--${boundary}\r\n${headOf(part)}\r\n\r\n`);
  const tail = Buffer.from(`--${boundary}--\r\n`);
  const sizes = parts.map((part) => {
    const { size } = part.source;
    return size === undefined ? Number.NaN : head(part).length + size + LINE_END.length;
  });
  const size = sizes.reduce((sum, each) => sum + each, tail.length);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    size: Number.isNaN(size) ? undefined : size,
    canRepeat: parts.every(({ source }) => source.canRepeat),
    parts: parts.map(({ shown }) => shown),
    async *pieces() {
      for (const part of parts) {
        yield head(part);
        yield* part.source.pieces();
        yield LINE_END;
      }
      yield tail;
    },
  };
}

/**
 * A body that is one file, or a text: its bytes unchanged, with the one of the media types that fits it.
 * @throws UsageError `bad_body` for anything else
 */
export function encodeBytes(body: unknown, types: readonly string[]): BytesBody {
  const source = typeof body === 'string' ? bytesSource(Buffer.from(body)) : sourceOf(body);
  if (!source) throw bodyNotValid('it must be bytes or a text');
  const type = typeOfSource(source, types);
  const { size, fileName, canRepeat } = source;
  const text = typeof body === 'string' ? { text: body } : {};
  const shown = { name: undefined, fileName, ...text, type, size };
  return { contentType: type, size, canRepeat, parts: [shown], pieces: () => source.pieces() };
}

const LINE_END = Buffer.from('\r\n');

type Part = {
  readonly shown: BodyPart & { readonly name: string };
  readonly source: ByteSource;
  /** The header `content-type`; a text has none. */
  readonly type: string | undefined;
};

function partsOfMember(name: string, value: unknown, encoding: PartEncoding): readonly Part[] {
  const { schema, types, styles } = encoding;
  if (styles && Object.hasOwn(styles, name) && styles[name] === 'brackets')
    return partsInBrackets(name, value);
  const allowed = typesIn(own(types, name));
  const isJson = allowed.length === 1 && isJsonType(allowed[0] ?? '');
  const member = schemaParts(memberSchemas(partsOf(schema, schema), name), schema);
  if (!Array.isArray(value) || isJson) return [partOf(name, value, { allowed, member })];
  const element = schemaParts(elementSchemas(member), schema);
  return value.map((each) => partOf(name, each, { allowed, member: element }));
}

/** Each value of an object or a list as a part of its own: `to[name]`, at any depth. @throws UsageError `bad_body` for a name with a bracket */
function partsInBrackets(name: string, value: unknown, path = name): readonly Part[] {
  const isOpen = Array.isArray(value) || (isObject(value) && !sourceOf(value));
  if (!isOpen) return [partOf(name, value, { allowed: [], member: [] })];
  if (path === name) requirePlainName(name, path);
  return Object.entries(value).flatMap(([key, one]) => {
    const below = `${path}/${key}`;
    requirePlainName(key, below);
    return partsInBrackets(`${name}[${key}]`, one, below);
  });
}

function schemaParts(schemas: readonly unknown[], root: unknown): readonly Schema[] {
  return schemas.flatMap((schema) => partsOf(schema, root));
}

type About = { readonly allowed: readonly string[]; readonly member: readonly Schema[] };

function partOf(name: string, value: unknown, { allowed, member }: About): Part {
  const named = allowed.length > 0 ? allowed : member.flatMap((one) => typesIn(one.contentMediaType));
  const given = sourceOf(value);
  if (!given) return textPart(name, value, named);
  const type = typeOfSource(given, named);
  const shown = { name, fileName: given.fileName ?? name, type, size: given.size };
  return { shown, source: given, type };
}

function textPart(name: string, value: unknown, [first]: readonly string[]): Part {
  const isJson = Array.isArray(value) || isObject(value);
  const text = isJson ? stringifyExactJson(value) : scalarText(value);
  const source = bytesSource(Buffer.from(text));
  const type = first && !first.includes('*') ? first : isJson ? 'application/json' : undefined;
  return { shown: { name, text, type: type ?? 'text/plain', size: source.size }, source, type };
}

function headOf({ shown, type }: Part): string {
  const file = shown.fileName === undefined ? '' : `; filename="${quoted(shown.fileName)}"`;
  const typed = type === undefined ? '' : `\r\nContent-Type: ${type.replaceAll(/[^!-~ ]/g, '')}`;
  return `Content-Disposition: form-data; name="${quoted(shown.name)}"${file}${typed}`;
}

/** A name as browsers write it: what would end it or begin another header is escaped, everything else is UTF-8. */
function quoted(name: string): string {
  return name.replaceAll(
    /["\p{Cc}]/gu,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}
