import description from '../../contract/generated/description.json' with { type: 'json' };
import type { ErrorDetail, Schemas } from '../../contract/generated/types.ts';

type Fault = Pick<ErrorDetail, 'type' | 'message'>;

const date = /^\d{4}-\d\d-\d\d$/;
const dateTime = /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/**
 * Compares a value with a schema of the description and gives each fault as the service names it in a 400
 * (specification, Errors, rule 2). Fields that the schema does not name are no fault.
 */
export function validateBody(schema: BodySchema, value: unknown, pointer = ''): ErrorDetail[] {
  const { type, anyOf, ...rest } = resolveSchema(schema);
  if (anyOf !== undefined) return faultsOfAny(anyOf, value, pointer);
  const allowed = typeof type === 'string' ? [type] : type;
  if (allowed !== undefined && !allowed.some((name) => isOfType(name, value))) {
    return [detail(pointer, typeFault(allowed, value))];
  }
  if (typeof value === 'string') return textFaults(rest, value).map((fault) => detail(pointer, fault));
  if (Array.isArray(value)) return itemFaults(rest, value, pointer);
  return typeof value === 'object' && value !== null ? fieldFaults(rest, value, pointer) : [];
}

/** The description uses `anyOf` for "this or null", so the first branch is the one to explain. */
function faultsOfAny(branches: readonly BodySchema[], value: unknown, pointer: string): ErrorDetail[] {
  const [first = [], ...others] = branches.map((branch) => validateBody(branch, value, pointer));
  return others.some((faults) => faults.length === 0) ? [] : first;
}

function itemFaults({ items }: BodySchema, values: readonly unknown[], pointer: string): ErrorDetail[] {
  if (items === undefined) return [];
  return values.flatMap((value, index) => validateBody(items, value, `${pointer}/${index}`));
}

function fieldFaults({ properties = {} }: BodySchema, value: object, pointer: string): ErrorDetail[] {
  return Object.entries(value).flatMap(([name, field]) => {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return schema === undefined ? [] : validateBody(schema, field, `${pointer}/${name}`);
  });
}

function textFaults(schema: BodySchema, text: string): Fault[] {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, format } = schema;
  const length = [...text].length;
  const faults: Fault[] = [];
  if (length < minLength) {
    const message = `must have at least ${minLength} characters`;
    faults.push({ type: 'value_error.any_str.min_length', message });
  }
  if (length > maxLength) {
    const message = `must have at most ${maxLength} characters`;
    faults.push({ type: 'value_error.any_str.max_length', message });
  }
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(text)) {
    faults.push({ type: 'value_error.str.regex', message: `must match ${pattern}` });
  }
  if (format === 'date' && !(date.test(text) && isDay(text))) {
    faults.push({ type: 'value_error.date', message: 'must be a date such as 2026-02-28' });
  }
  if (format === 'date-time' && !(dateTime.test(text) && isDay(text.slice(0, 10)))) {
    const message = 'must be a date and time with an offset, such as 2026-02-28T09:30:00+00:00';
    faults.push({ type: 'value_error.datetime', message });
  }
  return faults;
}

/** Whether the calendar has the day, which `Date` makes another one of where it has not. */
function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

function isOfType(type: string, value: unknown): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === type;
}

function typeFault(allowed: readonly string[], value: unknown): Fault {
  if (value === null) return { type: 'type_error.none.not_allowed', message: 'must not be null' };
  const wanted = allowed.find((name) => name !== 'null') ?? 'null';
  const article = /^[aio]/.test(wanted) ? 'an' : 'a';
  return { type: `type_error.${wanted}`, message: `must be ${article} ${wanted}` };
}

function detail(pointer: string, { type, message }: Fault): ErrorDetail {
  return { type, pointer, message, location: 'body' };
}

/** The words of JSON Schema that the bodies of the contract are described with. */
export type BodySchema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, BodySchema>>;
  readonly items?: BodySchema;
  readonly anyOf?: readonly BodySchema[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
};

const schemas: Readonly<Record<string, unknown>> = description.components.schemas;
const referencePrefix = '#/components/schemas/';

/** A schema of the description by its name. Importing this file loads the whole description. */
export function bodySchema(name: keyof Schemas): BodySchema {
  return schemas[name] as BodySchema;
}

/** Follows `$ref` to the schema that it names. */
export function resolveSchema(schema: BodySchema): BodySchema {
  if (schema.$ref === undefined) return schema;
  return bodySchema(schema.$ref.slice(referencePrefix.length) as keyof Schemas);
}

const text = (maxLength: number): BodySchema => ({ maxLength });

/**
 * The limits of an address. The contract shows none; these are those of services of the same family (see "Address
 * limits" in docs/decisions.md), so that scripts meet them before they meet the real ones.
 */
export const addressLimits: BodySchema = {
  properties: {
    city: text(100),
    country: { pattern: '^[A-Z]{2}$' },
    postal_code: text(50),
    state: text(255),
    state_code: { pattern: '^[A-Z]{2}-[A-Z0-9]{1,3}$' },
    house_number_or_name: text(255),
    line1: text(255),
    line2: text(255),
    organization: text(255),
  },
};
