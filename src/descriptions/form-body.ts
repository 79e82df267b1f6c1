import { UsageError } from '../errors.ts';
import { parseKeepingNumbers, stringifyExactJson } from '../json/exact.ts';
import { isObject } from '../json/is-object.ts';
import type { FormEncoding, FormStyle } from './form-encoding.ts';
import { elementSchemas, memberSchemas, partsOf, typesOf } from './schema-at.ts';

/**
 * A body as `application/x-www-form-urlencoded`: nothing but an object can be one. A null, an empty list and an empty object are
 * an empty text; numbers are as they were written. @throws UsageError `bad_body`
 */
export function encodeForm(body: unknown, encoding: FormEncoding = {}): string {
  if (!isObject(body))
    throw new UsageError('bad_body', 'The request body is not valid: a form must be an object');
  const pairs = Object.entries(body).flatMap(([name, value]) =>
    pairsOf(escapeForm(name), value, (Object.hasOwn(encoding, name) && encoding[name]) || 'repeat'),
  );
  return pairs.map(([name, text]) => `${name}=${escapeForm(text)}`).join('&');
}

function pairsOf(name: string, value: unknown, style: FormStyle): (readonly [string, string])[] {
  const parts = partsIn(value);
  if (!parts) return [[name, scalarText(value)]];
  if (style === 'json') return [[name, stringifyExactJson(value)]];
  if (parts.length === 0) return [[name, '']];
  const isPlain = Array.isArray(value) && value.every((each) => !partsIn(each));
  if (isPlain && style === 'repeat') return value.map((each) => [name, scalarText(each)] as const);
  if (isPlain && style !== 'brackets') return [[name, value.map(scalarText).join(style)]];
  return parts.flatMap(([key, part]) => pairsOf(`${name}[${escapeForm(key)}]`, part, 'brackets'));
}

function partsIn(value: unknown): readonly (readonly [string, unknown])[] | undefined {
  return Array.isArray(value) || isObject(value) ? Object.entries(value) : undefined;
}

function scalarText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === null ? '' : stringifyExactJson(value);
}

function escapeForm(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** Further parts of a value are as they came: no schema of use is that deep. */
const DEEPEST = 60;

/**
 * The texts of a form as the types that a schema gives them: every value of a form is a text. What the schema does not allow stays
 * as it is, for the check to name.
 */
export function typedForm(value: unknown, schema: unknown): unknown {
  return typed(value, { schemas: [schema], root: schema, depth: 0 });
}

type Place = { readonly schemas: readonly unknown[]; readonly root: unknown; readonly depth: number };

function typed(value: unknown, { schemas, root, depth }: Place): unknown {
  if (depth > DEEPEST) return value;
  const parts = [...new Set(schemas.flatMap((schema) => partsOf(schema, root)))];
  const types = typesOf(parts);
  const below = (next: readonly unknown[]): Place => ({ schemas: next, root, depth: depth + 1 });
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
