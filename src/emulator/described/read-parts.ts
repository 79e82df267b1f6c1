import { typedForm } from '../../descriptions/form-body.ts';
import { memberSchemas, partsOf, typesOf } from '../../descriptions/schema-at.ts';
import { isObject } from '../../json/is-object.ts';
import type { Document } from './overlay.ts';
import type { Prepared } from './prepared.ts';
import { shapeOf } from './shape.ts';

/** A body of parts: `checked` for its schema, with a text in place of each file, and `stored` for a record. */
export type ReadParts = {
  readonly checked: Document;
  readonly stored: Document;
  /** JSON pointers to the files. */
  readonly files: ReadonlySet<string>;
};

/**
 * Reads a body of `multipart/form-data`. A record has the name, the type and the size of a file, as far as its schema has members for
 * them. @throws what the parser of Node throws for a body that is not valid
 */
export async function readParts(prepared: Prepared, body: Buffer, contentType = ''): Promise<ReadParts> {
  const response = new Response(new Uint8Array(body), { headers: { 'content-type': contentType } });
  const given = new Map<string, (string | File)[]>();
  for (const [name, value] of await response.formData()) {
    const values = given.get(name) ?? [];
    values.push(value);
    given.set(name, values);
  }
  const members = [...given].map(([name, values]) => memberOf(prepared, name, values));
  const schema = prepared.request?.schema;
  const checked = typedForm(Object.fromEntries(members.map(({ name, checked }) => [name, checked])), schema);
  const typed = isObject(checked) ? checked : {};
  const files = members.filter(({ stored }) => stored !== undefined);
  const pairs = files.map(({ name, stored }): [string, unknown] => [name, stored]);
  const [only] = files.length === 1 ? (given.get(files[0]?.name ?? '') ?? []) : [];
  const facts = typeof only === 'object' ? factsOfRecord(prepared, only) : {};
  return {
    checked: typed,
    stored: { ...facts, ...typed, ...Object.fromEntries(pairs) },
    files: new Set(members.flatMap(({ files }) => files)),
  };
}

/** The members of a record that describe a body which is one file. */
export function factsOfBody(prepared: Prepared, body: Buffer, contentType = ''): Document {
  const [type = ''] = contentType.split(';');
  return factsOfRecord(prepared, { size: body.length, type });
}

type Member = {
  readonly name: string;
  readonly checked: unknown;
  /** What a record has in place of files; undefined for a member without files. */
  readonly stored: unknown;
  readonly files: readonly string[];
};

function memberOf({ request, response }: Prepared, name: string, values: readonly (string | File)[]): Member {
  const types = request
    ? typesOf(
        memberSchemas(partsOf(request.schema, request.root), name).flatMap((one) =>
          partsOf(one, request.root),
        ),
      )
    : new Set<string>();
  const isList = values.length > 1 || (types.has('array') && !types.has('object'));
  const [first] = values;
  const isJson =
    typeof first === 'string' && (types.has('object') || (types.has('array') && /^\s*\[/.test(first)));
  const read = (value: string | File) =>
    typeof value === 'object' ? FILE : isJson ? fromJson(value) : value;
  const checked =
    isList && !(isJson && values.length === 1 && types.has('array')) ? values.map(read) : read(first ?? '');
  const pointer = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const files = values.flatMap((value, index) =>
    typeof value === 'object' ? [isList ? `${pointer}/${index}` : pointer] : [],
  );
  if (files.length === 0) return { name, checked, stored: undefined, files };
  const schema = response?.members.get(name);
  const element = response && isList ? shapeOf({ schema, root: response.root }).items : schema;
  const shape = response ? { schema: element, root: response.root } : undefined;
  const records = values.map((value) => (typeof value === 'object' ? recordOf(value, shape) : value));
  return { name, checked, stored: isList ? records : records[0], files };
}

/** What stands for a file where its schema is checked. */
const FILE = 'file';

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A file as a record shows it: its name where the schema has a text, else its name, type and size. */
function recordOf(file: File, of: { readonly schema: unknown; readonly root: unknown } | undefined): unknown {
  const { name, type, size } = file;
  const shape = of && shapeOf(of);
  if (shape?.types?.has('string') && !shape.types.has('object')) return name;
  if (!shape || shape.members.size === 0) return { name, type, size };
  const facts = { name, type, ...furtherFacts(file) };
  return Object.fromEntries(Object.entries(facts).filter(([fact]) => shape.members.has(fact)));
}

/** The members of a record that describe its only file. */
function factsOfRecord({ response }: Prepared, file: FileFacts): Document {
  const facts = Object.entries(furtherFacts(file));
  const isKnown = ([name, fact]: [string, unknown]) => fact !== undefined && response?.members.has(name);
  return Object.fromEntries(facts.filter(isKnown));
}

type FileFacts = { readonly name?: string; readonly type: string; readonly size: number };

function furtherFacts({ name, type, size }: FileFacts): Document {
  return {
    ...{ filename: name, file_name: name, fileName: name },
    ...{ content_type: type, contentType: type, media_type: type, mime_type: type, mimeType: type },
    ...{ size, bytes: size, file_size: size, size_bytes: size },
  };
}
