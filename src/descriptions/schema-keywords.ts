import { isObject } from '../json/is-object.ts';
import type { AnySchema } from '../schemas/definitions.ts';
import { isPattern } from '../schemas/patterns.ts';
import { hasFormat } from '../schemas/validator.ts';
import { quote } from '../text/format.ts';
import { withoutMarkup } from './plain-text.ts';

/** What the conversion of a keyword needs of its surroundings. */
export type KeywordContext = {
  /** The schema that the keyword is in. */
  readonly source: Readonly<Record<string, unknown>>;
  /** Converts a schema within the keyword's value; `names` lead to it. */
  readonly schema: (part: unknown, ...names: readonly string[]) => AnySchema;
  /** The reference to the definition of what a reference of the document leads to; undefined where there is none. */
  readonly reference: (text: string) => string | undefined;
};

/** The members that a keyword becomes, or what is wrong with it. */
export type ConvertedKeyword = [string, unknown][] | { readonly problem: string | undefined };

type Convert = (value: unknown, name: string, context: KeywordContext) => ConvertedKeyword;

/** Left out without an issue, because it checks nothing. */
const NOTHING: ConvertedKeyword = [];

/** A keyword of JSON Schema 2020-12, or of OpenAPI, in the form of 2020-12. What is not of the right type is left out. */
export function convertKeyword(name: string, value: unknown, context: KeywordContext): ConvertedKeyword {
  return (CONVERSIONS.get(name) ?? unknownKeyword)(value, name, context);
}

/** Keeps a value of the right type, or what it becomes. */
function keepIf<T>(
  test: (value: unknown) => value is T,
  what: string,
  become: (value: T, context: KeywordContext) => unknown = (value) => value,
): Convert {
  return (value, name, context) =>
    test(value)
      ? [[name, become(value, context)]]
      : { problem: `${quote(name)} is not ${what}; it is ignored` };
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown) => typeof value === 'number';
const isCount = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 0;
const areTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);
const areListsOfNames = (value: unknown): value is object =>
  isObject(value) && Object.values(value).every(areTexts);
const isFilled = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > 0;
const text = keepIf(isText, 'a text');
const texts = keepIf(areTexts, 'a list of strings', (value) => [...new Set(value)]);
const count = keepIf(isCount, 'a count');
const flag = keepIf((value) => typeof value === 'boolean', 'true or false');
const anything: Convert = (value, name) => [[name, value]];

const schema: Convert = (value, name, context) => [[name, context.schema(value)]];
const schemas = keepIf(isFilled, 'a list of schemas', (value, context) =>
  value.map((part, index) => context.schema(part, String(index))),
);
const schemaMap = keepIf(isObject, 'an object of schemas', (value, context) =>
  Object.fromEntries(Object.entries(value).map(([key, part]) => [key, context.schema(part, key)])),
);
const unsupported: Convert = (_, name) => ({ problem: `payctl does not check ${quote(name)}` });

/** Extensions are left out, with a word about keywords that check something. */
const unknownKeyword: Convert = (_, name) =>
  name.startsWith('x-') || ANNOTATIONS.has(name)
    ? NOTHING
    : { problem: `${quote(name)} is not a keyword; it is ignored` };

const ANNOTATIONS = new Set([
  'externalDocs',
  'xml',
  '$comment',
  '$schema',
  '$id',
  '$anchor',
  '$vocabulary',
  'contentSchema',
  '$defs',
  'definitions',
  'name',
  'in',
  'optional',
]);

const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

const type: Convert = (value) => {
  const all = [value].flat();
  const known = all.filter((name) => typeof name === 'string' && TYPES.has(name));
  if (known.length < all.length || known.length === 0) {
    return { problem: '"type" names a type that does not exist; any type is accepted' };
  }
  return [['type', Array.isArray(value) ? [...new Set(known)] : value]];
};

/** A limit that 3.0 makes exclusive by a flag next to it. */
function limit(flagName: string): Convert {
  const number = keepIf((value): value is number => isNumber(value) && Number.isFinite(value), 'a number');
  return (value, name, context) => {
    const kept = number(value, name, context);
    return Array.isArray(kept) && context.source[flagName] === true ? [[flagName, value]] : kept;
  };
}

/** In 3.0 a flag, which `limit` reads. */
const exclusive: Convert = (value, name, context) =>
  typeof value === 'boolean' ? NOTHING : keepIf(isNumber, 'a number')(value, name, context);

/** The length of the longest pattern that is checked: a longer one may take longer than anything is worth. */
export const LONGEST_PATTERN = 2000;

/** A regular expression between slashes, as several languages write it. As it stands, no text matches it. */
const BETWEEN_SLASHES = /^\/(\^.*|.*\$)\/([a-z]*)$/s;

const pattern: Convert = (given) => {
  const [, value = given, flags = ''] = BETWEEN_SLASHES.exec(String(given)) ?? [];
  if (flags !== '') return { problem: 'The pattern has flags; it is not checked' };
  if (isPattern(value) && value.length <= LONGEST_PATTERN) return [['pattern', value]];
  return { problem: 'The pattern is not a JavaScript regular expression; it is not checked' };
};

/** The characters of a UUID. */
const UUID_LENGTH = 36;

/** A format, unless the document contradicts it; what writes times in its own way still names a time. */
const format: Convert = (value, name, context) => {
  const { example, default: initial, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = context.source;
  const isOther = (given: unknown) =>
    isText(given) && given !== '' && !/^date|^time/.test(`${value}`) && !hasFormat(given, `${value}`);
  const isTooLong = value === 'uuid' && (Number(minLength) > UUID_LENGTH || Number(maxLength) < UUID_LENGTH);
  if (!isTooLong && !isOther(example) && !isOther(initial)) return text(value, name, context);
  const by = isTooLong ? 'limits of its length' : isOther(example) ? 'example' : 'default';
  return {
    problem: `The format ${quote(`${value}`)} contradicts the ${by} of the schema; it is not checked`,
  };
};

const patternProperties: Convert = (value, name, context) => {
  if (!isObject(value) || Object.keys(value).every(isPattern)) return schemaMap(value, name, context);
  return { problem: 'A pattern is not a JavaScript regular expression; "patternProperties" is not checked' };
};

/** Before 2020-12 a list of schemas was for the elements one by one. */
const items: Convert = (value, _, context) =>
  Array.isArray(value) ? schemas(value, 'prefixItems', context) : schema(value, 'items', context);

const enumeration = keepIf(isFilled, 'a list of values', (value, { source }) =>
  source.nullable === true && !value.includes(null) ? [...value, null] : value,
);

const example: Convert = (value) => [['examples', [value]]];
const examples: Convert = (value, _, { source }) =>
  isFilled(value) && source.example === undefined ? [['examples', value.slice(0, 1)]] : NOTHING;

const discriminator: Convert = (value, _, context) => {
  const { propertyName, mapping } = isObject(value) ? value : {};
  if (typeof propertyName !== 'string')
    return { problem: '"discriminator" names no property; it is ignored' };
  if (!isObject(mapping)) return [['discriminator', { propertyName }]];
  const mapped = Object.entries(mapping).flatMap(([name, target]) => {
    if (typeof target !== 'string') return [];
    const reference = context.reference(/[#/]/.test(target) ? target : `#/components/schemas/${target}`);
    return reference === undefined ? [] : [[name, reference] as const];
  });
  return [['discriminator', { propertyName, mapping: Object.fromEntries(mapped) }]];
};

const reference: Convert = (value, name, context) => {
  if (typeof value !== 'string') return unsupported(value, name, context);
  const target = context.reference(value);
  return target === undefined ? NOTHING : [['$ref', target]];
};

/** Keywords by what they are converted by. */
const CONVERSIONS: ReadonlyMap<string, Convert> = new Map(
  (
    [
      [['title', 'contentEncoding', 'contentMediaType'], text],
      [['format'], format],
      [['description'], keepIf(isText, 'a text', withoutMarkup)],
      [['default', 'const'], anything],
      [['deprecated', 'readOnly', 'writeOnly', 'uniqueItems', 'x-personal-data'], flag],
      [['example'], example],
      [['examples'], examples],
      [['type'], type],
      [['enum'], enumeration],
      [['required'], texts],
      [['pattern'], pattern],
      [['minimum'], limit('exclusiveMinimum')],
      [['maximum'], limit('exclusiveMaximum')],
      [['exclusiveMinimum', 'exclusiveMaximum'], exclusive],
      [
        ['multipleOf'],
        keepIf((value): value is number => isNumber(value) && value > 0, 'a number above zero'),
      ],
      [['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'], count],
      [['minContains', 'maxContains'], count],
      [['allOf', 'anyOf', 'oneOf', 'prefixItems'], schemas],
      [['not', 'if', 'then', 'else', 'contains', 'propertyNames', 'additionalProperties'], schema],
      [['unevaluatedItems', 'unevaluatedProperties', 'additionalItems'], schema],
      [['properties', 'dependentSchemas'], schemaMap],
      [['patternProperties'], patternProperties],
      [['dependentRequired'], keepIf(areListsOfNames, 'an object of lists of names')],
      [['items'], items],
      [['discriminator'], discriminator],
      [['$ref'], reference],
      [['$dynamicRef', '$recursiveRef'], unsupported],
      [['$dynamicAnchor', 'nullable'], () => NOTHING],
    ] as const satisfies readonly (readonly [readonly string[], Convert])[]
  ).flatMap(([names, convert]) => names.map((name): [string, Convert] => [name, convert])),
);

/** A schema that also accepts null. */
export function withNull(schema: AnySchema): AnySchema {
  if (typeof schema === 'boolean') return true;
  const { type, $ref, allOf, anyOf, oneOf } = schema;
  if ($ref === undefined && Array.isArray(type)) return { ...schema, type: [...new Set([...type, 'null'])] };
  if ($ref === undefined && typeof type === 'string' && !allOf && !anyOf && !oneOf)
    return { ...schema, type: type === 'null' ? 'null' : [type, 'null'] };
  const { title, description, default: initial, examples: shown, ...rest } = schema;
  if (Object.keys(rest).length === 0) return schema;
  const kept = { title, description, default: initial, examples: shown };
  const notes = Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined));
  return { ...notes, anyOf: [rest, { type: 'null' }] };
}
