import { isObject } from '../json/is-object.ts';
import { type ConvertedSchema, nameOfSchema } from '../schemas/definitions.ts';
import { quote } from '../text/format.ts';
import { typesIn } from '../text/media-type.ts';
import type { Refusals } from './complete-operation.ts';
import { readContent } from './content.ts';
import { declaredPlace } from './corrections.ts';
import type { Declaration, OperationContext } from './declaration.ts';
import type { ImportedOperation } from './imported-operation.ts';
import { calledBy, plainPath, singular } from './path-words.ts';
import { kebab } from './plain-text.ts';
import { type DocumentLocation, locationBelow, NotRunnable } from './references.ts';
import type { ResponseShape } from './response-shape.ts';

/** The successful response of an operation. */
export type ReadResponse = {
  readonly operation: Pick<
    ImportedOperation,
    | 'successStatus'
    | 'responseSchema'
    | 'responseType'
    | 'isUndescribed'
    | 'downloadTypes'
    | 'personalData'
    | 'secretData'
    | 'personalByName'
    | 'errors'
  >;
  readonly schema: ConvertedSchema | undefined;
  readonly shape: ResponseShape;
  /** The response has a `Link` header, with which many services link their pages. */
  readonly isLinked: boolean;
  /** The names of all its headers, in lower case. */
  readonly headers: readonly string[];
  /** The response has an `ETag` header. */
  readonly hasEtag: boolean;
};

/** The last word of the path of a collection, in lower case with hyphens; undefined for that of a record. */
function collectionOf(path: string): string | undefined {
  const last = (calledBy(path)?.resource ?? plainPath(path)).split('/').at(-1) ?? '';
  return last.includes('{') ? undefined : kebab(last);
}

/**
 * Names of the record of a path, the most specific first: its last two words, in the singular with hyphens, alone and
 * together.
 */
export function nounsOf(path: string): readonly string[] {
  const words = (calledBy(path)?.resource ?? plainPath(path)).split('/');
  const named = words.filter((segment) => segment !== '' && !segment.includes('{')).slice(-2);
  const nouns = named.toReversed().map((word) => kebab(singular(kebab(word))));
  return nouns.length > 1 ? [...nouns, nouns.toReversed().join('-')] : nouns;
}

/** Reads the responses of an operation. @throws NotRunnable where payctl cannot read them */
export function readResponses(declaration: Declaration, context: OperationContext): ReadResponse {
  const { value, location: above, method, path } = declaration;
  const location = locationBelow(above, 'responses');
  const responses = isObject(value.responses) ? value.responses : {};
  const statuses = Object.keys(responses).filter((status) => !status.startsWith('x-'));
  const success = chooseSuccess(statuses);
  const errors = statuses.map(Number).filter((status) => status >= 400 && status < 600);
  const at = locationBelow(location, success ?? '');
  const needed = { name: 'Its response', location: at };
  const found = context.references.require(success === undefined ? {} : responses[success], at, needed);
  const { types, best } = readContent(found, needed, context);
  const json = best?.kind === 'json' ? best : undefined;
  const downloadTypes = json ? [] : [...new Set(types.flatMap(typesIn))];
  if (!json && types.length > 0 && downloadTypes.length === 0) {
    const message = `It returns ${types.map((type) => quote(type)).join(' or ')}, which is not a media type`;
    throw new NotRunnable(at, 'answer_not_json', message);
  }
  const hasSchema = json && json.schema !== undefined;
  const schema = hasSchema ? context.schemas.convert(json.schema, json.location) : undefined;
  const mayList = method === 'GET' || method === 'POST';
  const collection = calledBy(path) || method === 'GET' ? collectionOf(path) : undefined;
  const record = declaredPlace(declaration, context, { name: 'x-payctl-record', schema: schema?.schema });
  const shape = context.shapes.read(schema?.schema, { mayList, collection, nouns: nounsOf(path), record });
  const { headers } = isObject(found.value) ? found.value : {};
  const names = Object.keys(isObject(headers) ? headers : {}).map((name) => name.toLowerCase());
  const personalData = context.marksPersonalData ? context.shapes.marks(schema?.schema, shape) : undefined;
  const secretData = context.shapes.secrets(schema?.schema, shape);
  return {
    operation: {
      successStatus: Number(success?.replace(/xx$/i, '00')) || 200,
      responseSchema: nameOfSchema(schema) ?? '',
      // For other requests, only success matters.
      ...(method === 'GET' &&
        MAY_BE_ANYTHING.test(success ?? '') &&
        types.length === 0 && { isUndescribed: true }),
      ...(json?.ownType !== undefined && { responseType: json.ownType }),
      ...(downloadTypes.length > 0 && { downloadTypes }),
      ...(personalData && { personalData }),
      ...(secretData && { secretData }),
      ...(!context.marksPersonalData && { personalByName: true }),
      errors,
    },
    schema,
    shape,
    isLinked: method === 'GET' && names.includes('link'),
    headers: names,
    hasEtag: names.includes('etag'),
  };
}

/** The successes that have a body, whether the description has it or not. */
const MAY_BE_ANYTHING = /^(?:200|2xx|default)$/i;

/** The lowest status of success; else the range `2XX`, else `default`. */
function chooseSuccess(statuses: readonly string[]): string | undefined {
  const sorted = statuses.toSorted();
  return [/^2\d\d$/, /^2xx$/i, /^default$/].flatMap((one) => sorted.filter((status) => one.test(status)))[0];
}

/** Reads the schemas of the error responses that are JSON. Those that cannot be read are left out; undefined where none is left. */
export function readRefusals(
  { value, location }: Declaration,
  context: OperationContext,
): Refusals | undefined {
  const { responses } = value;
  const described = Object.entries(isObject(responses) ? responses : {});
  const success = chooseSuccess(described.map(([status]) => status));
  const isError = success === undefined || success === 'default' ? /^[45]/ : /^(?:[45]|default$)/i;
  const all = described.flatMap(([status, response]) => {
    if (!isError.test(status)) return [];
    const at = locationBelow(location, 'responses', status);
    const refusal = readRefusal(response, at, context);
    return refusal ? [[status.toLowerCase(), refusal] as const] : [];
  });
  return all.length > 0 ? Object.fromEntries(all) : undefined;
}

function readRefusal(response: unknown, location: DocumentLocation, context: OperationContext) {
  const needed = { name: 'An error', location };
  try {
    const { best } = readContent(context.references.require(response, location, needed), needed, context);
    if (best?.kind !== 'json' || best.schema === undefined) return undefined;
    const { ownType: type } = best;
    return { ...context.schemas.convert(best.schema, best.location), ...(type !== undefined && { type }) };
  } catch (error) {
    if (error instanceof NotRunnable) return undefined;
    throw error;
  }
}
