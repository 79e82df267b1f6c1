import type { QueryParameter } from '../contract/operation.ts';
import { isObject } from '../json/is-object.ts';
import { quote } from '../text/format.ts';
import { isTypable, limitsOf, listed, type ParameterContext } from './parameter-limits.ts';
import { shortText } from './plain-text.ts';
import { type DocumentLocation, locationBelow } from './references.ts';

/** A parameter of the query as the document declares it. */
export type DeclaredParameter = {
  readonly name: string;
  readonly value: Readonly<Record<string, unknown>>;
  readonly location: DocumentLocation;
};

type Member = { readonly schema: unknown; readonly location: DocumentLocation; readonly isRequired: boolean };
type Key = (member: string) => string;

/** How many objects within one another become parameters. */
const DEEPEST = 4;
/** More than any useful parameter has. */
const MOST = 200;

/**
 * The parameters that an object of the query is sent as, by the names that are sent: `filter[status]` for each member that its schema
 * names (`deepObject`), or the members themselves (`form` with `explode`). One whose members may have any name takes them as pairs,
 * under its own name. A union has the members of its objects. Empty for what is not an object, and for an object that payctl cannot send.
 */
export function parametersOfObject(
  { name, value, location }: DeclaredParameter,
  context: ParameterContext,
): ReadonlyMap<string, QueryParameter> {
  const { style = 'form', explode, schema, required } = value;
  const parameters = new Map<string, QueryParameter>();
  const isDeep = style === 'deepObject';
  if (schema === undefined || !(isDeep || (style === 'form' && explode !== false))) return parameters;
  const key: Key = isDeep ? (member) => `${name}[${member}]` : (member) => member;
  const read = { key, isDeep, isRequired: required === true, depth: 0 };
  const below = locationBelow(location, 'schema');
  addMembers(parameters, membersOf(schema, below, context), { ...read, context });
  const pairs = isDeep ? pairsOf(value, { ...context, location: below, name }) : undefined;
  if (pairs)
    parameters.set(name, { ...pairs, ...(parameters.size === 0 && required === true && { required }) });
  return parameters;
}

/** The parameter for members of any name, where the schema says what their values are. */
function pairsOf(
  { schema, description }: DeclaredParameter['value'],
  context: Parameters<typeof limitsOf>[1],
): QueryParameter | undefined {
  const found = context.references.follow(schema, context.location);
  const { additionalProperties: others } = !('code' in found) && isObject(found.value) ? found.value : {};
  if (others === undefined || others === false) return undefined;
  const shape = limitsOf(others === true ? {} : others, context);
  if ('problem' in shape || shape.multiple) return undefined;
  const summary = shortText(description);
  return { ...shape, multiple: true, pairs: true, ...(summary !== '' && { summary }) };
}

type Reading = {
  readonly key: Key;
  readonly isDeep: boolean;
  readonly isRequired: boolean;
  readonly depth: number;
  readonly context: ParameterContext;
};

function addMembers(
  parameters: Map<string, QueryParameter>,
  members: ReadonlyMap<string, Member>,
  reading: Reading,
): void {
  const { key, isDeep, context, depth } = reading;
  for (const [name, member] of members) {
    if (parameters.size >= MOST) return;
    if (!isTypable(key(name)) || (isDeep && /[[\]]/.test(name))) {
      const why = isTypable(key(name))
        ? 'has a bracket, which is no part of a name there'
        : 'cannot be typed';
      const message = `A member of a parameter is not sent: its name ${why}`;
      context.issues.add(member.location, 'parameter_name', message);
      continue;
    }
    const below = isDeep && depth < DEEPEST ? membersOf(member.schema, member.location, context) : NO_MEMBERS;
    const isRequired = reading.isRequired && member.isRequired;
    if (below.size > 0) {
      const inner: Key = (part) => `${key(name)}[${part}]`;
      addMembers(parameters, below, { ...reading, key: inner, isRequired, depth: depth + 1 });
    }
    const shape = limitsOf(member.schema, { ...context, location: member.location, name: key(name) });
    if (!('problem' in shape)) {
      const summary = shortText(isObject(member.schema) ? member.schema.description : undefined);
      const noted = { ...(summary !== '' && { summary }), ...(isRequired && { required: true }) };
      parameters.set(key(name), { ...shape, ...noted });
    } else if (below.size === 0) {
      context.issues.add(member.location, shape.code, `${quote(key(name))} is not sent: ${shape.problem}`);
    }
  }
}

const NO_MEMBERS: ReadonlyMap<string, Member> = new Map();

/** The members that a schema names: its own, those of its parts and of its branches. A later one wins. */
function membersOf(
  schema: unknown,
  location: DocumentLocation,
  context: ParameterContext,
  depth = 0,
): ReadonlyMap<string, Member> {
  const found = context.references.follow(schema, location);
  if ('code' in found || !isObject(found.value) || depth > DEEPEST) return NO_MEMBERS;
  const { value } = found;
  const members = new Map<string, Member>();
  const required = new Set(listed(value.required));
  for (const group of ['allOf', 'anyOf', 'oneOf']) {
    for (const [index, part] of listed(value[group]).entries()) {
      const partLocation = locationBelow(locationBelow(found.location, group), String(index));
      for (const [name, member] of membersOf(part, partLocation, context, depth + 1))
        members.set(name, { ...member, isRequired: member.isRequired && group === 'allOf' });
    }
  }
  const own = isObject(value.properties) ? value.properties : {};
  const propertiesLocation = locationBelow(found.location, 'properties');
  for (const [name, part] of Object.entries(own))
    members.set(name, {
      schema: part,
      location: locationBelow(propertiesLocation, name),
      isRequired: required.has(name),
    });
  return members;
}
