import { allowedValues, type QueryParameter } from '../contract/operation.ts';
import { isOtherNumber } from '../json/integers.ts';
import { isObject } from '../json/is-object.ts';
import { quote } from '../text/format.ts';
import type { Issues } from './issues.ts';
import type { DocumentLocation, References } from './references.ts';
import { SCALAR_LIMITS } from './schema-at.ts';
import { LONGEST_PATTERN } from './schema-keywords.ts';
import { isPattern } from './within-time.ts';

/** What parameters are read with. */
export type ParameterContext = { readonly references: References; readonly issues: Issues };

/** Why a parameter is not sent. */
export type Unreadable = { readonly code: string; readonly problem: string };

type SchemaContext = ParameterContext & {
  readonly location: DocumentLocation;
  readonly name: string;
  /** How many schemas it is inside of. */
  readonly depth?: number;
};

const MAX_DEPTH = 20;
const MAX_CHOICES = 100;

/** The type and limits of a parameter, from its schema; or why payctl cannot send it. */
export function limitsOf(schema: unknown, context: SchemaContext): QueryParameter | Unreadable {
  const { depth = 0 } = context;
  const inner = { ...context, depth: depth + 1 };
  const found = context.references.follow(schema, context.location);
  if ('code' in found) return { code: found.code, problem: found.message };
  if (!isObject(found.value) || depth > MAX_DEPTH) return { type: 'string' };
  const source = found.value;
  const parts = listed(source.allOf);
  if (parts.length > 0 && source.type === undefined) return allOf(parts, source, inner);
  const choices = [source.anyOf, source.oneOf].find((list) => Array.isArray(list) && list.length > 0);
  if (Array.isArray(choices)) return oneOf(choices, source, inner);
  const types = [source.type ?? typeByKeywords(source)].flat().filter((type) => type !== 'null');
  const type = types.length === 1 ? types[0] : 'string';
  if (types.length > 1) lessChecked(context, 'it has several types');
  if (type === 'array') {
    const element = limitsOf(source.items ?? {}, inner);
    if ('problem' in element) return element;
    if (element.multiple) return { code: 'parameter_style', problem: 'it is a list of lists' };
    return { ...element, multiple: true };
  }
  if (type === 'object') return { code: 'parameter_object', problem: 'it is an object' };
  return {
    type: SCALARS.has(String(type)) ? (type as QueryParameter['type']) : 'string',
    ...integerAmong(types.map((one) => ({ type: String(one) }))),
    ...keywordsOf(source),
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
  const all = Array.isArray(values) ? values.filter((value) => value !== null) : [only];
  if (all.length > 0 && all.every(Number.isInteger)) return 'integer';
  return typeof first === 'number' || typeof first === 'boolean' ? typeof first : 'string';
}

/** Marks a union in which a number can only be an integer: nothing else in it takes a text with any digits. */
function integerAmong(
  shapes: readonly (Pick<QueryParameter, 'enum' | 'orInteger'> & { readonly type: string })[],
): Pick<QueryParameter, 'orInteger'> {
  const isOpen = shapes.some(({ type, enum: values, orInteger }) => {
    if (type === 'number') return true;
    return type === 'string' && !orInteger && (!values || values.some(isOtherNumber));
  });
  const takesInteger = shapes.some(({ type, orInteger }) => type === 'integer' || orInteger);
  return shapes.length > 1 && takesInteger && !isOpen ? { orInteger: true } : {};
}

/** Merges the parts of a schema; a later part wins. */
function allOf(
  parts: readonly unknown[],
  source: Readonly<Record<string, unknown>>,
  context: SchemaContext,
): QueryParameter | Unreadable {
  const { allOf: _, ...own } = source;
  let merged: Partial<QueryParameter> = {};
  for (const part of [...parts.slice(0, MAX_DEPTH), own]) {
    const shape = limitsOf(part, context);
    if ('problem' in shape) return shape;
    const type = part === own ? (merged.type ?? 'string') : shape.type;
    // An integer is a number, too, so that a value that has to be both is an integer.
    const isBoth = merged.type === 'integer' && type === 'number';
    merged = { ...merged, ...shape, type: isBoth ? 'integer' : type };
  }
  return { type: 'string', ...merged };
}

/** The type that all alternatives have in common; that next to them counts for each. */
function oneOf(
  choices: readonly unknown[],
  { type: outer }: Readonly<Record<string, unknown>>,
  context: SchemaContext,
): QueryParameter | Unreadable {
  const shapes: QueryParameter[] = [];
  const others = choices.filter((choice) => !isNull(choice));
  for (const choice of others.slice(0, MAX_CHOICES)) {
    const shape = limitsOf(choice, context);
    if (!('problem' in shape)) shapes.push(shape);
    else if (shape.code.startsWith('reference')) return shape;
  }
  const [first] = shapes;
  if (!first) return { code: 'parameter_object', problem: 'it is an object' };
  if (shapes.length === 1 && others.length <= 2) return first;
  const isSame = shapes.every(({ type }) => type === first.type);
  const shared = {
    type: isSame ? first.type : 'string',
    ...(shapes.some(({ multiple }) => multiple) && { multiple: true }),
  };
  const lists = shapes.flatMap((shape) => [allowedValues(shape) ?? []]);
  if (shapes.length === others.length && lists.every(({ length }) => length > 0))
    return { ...shared, ...(!isSame && integerAmong(shapes)), enum: [...new Set(lists.flat())] };
  lessChecked(context, 'it is one of several');
  return outer === 'integer' ? { type: outer } : { ...shared, ...(!isSame && integerAmong(shapes)) };
}

/** Whether a schema takes null alone. */
function isNull(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  const { type, const: only, enum: values } = schema;
  return (
    type === 'null' || only === null || (Array.isArray(values) && values.every((value) => value === null))
  );
}

/** Whether a parameter of this name can be a flag. */
export function isTypable(name: string): boolean {
  return name !== '' && name.length <= 200 && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name);
}

/** A value as a list; empty for anything else. */
export function listed(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function lessChecked({ issues, location, name }: SchemaContext, why: string): void {
  issues.add(location, 'parameter_less_checked', `The value of ${quote(name)} is not fully checked: ${why}`);
}

function keywordsOf(source: Readonly<Record<string, unknown>>): Partial<QueryParameter> {
  const limits = SCALAR_LIMITS.flatMap((name): [string, number][] => {
    const value = source[name];
    if (typeof value !== 'number' || !Number.isFinite(value)) return [];
    // A flag of 3.0 makes a limit exclusive.
    const exclusive = name.replace('m', 'exclusiveM');
    return [[source[exclusive] === true ? exclusive : name, value]];
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
    ...(isPattern(source.pattern) && source.pattern.length <= LONGEST_PATTERN && { pattern: source.pattern }),
    ...(typeof source.format === 'string' && { format: source.format.slice(0, 60) }),
  };
}
