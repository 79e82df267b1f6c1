import { allowedValues, type QueryParameter } from '../contract/operation.ts';
import { isOtherNumber } from '../json/integers.ts';
import { typeOf } from '../schemas/schema-at.ts';
import { isNull, type SchemaView } from '../schemas/schema-view.ts';
import { quote } from '../text/format.ts';
import type { OperationContext } from './declaration.ts';
import type { DocumentLocation } from './references.ts';

/** What parameters are read with. */
export type ParameterContext = Pick<OperationContext, 'references' | 'issues' | 'schemas' | 'views'>;

/** Why a parameter is not sent. */
export type Unreadable = { readonly code: string; readonly problem: string };

/** The name of a parameter in messages, and where its schema is. */
export type NamedSchema = Pick<ParameterContext, 'issues'> & {
  readonly location: DocumentLocation;
  readonly name: string;
};

const MAX_DEPTH = 20;
const MAX_CHOICES = 100;

/** The view of the schema of a parameter, or why it cannot be read. */
export function viewSchema(
  schema: unknown,
  location: DocumentLocation,
  { references, schemas, views }: ParameterContext,
): SchemaView | Unreadable {
  const found = references.follow(schema, location);
  if ('code' in found) return { code: found.code, problem: found.message };
  return views.of(schemas.convert(schema, location).schema);
}

/** The type and limits of a parameter, from its schema; or why payctl cannot send it. */
export function limitsOf(view: SchemaView, named: NamedSchema, depth = 0): QueryParameter | Unreadable {
  if (depth > MAX_DEPTH) return { type: 'string' };
  const isObject = view.types.size === 1 && view.types.has('object');
  const choices = isObject ? [] : view.branches.filter((branch) => !isNull(branch));
  if (choices.length > 1) return oneOf(choices.map(view.viewOf), view, { named, depth });
  const types = typesIn(view);
  const type = types.length === 1 ? types[0] : 'string';
  if (types.length > 1) lessChecked(named, 'it has several types');
  if (type === 'array') {
    const element = limitsOf(view.viewOf(view.items), named, depth + 1);
    if ('problem' in element) return element;
    if (element.multiple) return { code: 'parameter_style', problem: 'it is a list of lists' };
    return { ...element, multiple: true };
  }
  if (!isScalar(type)) return OBJECT;
  return { type, ...integerAmong(types.map((one) => ({ type: one }))), ...keywordsOf(view) };
}

const OBJECT = { code: 'parameter_object', problem: 'it is an object' } as const;

function isScalar(type: string | undefined): type is QueryParameter['type'] {
  return type === 'string' || type === 'integer' || type === 'number' || type === 'boolean';
}

/** The types that a schema names, or those of the values that it lists. */
function typesIn({ types, members, items, values = [] }: SchemaView): readonly string[] {
  if (types.size > 0) return [...types];
  if (members.size > 0) return ['object'];
  if (items !== undefined) return ['array'];
  const given = values.filter((value) => value !== null);
  const [type = 'string', ...others] = new Set(given.map(typeOf));
  if (others.length > 0) return ['string'];
  return [type === 'number' && given.every(Number.isInteger) ? 'integer' : type];
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

/** The type that all alternatives have in common; that next to them counts for each. */
function oneOf(
  choices: readonly SchemaView[],
  { types }: SchemaView,
  { named, depth }: { readonly named: NamedSchema; readonly depth: number },
): QueryParameter | Unreadable {
  const shapes = choices.slice(0, MAX_CHOICES).flatMap((choice) => {
    const shape = limitsOf(choice, named, depth + 1);
    return 'problem' in shape ? [] : [shape];
  });
  const [first] = shapes;
  if (!first) return OBJECT;
  if (shapes.length === 1 && choices.length === 2) return first;
  const [outer] = types.size === 1 ? types : [];
  const isSame = shapes.every(({ type }) => type === first.type);
  const shared = {
    type: isScalar(outer) ? outer : isSame ? first.type : 'string',
    ...(shapes.some(({ multiple }) => multiple) && { multiple: true }),
    ...(!isSame && integerAmong(shapes)),
  };
  const lists = shapes.flatMap((shape) => [allowedValues(shape) ?? []]);
  if (shapes.length === choices.length && lists.every(({ length }) => length > 0))
    return { ...shared, enum: [...new Set(lists.flat())] };
  lessChecked(named, 'its schema is a union');
  return shared;
}

/** Whether a parameter of this name can be a flag. */
export function isTypable(name: string): boolean {
  return name !== '' && name.length <= 200 && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name);
}

function lessChecked({ issues, location, name }: NamedSchema, why: string): void {
  issues.add(location, 'parameter_less_checked', `The value of ${quote(name)} is not fully checked: ${why}`);
}

function keywordsOf({ limits, values = [], initial, patterns, format }: SchemaView): Partial<QueryParameter> {
  const words = values.filter((value) => value !== null).map(String);
  return {
    ...limits,
    ...(words.length > 0 && { enum: words }),
    ...(typeof initial === 'number' && { default: initial }),
    ...(patterns[0] !== undefined && { pattern: patterns[0] }),
    ...(format !== undefined && { format }),
  };
}
