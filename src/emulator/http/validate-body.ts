import { type BodySchemaName, bodySchemas } from '../../contract/generated/body-schemas.ts';
import type { ErrorDetail } from '../../contract/generated/types.ts';
import { isObject } from '../../json/is-object.ts';
import { valueAtPointer } from '../../json/pointer.ts';
import { oncePerObject } from '../../schemas/memoize.ts';
import { mapParts } from '../../schemas/schema-at.ts';
import { type SchemaView, viewsIn } from '../../schemas/schema-view.ts';
import { type BodyProblem, checkOf, explain, withArticle } from '../../schemas/validator.ts';

/**
 * Compares a body with its schema of the description, the limits included that payctl leaves to the service, so that scripts meet
 * them before they meet the real ones. Gives each error as the service names it in a 400 (specification, Errors, rule 2). Fields
 * that the schema does not name are allowed. Importing this file loads the validator and the schemas.
 */
export function validateBody(name: BodySchemaName, value: unknown): ErrorDetail[] {
  const { problems } = explain(serviceCheck(bodySchemas[name]), value);
  return problems.map((problem) => ({
    ...typeAndMessage(problem, valueAtPointer(value, problem.pointer)),
    pointer: problem.pointer,
    location: 'body',
  }));
}

const serviceCheck = oncePerObject((schema: object) => checkOf(withServiceLimits(schema)));

function withServiceLimits(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  const { 'x-left-to-service': limits, ...others } = schema;
  return { ...mapParts(others, withServiceLimits), ...(isObject(limits) && limits) };
}

/**
 * The part of a valid body that its schema names, as it is stored: members that the schema does not know are left out, and
 * at any depth below the body's own members those that are null, as the service has no nulls. Free objects stay whole.
 */
export function knownPart(name: BodySchemaName, body: object): object {
  return withMembers(viewOf(bodySchemas[name]), Object.entries(body));
}

const viewOf = oncePerObject((schema: Readonly<Record<string, unknown>>) => viewsIn(schema).of(schema));

function withMembers({ members, viewOf }: SchemaView, all: readonly (readonly [string, unknown])[]): object {
  const known = all.filter(([name]) => members.has(name));
  return Object.fromEntries(known.map(([name, value]) => [name, part(viewOf(members.get(name)), value)]));
}

function part(view: SchemaView, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => part(view.viewOf(view.items), item));
  if (view.members.size === 0 || !isObject(value)) return value;
  const present = Object.entries(value).filter(([, member]) => member !== null);
  return withMembers(view, present);
}

function typeAndMessage({ keyword, limit, types = [], message }: BodyProblem, value: unknown) {
  switch (keyword) {
    case 'type':
      return typeError(types, value);
    case 'minLength':
      return { type: 'value_error.any_str.min_length', message };
    case 'maxLength':
      return { type: 'value_error.any_str.max_length', message };
    case 'pattern':
      return { type: 'value_error.str.regex', message: `must match ${limit}` };
    case 'format':
      return { type: `value_error.${limit === 'date' ? 'date' : 'datetime'}`, message };
    default:
      return { type: `value_error.${keyword}`, message };
  }
}

function typeError(allowed: readonly unknown[], value: unknown): { type: string; message: string } {
  if (value === null) return { type: 'type_error.none.not_allowed', message: 'must not be null' };
  const wanted = String(allowed.find((name) => name !== 'null') ?? 'null');
  return { type: `type_error.${wanted}`, message: `must be ${withArticle(wanted)}` };
}
