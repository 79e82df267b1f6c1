import { bodyNotValid, type UsageError } from '../errors.ts';
import { decimalOf, textOf } from '../json/decimal.ts';
import { parseKeepingNumbers, stringifyExactJson } from '../json/exact.ts';
import { isObject } from '../json/is-object.ts';
import { elementSchemas, memberSchemas, partsOf, typesOf } from '../schemas/schema-at.ts';
import { quote } from '../text/format.ts';
import type { FormEncoding, FormStyle } from './form-encoding.ts';

/**
 * A body as `application/x-www-form-urlencoded`: nothing but an object can be one. A null, an empty list and an empty object are
 * an empty text; numbers have the digits that were written, and no exponent, which many services cut off.
 * @throws UsageError `bad_body`, also for what would be read as something else, such as a bracket in a name below another
 */
export function encodeForm(body: unknown, encoding: FormEncoding = {}): string {
  if (!isObject(body)) throw bodyNotValid('a form must be an object');
  const pairs = Object.entries(body).flatMap(([name, value]) => {
    const style = (Object.hasOwn(encoding, name) && encoding[name]) || 'repeat';
    const found = pairsOf({ path: name, name: escapeForm(name) }, value, style);
    if (name === '' || (/[[\]]/.test(name) && found.some(([key]) => key.endsWith(']'))))
      throw badName(name, name);
    return found;
  });
  return pairs.map(([name, text]) => `${name}=${escapeForm(text)}`).join('&');
}

/** The names that lead to a value, for messages and as they are sent. */
type Key = { readonly path: string; readonly name: string };

function pairsOf({ path, name }: Key, value: unknown, style: FormStyle): (readonly [string, string])[] {
  const parts = partsIn(value);
  if (!parts) return [[name, scalarText(value)]];
  if (style === 'json') return [[name, stringifyExactJson(value)]];
  if (parts.length === 0) return [[name, '']];
  const isPlain = Array.isArray(value) && value.every((each) => !partsIn(each));
  if (isPlain && style === 'repeat') return value.map((each) => [name, scalarText(each)] as const);
  if (isPlain && style !== 'brackets') return [[name, joined(path, value.map(scalarText), style)]];
  return parts.flatMap(([key, part]) => {
    requirePlainName(key, `${path}/${key}`);
    return pairsOf({ path: `${path}/${key}`, name: `${name}[${escapeForm(key)}]` }, part, 'brackets');
  });
}

function joined(path: string, texts: readonly string[], separator: string): string {
  if (texts.every((text) => !text.includes(separator))) return texts.join(separator);
  throw bodyNotValid(
    `/${path} cannot be written in a form: ${quote(separator)} separates its elements, and is in one of them`,
  );
}

/** Requires a name that brackets can contain; `path` is for the message. @throws UsageError `bad_body` */
export function requirePlainName(name: string, path: string): void {
  if (name === '' || /[[\]]/.test(name)) throw badName(name, path);
}

function badName(name: string, path: string): UsageError {
  const problem = name === '' ? 'a name is empty' : `the name ${quote(name)} has a bracket`;
  return bodyNotValid(`/${path} cannot be written in a form: ${problem}`);
}

function partsIn(value: unknown): readonly (readonly [string, unknown])[] | undefined {
  return Array.isArray(value) || isObject(value) ? Object.entries(value) : undefined;
}

/** More digits than that are not written out: the service is to refuse such a number itself. */
const MOST_DIGITS = 400;

/** A text, a number, true, false or null as the text of a form: null is empty, and a number has no exponent. */
export function scalarText(value: unknown): string {
  if (typeof value === 'string') return value;
  const text = value === null ? '' : stringifyExactJson(value);
  const [, exponent] = /^-?\d[\d.]*[eE]([+-]?\d+)$/.exec(text) ?? [];
  const isShort = exponent !== undefined && text.length + Math.abs(Number(exponent)) <= MOST_DIGITS;
  const decimal = isShort ? decimalOf(value) : undefined;
  return decimal ? textOf(decimal) : text;
}

function escapeForm(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}

/** Without an exponent: services differ in how much `1e2` is. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
/** Deeper parts of a value are kept unchanged: no practical schema is that deep. */
const DEEPEST = 60;

/**
 * Converts the values of a form, which are texts, to the types of a schema. A text that the schema does not allow stays
 * as it is, and the validation reports it.
 */
export function typedForm(value: unknown, schema: unknown): unknown {
  return typed(value, { schemas: [schema], root: schema, depth: 0 });
}

/**
 * Refuses a name such as `nest[n]` where the schema has the member `nest`: sent as it is, it would be the member `n` of `nest`, and
 * no schema would have checked it. @throws UsageError `bad_body`
 */
export function refuseWrittenNames(body: unknown, schema: unknown): void {
  const parts = partsOf(schema, schema);
  const hasMember = (name: string) =>
    parts.some(({ properties }) => isObject(properties) && Object.hasOwn(properties, name));
  for (const name of isObject(body) ? Object.keys(body) : []) {
    const [, outer] = /^([^[\]]+)\[/.exec(name) ?? [];
    if (outer === undefined || hasMember(name) || !hasMember(outer)) continue;
    throw bodyNotValid(
      `${quote(name)} names a member of ${quote(outer)}, which is checked only as one`,
      `Give ${quote(outer)} its members instead: as JSON in --data, or with -F.`,
    );
  }
}

type FormValueContext = {
  readonly schemas: readonly unknown[];
  readonly root: unknown;
  readonly depth: number;
};

function typed(value: unknown, { schemas, root, depth }: FormValueContext): unknown {
  if (depth > DEEPEST) return value;
  const parts = [...new Set(schemas.flatMap((schema) => partsOf(schema, root)))];
  const types = typesOf(parts);
  const below = (next: readonly unknown[]): FormValueContext => ({ schemas: next, root, depth: depth + 1 });
  const isListOnly = types.has('array') && !types.has('object');
  if (typeof value === 'string') {
    if (isListOnly && !types.has('string'))
      return value === '' ? [] : [typed(value, below(elementSchemas(parts)))];
    return typedText(value, types);
  }
  if (Array.isArray(value)) return value.map((each) => typed(each, below(elementSchemas(parts))));
  if (!isObject(value)) return value;
  const members = Object.entries(value);
  if (isListOnly && members.every(([name]) => /^\d{1,9}$/.test(name))) {
    const ordered = members.toSorted(([a], [b]) => Number(a) - Number(b));
    return ordered.map(([, each]) => typed(each, below(elementSchemas(parts))));
  }
  return Object.fromEntries(
    members.map(([name, member]) => [name, typed(member, below(memberSchemas(parts, name)))]),
  );
}

function typedText(text: string, types: ReadonlySet<string>): unknown {
  if (types.size === 0 || types.has('string')) return text;
  if (text === '' && types.has('null')) return null;
  if (types.has('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  if (types.has('object') && text === '') return {};
  if (!NUMBER.test(text) || !(types.has('number') || types.has('integer'))) return text;
  return (parseKeepingNumbers(`[${text}]`) as unknown as readonly unknown[])[0];
}
