import { UsageError } from '../errors.ts';
import { indexBelow } from '../json/depth.ts';
import { describePlace, findJsonError, placeAt } from '../json/input.ts';
import { isObject } from '../json/is-object.ts';
import { repeatedMembers } from '../json/repeated-members.ts';
import { quote } from '../text/format.ts';

/** How deep a description may be nested: more than any that is written by hand, less than the stack takes. */
const MAX_DEPTH = 500;

/** A description that is read, and the OpenAPI version that it follows. A Swagger 2.0 document is given as its conversion to OpenAPI 3.0. */
export type ParsedDescription = {
  readonly document: Readonly<Record<string, unknown>>;
  readonly openapi: '2.0' | '3.0' | '3.1' | '3.2';
  /** The paths of members that an object has more than once. */
  readonly repeated: readonly (readonly string[])[];
};

/**
 * Reads the text of an OpenAPI description of version 2.0, or 3.0 to 3.2, in JSON or YAML. `file` is what messages call it.
 * YAML may not repeat a key.
 * @throws UsageError `invalid_description` with line and column, `not_a_description`, which says what the document is instead
 */
export async function parseDescription(text: string, file: string): Promise<ParsedDescription> {
  const isJson = /^\s*[{[]/.test(text) && !/\.ya?ml$/i.test(file);
  const other = isJson ? undefined : lookOf(text, file);
  if (other !== undefined) throw notADescription(file, `it looks like ${other}`);
  const document = isJson ? parseJson(text, file) : await parseYaml(text, file);
  if (!isObject(document)) throw notADescription(file, `it is ${shapeOf(document)}, not an object`);
  const openapi = VERSIONS.find((one) => isVersion(one === '2.0' ? document.swagger : document.openapi, one));
  if (openapi === undefined) throw notADescription(file, `it is ${kindOf(document)}`);
  const repeated = isJson ? repeatedMembers(text) : [];
  return { document: openapi === '2.0' ? await upgrade(document, file) : document, openapi, repeated };
}

const VERSIONS = ['3.0', '3.1', '3.2', '2.0'] as const;

/** In YAML, a version without quotes may be a number. */
function isVersion(value: unknown, version: (typeof VERSIONS)[number]): boolean {
  const text = typeof value === 'number' ? value.toFixed(1) : String(value);
  return text === version || text.startsWith(`${version}.`);
}

async function upgrade(
  document: Record<string, unknown>,
  file: string,
): Promise<ParsedDescription['document']> {
  const { readSwagger } = await import('./swagger.ts');
  try {
    return readSwagger({ ...document, swagger: '2.0' });
  } catch (error) {
    throw invalid(file, `is malformed for Swagger 2.0: ${error instanceof Error ? error.message : error}`);
  }
}

/** What a file looks like if it is clearly not a description; undefined if it may be one. */
function lookOf(text: string, file: string): string | undefined {
  const start = text.slice(0, LOOKED_AT).trimStart();
  if (/^(?:openapi|swagger|asyncapi|["']openapi["'])\s*:/m.test(start)) return undefined;
  if (start === '') return 'an empty file';
  if (start.includes('\0')) return 'a binary file, such as an archive';
  if (/^<(?:!doctype html|html|head|body)\b/i.test(start)) return 'a web page';
  if (start.startsWith('<')) return 'XML';
  const isMarkdown = /\.(?:md|markdown)$/i.test(file) || /^#{1,6} \S/.test(start);
  return isMarkdown && !/\.(?:ya?ml|json)$/i.test(file) ? 'Markdown' : undefined;
}

const LOOKED_AT = 100_000;

function shapeOf(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  return value === null || value === undefined ? 'empty' : `a ${typeof value}`;
}

function parseJson(text: string, file: string): unknown {
  const deep = indexBelow(text, MAX_DEPTH);
  if (deep !== undefined) throw tooDeep(file, placeAt(text, deep));
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const place = findJsonError(text);
    throw invalid(file, `is not JSON: ${place ? describePlace(text, place) : error.message}`);
  }
}

async function parseYaml(text: string, file: string): Promise<unknown> {
  const { readQuickly } = await import('./quick-yaml.ts');
  const value = readQuickly(text, MAX_DEPTH);
  if (value) return value;
  const { parseYamlText } = await import('./yaml.ts');
  const read = parseYamlText(text, MAX_DEPTH);
  if ('isTooDeep' in read) throw tooDeep(file, read);
  if ('problem' in read) throw invalid(file, `is not YAML that payctl reads: ${read.problem}${textOf(read)}`);
  checkTree(read.value, { file, most: text.length + MOST_REPEATED });
  return read.value;
}

/** The number of values that aliases may add to any document. */
const MOST_REPEATED = 1000;

/** Refuses a document that aliases make too deep or too large; without aliases, it has fewer values than characters. */
function checkTree(value: unknown, { file, most }: { readonly file: string; readonly most: number }): void {
  let count = 0;
  const waiting: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 1 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    count += 1;
    if (count > most)
      throw invalid(file, 'is not YAML that payctl reads: its aliases expand to too much data');
    if (typeof next.value !== 'object' || next.value === null) continue;
    if (next.depth > MAX_DEPTH) throw tooDeep(file);
    for (const part of Object.values(next.value)) waiting.push({ value: part, depth: next.depth + 1 });
  }
}

type Place = { readonly line: number; readonly column: number };

function tooDeep(file: string, place?: Place): UsageError {
  return invalid(file, `is nested more than ${MAX_DEPTH} levels deep${place ? textOf(place) : ''}`);
}

function textOf({ line, column }: Place): string {
  return ` at line ${line}, column ${column}`;
}

function invalid(file: string, what: string): UsageError {
  return new UsageError('invalid_description', `${file} ${what}`);
}

function notADescription(file: string, what: string): UsageError {
  return new UsageError(
    'not_a_description',
    `${file} is not an API description that payctl can read: ${what}`,
    {
      hint: 'payctl reads OpenAPI 3.0 to 3.2 and Swagger 2.0, as JSON or YAML, such as the openapi.json or openapi.yaml of your service.',
    },
  );
}

/** The kind of a document that is not OpenAPI 3, by its members. */
function kindOf(document: Readonly<Record<string, unknown>>): string {
  const { openapi, swagger, asyncapi, info } = document;
  if (openapi !== undefined) return `OpenAPI ${version(openapi)}`;
  if (swagger !== undefined) return `Swagger ${version(swagger)}`;
  if (asyncapi !== undefined) return `AsyncAPI ${version(asyncapi)}`;
  if (isObject(info) && (info._postman_id !== undefined || String(info.schema).includes('postman'))) {
    return 'a Postman collection';
  }
  if (document.$schema !== undefined || document.$defs !== undefined) return 'a JSON Schema';
  return 'a document without the field "openapi"';
}

function version(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number'
    ? quote(String(value))
    : 'of an unknown version';
}
