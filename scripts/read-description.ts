const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
/** A JSON object. */
export type JsonObject = { readonly [key: string]: Json };
/** A query parameter, references followed. */
export type QueryParameter = {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonObject;
  /** Whether it is a list, whose values are given by repeating the key; the schema is then that of one value. */
  readonly multiple: boolean;
  /** Name of the component, where operations share the parameter. */
  readonly sharedAs: string | undefined;
};
/** One operation of the description. */
export type Endpoint = {
  readonly id: string;
  readonly path: string;
  readonly method: string;
  /** The operation as the description has it. */
  readonly source: JsonObject;
  /** All parameters, references followed. */
  readonly parameters: readonly JsonObject[];
  readonly query: readonly QueryParameter[];
  /** Name of the items' schema, for a list that can be read without an ID. */
  readonly itemSchema: string | undefined;
};

/** Whether a JSON value is an object. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value as an object. @throws TypeError for anything else */
export function object(value: Json | undefined): JsonObject {
  if (!isObject(value))
    throw new TypeError(`openapi.yaml: expected an object, found ${JSON.stringify(value)}`);
  return value;
}

/** The value as a list; anything else is an empty one. */
export function list(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** The value as a text. @throws TypeError for anything else */
export function text(value: Json | undefined): string {
  if (typeof value !== 'string')
    throw new TypeError(`openapi.yaml: expected a string, found ${JSON.stringify(value)}`);
  return value;
}

/** Follows one `$ref` within the document; a value without one comes back as it is. */
export function resolve(document: JsonObject, value: Json | undefined): JsonObject {
  const target = object(value);
  if (typeof target.$ref !== 'string') return target;
  let found: Json | undefined = document;
  for (const key of target.$ref.slice(2).split('/')) found = object(found)[key];
  return object(found);
}

/** Name of the component that describes the JSON body of a request or a response. */
export function schemaName(holder: JsonObject): string {
  return componentName(object(object(object(holder.content)['application/json']).schema));
}

/** The last segment of a `$ref`. */
function componentName(reference: JsonObject): string {
  return text(reference.$ref).replace(/^.*\//, '');
}

function capitalize(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function decapitalize(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

function endpointOf(document: JsonObject, path: string, method: string): Endpoint {
  const source = object(object(object(document.paths)[path])[method]);
  const parameters = list(source.parameters);
  return {
    id: text(source.operationId),
    path,
    method: method.toUpperCase(),
    source,
    parameters: parameters.map((parameter) => resolve(document, parameter)),
    query: parameters.flatMap((parameter) => queryParameter(document, object(parameter))),
    itemSchema: method === 'get' && !path.includes('{') ? itemSchema(document, source) : undefined,
  };
}

function queryParameter(document: JsonObject, parameter: JsonObject): QueryParameter[] {
  const { in: place, name, description, schema: declared, explode } = resolve(document, parameter);
  if (place !== 'query') return [];
  const sharedAs = parameter.$ref === undefined ? undefined : decapitalize(componentName(parameter));
  const whole = resolve(document, declared);
  const multiple = whole.type === 'array';
  if (multiple && explode !== true) {
    throw new TypeError(
      `openapi.yaml: the query parameter ${text(name)} is a list without \`explode: true\``,
    );
  }
  const schema = multiple ? resolve(document, whole.items) : whole;
  return [{ name: text(name), description: text(description), schema, multiple, sharedAs }];
}

/** Name of the schema of what a list holds; undefined for an operation that answers with something else. */
function itemSchema(document: JsonObject, source: JsonObject): string | undefined {
  const [success] = Object.entries(object(source.responses)).filter(([status]) => status.startsWith('2'));
  const answer = object(object(document.components).schemas)[schemaName(object(success?.[1]))];
  const { items } = object(object(answer).properties ?? {});
  return isObject(items) && isObject(items.items) ? componentName(items.items) : undefined;
}

/** Every operation, in the order of the description. */
export function endpointsOf(document: JsonObject): Endpoint[] {
  return Object.entries(object(document.paths)).flatMap(([path, item]) =>
    METHODS.filter((method) => object(item)[method] !== undefined).map((method) =>
      endpointOf(document, path, method),
    ),
  );
}

/** Name of the type of an operation's query. */
export function queryTypeName(id: string): string {
  return `${capitalize(id)}Query`;
}
