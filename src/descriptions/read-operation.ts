import type { Operation, QueryParameter, Security } from '../contract/operation.ts';
import type { AnySchema } from '../schemas/definitions.ts';
import type { SchemaView } from '../schemas/schema-view.ts';
import { quote } from '../text/format.ts';
import type { OperationRecord } from './complete-operation.ts';
import { declaredPlace } from './corrections.ts';
import { type Declaration, labelsOf, type OperationContext, pathNames } from './declaration.ts';
import { isKeyName, keyAmong } from './idempotency-key.ts';
import type { ImportedOperation, OperationModel } from './imported-operation.ts';
import { pagingOf } from './operation-paging.ts';
import { type Parameters, readParameters } from './parameters.ts';
import { plainText } from './plain-text.ts';
import { placeOf, sentRecordPath } from './record-place.ts';
import { type DocumentLocation, locationBelow, NotRunnable } from './references.ts';
import { readBody } from './request-body.ts';
import type { ResponseShape } from './response-shape.ts';
import { nounsOf, readResponses } from './responses.ts';

/** An operation without its name; its schemas are separate. */
export type ReadOperation = Pick<OperationRecord, 'requests' | 'response'> & {
  readonly operation: Omit<
    ImportedOperation,
    'id' | 'command' | 'requestSchema' | 'responseBodySchema' | Exclude<keyof OperationModel, 'record'>
  >;
  /** The record of its response, or an item of its list. */
  readonly record: SchemaView;
  /** Its body. */
  readonly sent: SchemaView;
};

/** Reads one operation. @throws NotRunnable */
export function readOperationOf(declaration: Declaration, context: OperationContext): ReadOperation {
  const { value, location, path, method } = declaration;
  context.references.require(value, location, { name: 'The operation', location });
  const own = { value: value.parameters, location: locationBelow(location, 'parameters') };
  const described = readParameters([declaration.shared, own], context);
  const access = context.security.accessOf(value, location);
  const parameters = withoutDemandedKeys(described, access.security);
  const headers = readHeaders(parameters, context);
  const query = withoutSecondKey(parameters, headers, { location, context });
  const body = readBody(declaration, context);
  const [usual, ...others] = body.bodies;
  const response = readResponses(declaration, context);
  const { shape, hasEtag } = response;
  const hasVersions = hasEtag || CONDITIONS.some((name) => parameters.headers.has(name));
  const names = pathNames(path);
  const operation: ReadOperation['operation'] = {
    method,
    path,
    ...labelsOf(value),
    ...access,
    ...headers,
    isList: shape.listShape !== undefined,
    ...pagingOf(parameters, response, { ...declaration, issues: context.issues }),
    pathParameters: names,
    pathValues: Object.fromEntries(
      names.map((name) => [name, parameters.path.get(name) ?? undeclared(name, location, context)]),
    ),
    query: Object.fromEntries(query),
    ...body.operation,
    ...(others.length > 0 && { otherBodies: others.map(({ form }) => form) }),
    ...response.operation,
    ...(typeof value.description === 'string' && { description: plainText(value.description) }),
    ...(shape.listShape && { listShape: shape.listShape }),
    ...(hasVersions && { hasVersions }),
    ...recordPlaceIn(declaration, { shape, schema: usual?.schema?.schema }, context),
    ...shape.shown,
  };
  return {
    operation,
    record: shape.record,
    sent: context.views.of(usual?.schema?.schema),
    requests: body.bodies.map(({ schema }) => schema),
    response: response.schema ?? null,
  };
}

/** Where the bodies have the record. `x-payctl-body-record` is a dotted path that corrects it. */
function recordPlaceIn(
  declaration: Declaration,
  { shape, schema }: { readonly shape: ResponseShape; readonly schema: AnySchema | undefined },
  context: OperationContext,
): Pick<ImportedOperation, 'record'> {
  const sent = declaredPlace(declaration, context, { name: 'x-payctl-body-record', schema });
  const found = sentRecordPath(context.views.of(schema), nounsOf(declaration.path), shape);
  const response = placeOf(shape.path);
  const request = sent ?? placeOf(found);
  const { itemPlace: item } = shape;
  const record = {
    ...(response !== undefined && { response }),
    ...(item !== undefined && { item }),
    ...(request !== undefined && { request }),
  };
  return Object.keys(record).length > 0 ? { record } : {};
}

/** Headers that make a request depend on the version of the record. */
const CONDITIONS = ['if-match', 'if-none-match'];

function undeclared(name: string, location: DocumentLocation, { issues }: OperationContext) {
  const message = `${quote(name)} in the path is not described; any text is accepted`;
  issues.add(location, 'parameter_undeclared', message);
  return { type: 'string', required: true } as const;
}

/** Makes parameters optional that are also credentials: payctl sends those of the profile. */
function withoutDemandedKeys(parameters: Parameters, security: Security = []): Parameters {
  const keys = security.flat().flatMap((one) => (one.type === 'apiKey' ? [`${one.in} ${one.name}`] : []));
  const isNeeded = (place: string, { required }: { readonly required?: boolean }, name: string) =>
    required === true && !keys.includes(`${place} ${name}`);
  const query = [...parameters.query].map(([name, parameter]) => {
    const { required: _, ...others } = parameter;
    return [name, isNeeded('query', parameter, name) ? parameter : others] as const;
  });
  const headers = [...parameters.headers].map(([name, header]) => {
    return [name, { ...header, required: isNeeded('header', header, name) }] as const;
  });
  return { ...parameters, query: new Map(query), headers: new Map(headers) };
}

function readHeaders(
  { headers }: Parameters,
  context: OperationContext,
): Pick<ImportedOperation, 'merchantAccount' | 'needsMerchantAccount' | 'idempotencyHeader' | 'headers'> {
  const names = [...headers].flatMap(([key, { parameter }]) => {
    const mayBeText = 'problem' in parameter || (parameter.type === 'string' && !parameter.enum);
    return mayBeText && /^[\w-]+$/.test(key) ? [key] : [];
  });
  const idempotencyHeader = keyAmong(names, (name) => headers.get(name)?.description);
  const account = headers.get(context.merchantHeader ?? '');
  const sent: Record<string, QueryParameter> = Object.create(null);
  for (const [key, { name, required, location, parameter }] of headers) {
    if (key === idempotencyHeader || key === context.merchantHeader) continue;
    if (!('problem' in parameter)) sent[key] = { ...parameter, ...(required && { required }) };
    else {
      const what = required ? `It needs the header ${quote(name)}` : `The header ${quote(name)} is not sent`;
      const message = `${what}: ${parameter.problem}`;
      if (required) throw new NotRunnable(location, 'header_required', message);
      context.issues.add(location, 'header_not_sent', message);
    }
  }
  return {
    merchantAccount: account !== undefined,
    ...(account?.required && { needsMerchantAccount: true }),
    ...(idempotencyHeader && { idempotencyHeader }),
    ...(Object.keys(sent).length > 0 && { headers: sent }),
  };
}

/**
 * The query parameters without a second idempotency key: if an operation also accepts the key in a header, it has one flag for the
 * key, and payctl sends the header.
 */
function withoutSecondKey(
  { query }: Parameters,
  { idempotencyHeader }: Pick<Operation, 'idempotencyHeader'>,
  { location, context }: { readonly location: DocumentLocation; readonly context: OperationContext },
): Parameters['query'] {
  if (idempotencyHeader === undefined) return query;
  const isFurther = ([name, { required }]: readonly [string, QueryParameter]) => isKeyName(name) && !required;
  for (const [name] of [...query].filter(isFurther)) {
    const message = `payctl sends the idempotency key in the header ${quote(idempotencyHeader)}, not in the query parameter ${quote(name)}`;
    context.issues.add(location, 'key_in_header', message);
  }
  return new Map([...query].filter((one) => !isFurther(one)));
}
