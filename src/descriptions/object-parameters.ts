import type { QueryParameter } from '../contract/operation.ts';
import type { SchemaView } from '../schemas/schema-view.ts';
import { quote } from '../text/format.ts';
import { isTypable, limitsOf, type NamedSchema } from './parameter-limits.ts';
import { shortText } from './plain-text.ts';
import { type DocumentLocation, locationBelow } from './references.ts';

/** A parameter of the query as the document declares it. */
export type DeclaredParameter = {
  readonly name: string;
  readonly value: Readonly<Record<string, unknown>>;
  readonly location: DocumentLocation;
};

/** The name that a member is sent by. */
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
  view: SchemaView,
  { issues }: Pick<NamedSchema, 'issues'>,
): ReadonlyMap<string, QueryParameter> {
  const { style = 'form', explode, required, description } = value;
  const parameters = new Map<string, QueryParameter>();
  const isDeep = style === 'deepObject';
  if (!(isDeep || (style === 'form' && explode !== false))) return parameters;
  const named = { name, issues, location: locationBelow(location, 'schema') };
  const key: Key = isDeep ? (member) => `${name}[${member}]` : (member) => member;
  addMembers(parameters, view, { key, isDeep, isRequired: required === true, depth: 0, named });
  const pairs = isDeep ? pairsOf(view, named) : undefined;
  if (pairs) {
    const isNeeded = parameters.size === 0 && required === true;
    parameters.set(name, { ...pairs, ...noted(description, isNeeded) });
  }
  return parameters;
}

/** The parameter for members of any name, where the schema says what their values are. */
function pairsOf({ others, viewOf }: SchemaView, named: NamedSchema): QueryParameter | undefined {
  if (others === undefined || others === false) return undefined;
  const shape = limitsOf(viewOf(others), named);
  return 'problem' in shape || shape.multiple ? undefined : { ...shape, multiple: true, pairs: true };
}

function noted(description: unknown, isRequired: boolean): Pick<QueryParameter, 'summary' | 'required'> {
  const summary = shortText(description);
  return { ...(summary !== '' && { summary }), ...(isRequired && { required: true }) };
}

type Reading = {
  readonly key: Key;
  readonly isDeep: boolean;
  readonly isRequired: boolean;
  readonly depth: number;
  readonly named: NamedSchema;
};

function addMembers(parameters: Map<string, QueryParameter>, view: SchemaView, reading: Reading): void {
  const { key, isDeep, depth } = reading;
  for (const [member, schema] of view.members) {
    if (parameters.size >= MOST) return;
    const named = { ...reading.named, name: key(member) };
    const { name, issues, location } = named;
    const isCut = isDeep && /[[\]]/.test(member);
    if (isCut || !isTypable(name)) {
      const why = isCut ? 'has a bracket, which is no part of a name there' : 'cannot be typed';
      issues.add(location, 'parameter_name', `The member ${quote(member)} is not sent: its name ${why}`);
      continue;
    }
    const inner = view.viewOf(schema);
    const hasMembers = isDeep && depth < DEEPEST && inner.members.size > 0;
    const isRequired = reading.isRequired && view.required.has(member);
    if (hasMembers) {
      const innerKey: Key = (part) => `${name}[${part}]`;
      addMembers(parameters, inner, { ...reading, key: innerKey, isRequired, depth: depth + 1 });
    }
    const shape = limitsOf(inner, named);
    if (!('problem' in shape)) parameters.set(name, { ...shape, ...noted(inner.description, isRequired) });
    else if (!hasMembers) issues.add(location, shape.code, `${quote(name)} is not sent: ${shape.problem}`);
  }
}
