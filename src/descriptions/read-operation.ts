import { type Operation, otherPaging, type QueryParameter } from '../contract/operation.ts';
import { isObject } from '../json/is-object.ts';
import { FORM_TYPE, quote } from '../text/format.ts';
import type { Answer, AnswerReader } from './answer.ts';
import { readEncoding } from './form-encoding.ts';
import type { Envelope, ImportedOperation } from './imported-operation.ts';
import type { Issues } from './issues.ts';
import { type Parameters, readParameters, type Skip } from './parameters.ts';
import { firstSentence, kebab, plainLine, plainText } from './plain-text.ts';
import { type Found, type Place, placeBelow, type ReferenceProblem, type References } from './references.ts';
import type { ConvertedSchema } from './schema-keywords.ts';
import type { Schemas } from './schemas.ts';
import type { Security } from './security.ts';

/** An operation of the document, before it is read. */
export type Declaration = {
  readonly method: Operation['method'];
  readonly path: string;
  readonly value: Readonly<Record<string, unknown>>;
  readonly place: Place;
  /** Parameters that all operations of the path have. */
  readonly shared: { readonly value: unknown; readonly place: Place };
};

/** What operations are read with. */
export type OperationContext = {
  readonly references: References;
  readonly schemas: Schemas;
  readonly issues: Issues;
  readonly security: Security;
  /** Lower-case name of the header that names the merchant account. */
  readonly merchantHeader: string | undefined;
  readonly answers: AnswerReader;
  /** Whether the document marks personal data. */
  readonly marksPersonalData: boolean;
};

/** An operation without its name and its schemas, which are kept apart. */
export type ReadOperation = {
  readonly operation: Omit<ImportedOperation, 'id' | 'command' | 'requestSchema' | 'responseBodySchema'>;
  readonly request: ConvertedSchema | undefined;
  readonly response: ConvertedSchema | undefined;
  /** Whether one of its own schemas refers to something outside of the document. */
  readonly leaves: boolean;
};

/** Reads one operation, or says why it cannot be run. */
export function readOperationOf(declaration: Declaration, context: OperationContext): ReadOperation | Skip {
  const { value, place, path, method } = declaration;
  const own = { value: value.parameters, place: placeBelow(place, 'parameters') };
  const parameters = readParameters([declaration.shared, own], context);
  if ('code' in parameters) return parameters;
  const headers = readHeaders(parameters, context);
  if ('code' in headers) return headers;
  const query = withoutSecondKey(parameters, headers, { place, context });
  const body = readBody(declaration, context);
  if ('code' in body) return body;
  const response = readResponses(declaration, context);
  if ('code' in response) return response;
  const { answer, isLinked: _, hasEtag, ...answered } = response;
  const hasVersions = hasEtag || CONDITIONS.some((name) => parameters.headers.has(name));
  const names = pathNames(path);
  const operation: ReadOperation['operation'] = {
    method,
    path,
    ...labelsOf(value),
    ...context.security.scopesOf(value, place),
    ...headers,
    isList: answer.listShape !== undefined,
    ...pagingOf(parameters, response, { place, context }),
    pathParameters: names,
    pathValues: Object.fromEntries(
      names.map((name) => [name, parameters.path.get(name) ?? undeclared(name, place, context)]),
    ),
    query: Object.fromEntries(query),
    ...body.operation,
    ...answered.operation,
    ...(typeof value.description === 'string' && { description: plainText(value.description) }),
    ...(answer.listShape && { listShape: answer.listShape }),
    ...(hasVersions && { hasVersions }),
    columns: answer.columns,
    fields: answer.fields,
  };
  return {
    operation,
    request: body.schema,
    response: answered.schema,
    leaves: body.leaves || answered.leaves,
  };
}

/** The headers that make a request depend on the version of what is there. */
const CONDITIONS = ['if-match', 'if-none-match'];

/** The name, summary and tag of an operation, whether payctl can run it or not. */
export function labelsOf({ summary, description, tags, deprecated }: Declaration['value']) {
  const tag: unknown = Array.isArray(tags) ? tags[0] : undefined;
  return {
    summary: plainLine(summary) || firstSentence(description),
    ...(typeof tag === 'string' && { tag: plainLine(tag, 80) }),
    ...(deprecated === true && { isDeprecated: true }),
  };
}

/** Names in braces, in the order of the path. */
export function pathNames(path: string): readonly string[] {
  return [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name);
}

function undeclared(name: string, place: Place, { issues }: OperationContext) {
  issues.add(place, {
    code: 'parameter_undeclared',
    message: `${quote(name)} in the path is not described; any text is accepted`,
  });
  return { type: 'string', required: true } as const;
}

const IDEMPOTENCY = /^(x-)?([a-z]+-)?idempotency-?(key|token|id)$/;

function readHeaders(
  { headers }: Parameters,
  context: OperationContext,
): Pick<ImportedOperation, 'merchantAccount' | 'idempotencyHeader' | 'headers'> | Skip {
  let idempotencyHeader: string | undefined;
  let merchantAccount = false;
  const sent: Record<string, QueryParameter> = {};
  for (const [key, { name, required, place, parameter }] of headers) {
    if (key === context.merchantHeader) merchantAccount = true;
    else if (IDEMPOTENCY.test(key) && /^[\w-]+$/.test(key)) idempotencyHeader = key;
    else if (!('problem' in parameter)) sent[key] = { ...parameter, ...(required && { required }) };
    else if (required)
      return {
        place,
        code: 'header_required',
        message: `It needs the header ${quote(name)}: ${parameter.problem}`,
      };
    else
      context.issues.add(place, {
        code: 'header_not_sent',
        message: `The header ${quote(name)} is not sent: ${parameter.problem}`,
      });
  }
  return {
    merchantAccount,
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
  { place, context }: { readonly place: Place; readonly context: OperationContext },
): Parameters['query'] {
  if (idempotencyHeader === undefined) return query;
  const isFurther = ([name, { required }]: readonly [string, QueryParameter]) =>
    IDEMPOTENCY.test(kebab(name)) && !required;
  for (const [name] of [...query].filter(isFurther)) {
    const message = `payctl sends the idempotency key in the header ${quote(idempotencyHeader)}, not in the query parameter ${quote(name)}`;
    context.issues.add(place, { code: 'key_in_header', message });
  }
  return new Map([...query].filter((one) => !isFurther(one)));
}

/** Media types that payctl can write, the best one first. */
const JSON_TYPE =
  /^(application\/json|application\/[\w.+-]+\+json|text\/json|\*\/\*|application\/\*)\s*(;.*)?$/i;

type Content = {
  /** The media types that there are. */
  readonly types: readonly string[];
  /** The JSON among them, its schema and the place of it. */
  readonly json: MediaType | undefined;
  /** The form among them. */
  readonly form: MediaType | undefined;
};

type MediaType = {
  readonly type: string;
  readonly schema: unknown;
  readonly encoding: unknown;
  readonly place: Place;
};

/** The media types of a body or an answer. Some documents have references where none may be; they are followed, too. */
function readContent(holder: Found, { references }: OperationContext): Content | ReferenceProblem {
  const { content } = isObject(holder.value) ? holder.value : {};
  const found = references.follow(content ?? {}, placeBelow(holder.place, 'content'));
  if ('code' in found) return found;
  const map = isObject(found.value) ? found.value : {};
  const types = Object.keys(map);
  const all = types.filter((each) => JSON_TYPE.test(each));
  const json = all.find((each) => /^application\/json/i.test(each)) ?? all[0];
  const type = json ?? types.find((each) => bareType(each) === FORM_TYPE);
  if (type === undefined) return { types, json: undefined, form: undefined };
  const media = references.follow(map[type], placeBelow(found.place, type));
  if ('code' in media) return media;
  const { schema, encoding } = isObject(media.value) ? media.value : {};
  const one = { type, schema, encoding, place: placeBelow(media.place, 'schema') };
  return json === undefined ? { types, json: undefined, form: one } : { types, json: one, form: undefined };
}

/** A media type without its parameters. */
function bareType(type: string): string {
  return type.replace(/\s*;.*$/s, '').toLowerCase();
}

type ReadBody = {
  readonly operation: Pick<
    ImportedOperation,
    'hasBody' | 'bodySchema' | 'bodyRequired' | 'bodyType' | 'bodyEncoding'
  >;
  readonly schema: ConvertedSchema | undefined;
  readonly leaves: boolean;
};

const NO_BODY: ReadBody = { operation: { hasBody: false }, schema: undefined, leaves: false };

function readBody({ value, place: above, method }: Declaration, context: OperationContext): ReadBody | Skip {
  if (value.requestBody === undefined) return NO_BODY;
  const place = placeBelow(above, 'requestBody');
  const found = context.references.follow(value.requestBody, place);
  if ('code' in found)
    return { place, code: found.code, message: `Its body could not be read: ${found.message}` };
  const body = isObject(found.value) ? found.value : {};
  const content = readContent(found, context);
  if ('code' in content)
    return { place, code: content.code, message: `Its body could not be read: ${content.message}` };
  const { types } = content;
  const sent = content.json ?? content.form;
  // Some documents give every operation a form, with nothing in it.
  if (content.form && body.required !== true && isEmptyForm(content.form)) return NO_BODY;
  if (!sent || method === 'GET') {
    if (types.length === 0) return NO_BODY;
    const message = sent
      ? 'payctl sends no body with GET'
      : `Its body is ${types.map((type) => quote(type)).join(' or ')}, not JSON or a form`;
    const code = sent ? 'body_of_get' : 'body_not_json';
    if (body.required === true || (!sent && method !== 'GET' && method !== 'DELETE'))
      return { place, code, message };
    context.issues.add(place, { code, message });
    return NO_BODY;
  }
  const schema = sent.schema === undefined ? undefined : context.schemas.convert(sent.schema, sent.place);
  const encoding = content.form && readEncoding(sent.encoding);
  const bare = bareType(sent.type);
  const isPlain = bare === 'application/json' || bare.includes('*') || !/^[\w.+/-]+$/.test(bare);
  return {
    operation: {
      hasBody: true,
      ...nameOf('bodySchema', schema),
      ...(body.required === true && { bodyRequired: true }),
      ...(!isPlain && { bodyType: bare }),
      ...(encoding && { bodyEncoding: encoding }),
    },
    schema,
    leaves: schema?.leaves === true,
  };
}

function isEmptyForm({ schema }: MediaType): boolean {
  const { type, properties } = isObject(schema) ? schema : {};
  return type === 'object' && isObject(properties) && Object.keys(properties).length === 0;
}

/** The name of the definition that a schema is, where it is one. */
function nameOf<Member extends string>(
  member: Member,
  schema: ConvertedSchema | undefined,
): { [Name in Member]?: string } {
  const reference: unknown = typeof schema?.schema === 'object' ? schema.schema.$ref : undefined;
  return (typeof reference === 'string' ? { [member]: reference.slice('#/$defs/'.length) } : {}) as {
    [Name in Member]?: string;
  };
}

type ReadResponse = {
  readonly operation: Pick<
    ImportedOperation,
    'successStatus' | 'responseSchema' | 'answerTypes' | 'personalData' | 'personalByName' | 'errors'
  >;
  readonly schema: ConvertedSchema | undefined;
  readonly leaves: boolean;
  readonly answer: Answer;
  /** Its answer has a `Link` header, which is how the pages of many services lead to one another. */
  readonly isLinked: boolean;
  /** Its answer has an `ETag` header. */
  readonly hasEtag: boolean;
};

/** What the records of a collection are called in its path, as a member is: `payment_links` of `/payment-links`. */
function collectionOf(path: string): string | undefined {
  const last = path.replace(/\/$/, '').split('/').at(-1) ?? '';
  return last.includes('{') ? undefined : last.replaceAll('-', '_');
}

function readResponses(
  { value, place: above, method, path }: Declaration,
  context: OperationContext,
): ReadResponse | Skip {
  const place = placeBelow(above, 'responses');
  const responses = isObject(value.responses) ? value.responses : {};
  const statuses = Object.keys(responses).filter((status) => !status.startsWith('x-'));
  const success = chooseSuccess(statuses);
  const errors = statuses.map(Number).filter((status) => status >= 400 && status < 600);
  const at = placeBelow(place, success ?? '');
  const found = context.references.follow(success === undefined ? {} : responses[success], at);
  if ('code' in found)
    return { place: at, code: found.code, message: `Its response could not be read: ${found.message}` };
  const content = readContent(found, context);
  if ('code' in content)
    return { place: at, code: content.code, message: `Its response could not be read: ${content.message}` };
  const { types, json } = content;
  const answerTypes = json ? [] : mediaTypesIn(types);
  if (!json && types.length > 0 && answerTypes.length === 0) {
    const message = `It returns ${types.map((type) => quote(type)).join(' or ')}, which is not a media type`;
    return { place: at, code: 'answer_not_json', message };
  }
  const source = json?.schema;
  const schema = source === undefined || !json ? undefined : context.schemas.convert(source, json.place);
  const mayList = method === 'GET' || method === 'POST';
  const collection = method === 'GET' ? collectionOf(path) : undefined;
  const answer = context.answers.read(schema?.schema, { mayList, collection });
  const { headers } = isObject(found.value) ? found.value : {};
  const names = Object.keys(isObject(headers) ? headers : {}).map((name) => name.toLowerCase());
  const personalData = context.marksPersonalData ? context.answers.marks(schema?.schema, answer) : undefined;
  return {
    operation: {
      successStatus: Number(success?.replace(/xx$/i, '00')) || 200,
      responseSchema: nameOf('responseSchema', schema).responseSchema ?? '',
      ...(answerTypes.length > 0 && { answerTypes }),
      ...(personalData && { personalData }),
      ...(!context.marksPersonalData && { personalByName: true }),
      errors,
    },
    schema,
    leaves: schema?.leaves === true,
    answer,
    isLinked: method === 'GET' && names.includes('link'),
    hasEtag: names.includes('etag'),
  };
}

const MEDIA_TYPE = /^[\w!#$&^.+-]{1,100}\/(?:[\w!#$&^.+-]{1,100}|\*)$/;
const MOST_MEDIA_TYPES = 20;

/** Those that may stand in a header, without their parameters. */
function mediaTypesIn(types: readonly string[]): readonly string[] {
  const bare = types.map((type) => type.replace(/;.*$/s, '').trim().toLowerCase());
  return [...new Set(bare.filter((type) => MEDIA_TYPE.test(type)))].slice(0, MOST_MEDIA_TYPES);
}

/** The first status of success; a range and the default one where there is none. */
function chooseSuccess(statuses: readonly string[]): string | undefined {
  const exact = statuses.filter((status) => /^2\d\d$/.test(status)).sort();
  return (
    exact[0] ??
    statuses.find((status) => /^2xx$/i.test(status)) ??
    statuses.find((status) => status === 'default')
  );
}

/** Parameters that take the next cursor of a page, and those that take the ID of its last item. */
const CURSOR_PARAMETERS = ['cursor', 'page_token', 'pageToken', 'next_token', 'nextToken'];
const AFTER_PARAMETERS = ['starting_after', 'startingAfter'];

function pagingOf(
  { query }: Parameters,
  { answer, ...response }: ReadResponse,
  { place, context }: { readonly place: Place; readonly context: OperationContext },
) {
  const largest = query.get('limit')?.maximum;
  const names = answer.hasNextCursor ? CURSOR_PARAMETERS : answer.hasMore ? AFTER_PARAMETERS : [];
  const parameter = answer.listShape === 'envelope' ? names.find((name) => query.has(name)) : undefined;
  const paginated = parameter !== undefined;
  const isLinked = !paginated && answer.listShape !== undefined && response.isLinked;
  const report = (message: string) => context.issues.add(place, { code: 'paging_not_followed', message });
  if (isLinked) {
    // Its links lead to the next page, whatever its parameters are.
  } else if (!paginated && answer.hasNextCursor) {
    report('Its pages name a next cursor, but it takes no "cursor": payctl prints one page');
  } else if (!paginated && answer.listShape && query.has('cursor')) {
    report('It takes a "cursor", but its pages name no next cursor: payctl prints one page');
  } else if (!paginated && answer.listShape) {
    const other = otherPaging(query.keys());
    if (other !== undefined) report(`It pages by ${quote(other)}, which payctl does not follow by itself`);
  }
  const envelope = paginated ? envelopeOf(answer, parameter) : answer.envelope;
  return {
    paginated,
    ...(isLinked && { isLinked }),
    ...(answer.listShape && largest !== undefined && { largestPage: largest }),
    ...(envelope && { envelope }),
  };
}

/** The envelope of a list whose pages this parameter leads to; undefined for the usual one. */
function envelopeOf(
  { envelope, hasNextCursor, hasMore }: ReadResponse['answer'],
  cursorParameter: string,
): Envelope | undefined {
  if (cursorParameter === 'cursor') return envelope;
  const usual = { items: 'items', ...(hasNextCursor && { nextCursor: 'next_cursor' }) };
  return { ...(envelope ?? usual), ...(hasMore !== undefined && { hasMore }), cursorParameter };
}
