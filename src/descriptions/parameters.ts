import type { QueryParameter } from '../contract/operation.ts';
import { isObject, own } from '../json/is-object.ts';
import type { SchemaView } from '../schemas/schema-view.ts';
import { quote } from '../text/format.ts';
import { isJsonType, mediaTypeOf } from '../text/media-type.ts';
import { DELIMITERS } from './form-encoding.ts';
import { isNeverSent, isOwnHeader } from './header-names.ts';
import { type DeclaredParameter, parametersOfObject } from './object-parameters.ts';
import {
  isTypable,
  limitsOf,
  type ParameterContext,
  type Unreadable,
  viewSchema,
} from './parameter-limits.ts';
import { shortText } from './plain-text.ts';
import { type DocumentLocation, locationBelow, NotRunnable } from './references.ts';
import { namedTime } from './time-filters.ts';

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
  readonly location: DocumentLocation;
  readonly description: unknown;
  /** How its value is written, or why payctl does not send it. */
  readonly parameter: QueryParameter | Unreadable;
};

type Declared = DeclaredParameter & { readonly in: string };

const HEADER_NAME = /^[a-z][a-z0-9_-]{0,99}$/i;

/**
 * Reads the parameters of an operation from several lists. A parameter of a later list replaces that of an earlier one.
 * @throws NotRunnable where the operation needs what payctl cannot send
 */
export function readParameters(
  lists: readonly { readonly value: unknown; readonly location: DocumentLocation }[],
  context: ParameterContext,
): Parameters {
  const declared = declaredParameters(lists, context);
  const query = new Map<string, QueryParameter>();
  const path = new Map<string, QueryParameter>();
  const headers = new Map<string, HeaderParameter>();
  for (const parameter of declared.values()) {
    const { name, value, location } = parameter;
    if (parameter.in === 'header' && isOwnHeader(name.toLowerCase())) continue;
    const view = viewOf(parameter, context);
    // What has a default is what the service takes it for, and may be left out whatever the document calls it.
    const hasDefault = !('problem' in view) && view.initial !== undefined;
    const required = parameter.in === 'path' || (value.required === true && !hasDefault);
    const read = readParameter(parameter, view, context);
    if (parameter.in === 'header') {
      headers.set(name.toLowerCase(), {
        name,
        required,
        location,
        description: value.description,
        parameter: read,
      });
      continue;
    }
    const isOpen = parameter.in === 'query' && !('problem' in view);
    const members = isOpen ? [...parametersOfObject(parameter, view, context)] : [];
    const others = members.filter(([key]) => key === name || !declared.has(`query ${key}`));
    for (const [key, member] of others) query.set(key, member);
    if (others.length > 0 && 'problem' in read) continue;
    if ('problem' in read) {
      if (required)
        throw new NotRunnable(location, read.code, `It needs the parameter ${quote(name)}: ${read.problem}`);
      context.issues.add(location, read.code, `${quote(name)} is not sent: ${read.problem}`);
    } else if (parameter.in === 'path') path.set(name, { ...read, required: true });
    else {
      // Services that read objects in the query in this style expect a list under a name with brackets.
      const isBracketed = value.style === 'deepObject' && read.multiple && !name.endsWith('[]');
      const sentAs = isBracketed ? `${name}[]` : name;
      query.set(sentAs, { ...read, ...(required && others.length === 0 && { required }) });
    }
  }
  return { query, path, headers };
}

const COOKIE = { code: 'parameter_in_cookie', problem: 'payctl does not send cookies' } as const;
const QUERY_STRING = {
  code: 'parameter_style',
  problem: 'payctl sends no parameter that is the whole query',
} as const;
const OTHER_HEADER = { code: 'header_not_sent', problem: 'payctl does not send this header' } as const;

function declaredParameters(
  lists: readonly { readonly value: unknown; readonly location: DocumentLocation }[],
  { references, issues }: ParameterContext,
): ReadonlyMap<string, Declared> {
  const declared = new Map<string, Declared>();
  for (const { value: list, location: above } of lists) {
    for (const [index, entry] of (Array.isArray(list) ? list : []).entries()) {
      const location = locationBelow(above, String(index));
      const { value } = references.require(entry, location, { name: 'A parameter', location });
      const isKnown = isObject(value) && typeof value.name === 'string' && PLACES.has(String(value.in));
      if (isKnown) {
        const key = `${value.in} ${value.in === 'header' ? String(value.name).toLowerCase() : value.name}`;
        declared.set(key, { name: String(value.name), in: String(value.in), value, location });
      } else {
        const message = 'The parameter has no name or no location; it is not sent';
        issues.add(location, 'parameter_invalid', message);
      }
    }
  }
  return declared;
}

const PLACES = new Set(['query', 'path', 'header', 'cookie', 'querystring']);

function viewOf(
  { name, in: where, value, location }: Declared,
  context: ParameterContext,
): SchemaView | Unreadable {
  if (where === 'cookie') return COOKIE;
  if (where === 'querystring') return QUERY_STRING;
  if (where === 'header' && (isNeverSent(name.toLowerCase()) || !HEADER_NAME.test(name))) return OTHER_HEADER;
  return viewSchema(value.schema ?? {}, locationBelow(location, 'schema'), context);
}

function readParameter(
  { name, in: where, value, location }: Declared,
  view: SchemaView | Unreadable,
  { issues }: ParameterContext,
): QueryParameter | Unreadable {
  if ('problem' in view) return view;
  if (!isTypable(name)) return { code: 'parameter_name', problem: 'its name cannot be typed' };
  const summary = shortText(value.description);
  const noted = summary === '' ? {} : { summary };
  if (value.content !== undefined) {
    issues.add(location, 'parameter_less_checked', `${quote(name)} is sent as typed: it is a document`);
    const types = isObject(value.content) ? Object.keys(value.content) : [];
    const isJson = types.length === 1 && isJsonType(mediaTypeOf(types[0]));
    return { type: 'string', ...(isJson && { format: 'json' }), ...noted };
  }
  if (where === 'path' && value.style !== undefined && value.style !== 'simple')
    return unsupportedStyle(value.style);
  const shape = limitsOf(view, { issues, location: locationBelow(location, 'schema'), name });
  if ('problem' in shape) return shape;
  if (!shape.multiple)
    return { ...shape, ...(isTime(name, shape, value) && { format: 'date-time' }), ...noted };
  const separator = where === 'path' || where === 'header' ? ',' : separatorOf(value);
  if (separator === undefined) return unsupportedStyle(value.style);
  return { ...shape, ...(separator === '' ? {} : { separator }), ...noted };
}

/** Whether a text is a time only by its name and its description. */
function isTime(
  name: string,
  { type, format, enum: values }: QueryParameter,
  { description }: Declared['value'],
): boolean {
  const isOpen = type === 'string' && format === undefined && values === undefined;
  return isOpen && namedTime(name)?.operator !== undefined && /\bRFC[ -]?3339\b/i.test(String(description));
}

function unsupportedStyle(style: unknown): Unreadable {
  return { code: 'parameter_style', problem: `payctl does not support its style ${quote(String(style))}` };
}

/** The text between the elements of a list; empty if the key is repeated. */
function separatorOf({ style: given, explode }: Declared['value']): QueryParameter['separator'] | '' {
  const style = given ?? 'form';
  const delimiter = own(DELIMITERS, String(style));
  if (delimiter) return explode === true ? '' : delimiter;
  if (style === 'form') return explode === false ? ',' : '';
  return style === 'deepObject' ? '' : undefined;
}
