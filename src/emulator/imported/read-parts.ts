import type { FormStyle } from '../../descriptions/form-encoding.ts';
import { memberSchemas, partsOf, typesOf } from '../../descriptions/schema-at.ts';
import { type Shape, shapeOf } from '../../descriptions/values/shape.ts';
import { pointerSegment } from '../../json/pointer.ts';
import type { Document } from './overlay.ts';
import type { Prepared } from './prepared.ts';
import { readForm } from './read-form.ts';

/**
 * Reads a body of `multipart/form-data`. A record has the name, the type and the size of a file, as far as its schema has members for
 * them. @throws what the parser of Node throws for a body that is not valid
 */
export async function readParts(prepared: Prepared, body: Buffer, contentType = '') {
  const response = new Response(new Uint8Array(body), { headers: { 'content-type': contentType } });
  const parts: readonly Part[] = [...(await response.formData())];
  const files = Map.groupBy(
    parts.flatMap(([name, file]) => (typeof file === 'string' ? [] : { name, file })),
    ({ name }) => name,
  );
  const texts = parts.map(([name, value]) => [name, typeof value === 'string' ? value : FILE]);
  const checked = readForm(new URLSearchParams(texts).toString(), {
    schema: prepared.request?.schema,
    encoding: { ...prepared.operation.bodyEncoding, ...jsonMembers(prepared, parts) },
  }) as Document;
  const members = [...files].map(([name, given]) => memberOf(prepared, checked[name], given));
  const [only] = [...files.values()].flat();
  return {
    /** What its schema applies to, with a text in place of each file. */
    checked,
    /** What a record has. */
    stored: {
      ...(only && files.size === 1 && known(furtherFacts(only.file), prepared.response?.members)),
      ...checked,
      ...Object.fromEntries(members.map(({ name, stored }) => [name, stored])),
    },
    /** JSON pointers to the files. */
    files: new Set(members.flatMap(({ pointers }) => pointers)),
  };
}

type Part = readonly [name: string, value: string | File];
type FilePart = { readonly name: string; readonly file: File };

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

/** The files of a member: where they are, and what a record has in their place. */
function memberOf({ response }: Prepared, checked: unknown, files: readonly FilePart[]) {
  const [{ name } = { name: '' }] = files;
  const isList = Array.isArray(checked);
  const { members, root } = response ?? {};
  const schema = members?.get(name);
  const shape = shapeOf({ schema: isList ? shapeOf({ schema, root }).items : schema, root });
  const records = files.map(({ file }) => recordOf(file, shape));
  const pointer = `/${pointerSegment(name)}`;
  const pointers = isList ? checked.map((_, index) => `${pointer}/${index}`) : [pointer];
  return { name, stored: isList ? records : records[0], pointers };
}

/** What stands for a file where its schema is checked. */
const FILE = 'file';

/** The members of a record that describe a body which is one file. */
export function factsOfBody({ response }: Prepared, body: Buffer, contentType = ''): Document {
  const [type = ''] = contentType.split(';');
  return known(furtherFacts({ size: body.length, type }), response?.members);
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
