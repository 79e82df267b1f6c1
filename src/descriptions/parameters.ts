import type { QueryParameter } from '../contract/operation.ts';
import { isObject } from '../json/is-object.ts';
import { quote } from '../text/format.ts';
import type { Issues } from './issues.ts';
import { shortText } from './plain-text.ts';
import { type Place, placeBelow, type References } from './references.ts';

/** The parameters of an operation, by where they are sent. */
export type Parameters = {
  readonly query: ReadonlyMap<string, QueryParameter>;
  readonly path: ReadonlyMap<string, QueryParameter>;
  /** Header parameters by their names in lower case, without those that every request has or that belong to the connection. */
  readonly headers: ReadonlyMap<string, HeaderParameter>;
};

/** A header that an operation takes. */
export type HeaderParameter = {
  readonly name: string;
  readonly required: boolean;
  readonly place: Place;
  /** How its value is written, or why payctl does not send it. */
  readonly parameter: QueryParameter | Unreadable;
};

/** Why an operation cannot be run. */
export type Skip = { readonly place: Place; readonly code: string; readonly message: string };

/** What parameters are read with. */
export type ParameterContext = { readonly references: References; readonly issues: Issues };

type Declared = {
  readonly name: string;
  readonly in: string;
  readonly value: Readonly<Record<string, unknown>>;
  readonly place: Place;
};

/** The headers that OpenAPI says are no parameters, and others that payctl or the connection decides. */
const OWN_HEADERS = new Set([
  'accept',
  'content-type',
  'authorization',
  'user-agent',
  'accept-encoding',
  'host',
]);

/**
 * Headers that belong to the connection, or to credentials that payctl does not have; and those that make another request of one,
 * with which a GET could change something where only reading is allowed, and nobody would be asked.
 */
const NEVER_SENT = new Set([
  ...[
    'content-length',
    'transfer-encoding',
    'connection',
    'keep-alive',
    'te',
    'trailer',
    'upgrade',
    'expect',
  ],
  ...['cookie', 'proxy-authorization', 'proxy-authenticate', 'proxy-connection', 'content-encoding'],
  ...['x-http-method-override', 'x-http-method', 'x-method-override', 'x-original-url', 'x-rewrite-url'],
]);
const HEADER_NAME = /^[a-z][a-z0-9-]{0,99}$/;

function readHeader(parameter: Declared, context: ParameterContext): QueryParameter | Unreadable {
  const name = parameter.name.toLowerCase();
  if (NEVER_SENT.has(name) || !HEADER_NAME.test(name))
    return { code: 'header_not_sent', problem: 'payctl does not send this header' };
  return readParameter(parameter, context);
}

/**
 * Reads the parameters of an operation, each a list with the place of it: those of its path first, which its own override.
 * @throws Skip-like values are returned, not thrown: an operation that needs what payctl cannot send is not run
 */
export function readParameters(
  lists: readonly { readonly value: unknown; readonly place: Place }[],
  context: ParameterContext,
): Parameters | Skip {
  const declared = declaredParameters(lists, context);
  if ('code' in declared) return declared;
  const query = new Map<string, QueryParameter>();
  const path = new Map<string, QueryParameter>();
  const headers = new Map<string, HeaderParameter>();
  for (const parameter of declared.values()) {
    const { name, value, place } = parameter;
    const required = value.required === true || parameter.in === 'path';
    if (parameter.in === 'header') {
      const key = name.toLowerCase();
      if (!OWN_HEADERS.has(key))
        headers.set(key, { name, required, place, parameter: readHeader(parameter, context) });
      continue;
    }
    const read = parameter.in === 'cookie' ? COOKIE : readParameter(parameter, context);
    if ('problem' in read) {
      if (required)
        return { place, code: read.code, message: `It needs the parameter ${quote(name)}: ${read.problem}` };
      context.issues.add(place, { code: read.code, message: `${quote(name)} is not sent: ${read.problem}` });
    } else if (parameter.in === 'path') path.set(name, { ...read, required: true });
    else query.set(name, { ...read, ...(required && { required }) });
  }
  return { query, path, headers };
}

const COOKIE = { code: 'parameter_in_cookie', problem: 'payctl does not send cookies' } as const;

function declaredParameters(
  lists: readonly { readonly value: unknown; readonly place: Place }[],
  { references, issues }: ParameterContext,
): ReadonlyMap<string, Declared> | Skip {
  const declared = new Map<string, Declared>();
  for (const { value: list, place: above } of lists) {
    for (const [index, entry] of (Array.isArray(list) ? list : []).entries()) {
      const place = placeBelow(above, String(index));
      const found = references.follow(entry, place);
      if ('code' in found)
        return { place, code: found.code, message: `A parameter could not be read: ${found.message}` };
      const { value } = found;
      const isKnown = isObject(value) && typeof value.name === 'string' && PLACES.has(String(value.in));
      if (isKnown) {
        const key = `${value.in} ${value.in === 'header' ? String(value.name).toLowerCase() : value.name}`;
        declared.set(key, { name: String(value.name), in: String(value.in), value, place });
      } else
        issues.add(place, {
          code: 'parameter_invalid',
          message: 'The parameter has no name or no location; it is not sent',
        });
    }
  }
  return declared;
}

const PLACES = new Set(['query', 'path', 'header', 'cookie']);

/** Why a parameter is not sent. */
type Unreadable = { readonly code: string; readonly problem: string };

function readParameter(
  { name, in: where, value, place }: Declared,
  context: ParameterContext,
): QueryParameter | Unreadable {
  if (name === '' || name.length > 200 || /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name)) {
    return { code: 'parameter_name', problem: 'its name cannot be typed' };
  }
  const below = placeBelow(place, 'schema');
  const summary = shortText(value.description);
  const noted = summary === '' ? {} : { summary };
  if (value.content !== undefined) {
    context.issues.add(place, {
      code: 'parameter_less_checked',
      message: `${quote(name)} is sent as typed: it is a document`,
    });
    return { type: 'string', ...noted };
  }
  const shape = shapeOf(value.schema ?? {}, { ...context, place: below, name, depth: 0 });
  if ('problem' in shape) return shape;
  if (!shape.multiple) return { ...shape, ...noted };
  const separator = where === 'path' || where === 'header' ? ',' : separatorOf(value);
  if (separator === undefined)
    return {
      code: 'parameter_style',
      problem: `payctl does not support its style ${quote(String(value.style))}`,
    };
  return { ...shape, ...(separator === '' ? {} : { separator }), ...noted };
}

/** What joins the elements of a list; empty where the key is repeated. */
function separatorOf({
  style,
  explode,
}: Readonly<Record<string, unknown>>): '' | ',' | ' ' | '|' | undefined {
  switch (style ?? 'form') {
    case 'form':
      return explode === false ? ',' : '';
    case 'spaceDelimited':
      return explode === true ? '' : ' ';
    case 'pipeDelimited':
      return explode === true ? '' : '|';
    default:
      return undefined;
  }
}

type ShapeContext = ParameterContext & {
  readonly place: Place;
  readonly name: string;
  readonly depth: number;
};

const MAX_DEPTH = 20;

/** The type and limits of one value of a parameter, from its schema. */
function shapeOf(schema: unknown, context: ShapeContext): QueryParameter | Unreadable {
  const found = context.references.follow(schema, context.place);
  if ('code' in found) return { code: found.code, problem: found.message };
  if (!isObject(found.value) || context.depth > MAX_DEPTH) return { type: 'string' };
  const source = found.value;
  const parts = Array.isArray(source.allOf) ? source.allOf : [];
  if (parts.length > 0 && source.type === undefined) return allOf(parts, source, context);
  const choices = [source.anyOf, source.oneOf].find((list) => Array.isArray(list) && list.length > 0);
  if (Array.isArray(choices)) return oneOf(choices, context);
  const types = [source.type ?? typeByKeywords(source)].flat().filter((type) => type !== 'null');
  const type = types.length === 1 ? types[0] : 'string';
  if (types.length > 1) lessChecked(context, 'it has several types');
  if (type === 'array') {
    const element = shapeOf(source.items ?? {}, { ...context, depth: context.depth + 1 });
    if ('problem' in element) return element;
    if (element.multiple) return { code: 'parameter_style', problem: 'it is a list of lists' };
    return { ...element, multiple: true };
  }
  if (type === 'object') return { code: 'parameter_object', problem: 'it is an object' };
  return {
    type: SCALARS.has(String(type)) ? (type as QueryParameter['type']) : 'string',
    ...limitsOf(source),
  };
}

const SCALARS = new Set(['string', 'integer', 'number', 'boolean']);

function typeByKeywords({
  enum: values,
  properties,
  items,
  const: only,
}: Readonly<Record<string, unknown>>): string {
  if (properties !== undefined) return 'object';
  if (items !== undefined) return 'array';
  const first: unknown = Array.isArray(values) ? values[0] : only;
  return typeof first === 'number' || typeof first === 'boolean' ? typeof first : 'string';
}

/** What all parts say together; a later part wins. */
function allOf(
  parts: readonly unknown[],
  source: Readonly<Record<string, unknown>>,
  context: ShapeContext,
): QueryParameter | Unreadable {
  const { allOf: _, ...own } = source;
  let merged: Partial<QueryParameter> = {};
  for (const part of [...parts.slice(0, MAX_DEPTH), own]) {
    const shape = shapeOf(part, { ...context, depth: context.depth + 1 });
    if ('problem' in shape) return shape;
    merged = { ...merged, ...shape, type: part === own ? (merged.type ?? 'string') : shape.type };
  }
  return { type: 'string', ...merged };
}

/** One of several schemas: what they have in common. */
function oneOf(choices: readonly unknown[], context: ShapeContext): QueryParameter | Unreadable {
  const shapes: QueryParameter[] = [];
  for (const choice of choices.slice(0, MAX_DEPTH)) {
    if (isObject(choice) && choice.type === 'null') continue;
    const shape = shapeOf(choice, { ...context, depth: context.depth + 1 });
    if (!('problem' in shape)) shapes.push(shape);
    else if (shape.code.startsWith('reference')) return shape;
  }
  const [first] = shapes;
  if (!first) return { code: 'parameter_object', problem: 'it is an object' };
  if (shapes.length === 1 && choices.length <= 2) return first;
  lessChecked(context, 'it is one of several');
  const isSame = shapes.every(({ type }) => type === first.type);
  return {
    type: isSame ? first.type : 'string',
    ...(shapes.some(({ multiple }) => multiple) && { multiple: true }),
  };
}

function lessChecked({ issues, place, name }: ShapeContext, why: string): void {
  issues.add(place, {
    code: 'parameter_less_checked',
    message: `The value of ${quote(name)} is not fully checked: ${why}`,
  });
}

const NUMBERS = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
] as const;

function limitsOf(source: Readonly<Record<string, unknown>>): Partial<QueryParameter> {
  const limits: [string, unknown][] = NUMBERS.flatMap((name): [string, unknown][] => {
    const value = source[name];
    const isFlag =
      (name === 'minimum' && source.exclusiveMinimum === true) ||
      (name === 'maximum' && source.exclusiveMaximum === true);
    if (typeof value !== 'number' || !Number.isFinite(value)) return [];
    return [[isFlag ? (name === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum') : name, value]];
  });
  const values: readonly unknown[] = Array.isArray(source.enum)
    ? source.enum
    : source.const === undefined
      ? []
      : [source.const];
  const words = values.filter((value) => value !== null).map(String);
  return {
    ...Object.fromEntries(limits),
    ...(words.length > 0 && { enum: words }),
    ...(typeof source.default === 'number' && { default: source.default }),
    ...(isPattern(source.pattern) && { pattern: source.pattern }),
    ...(typeof source.format === 'string' && { format: source.format.slice(0, 60) }),
  };
}

function isPattern(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > 2000) return false;
  try {
    return new RegExp(value, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}
