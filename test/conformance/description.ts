import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

type Reference = { readonly $ref: string };
type Media = {
  readonly schema: Reference;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
};
type Content = { readonly content: Readonly<Record<string, Media>> };
type Parameter = { readonly name: string; readonly in: 'path' | 'query' | 'header' };
type Described = {
  readonly operationId: string;
  readonly 'x-scopes': readonly string[];
  readonly 'x-pii-scope'?: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content | Reference>>;
};
type Description = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: object;
};

/** The API description as it was written: nothing that is generated from it plays a part in these tests. */
export const description = parse(
  readFileSync(join(import.meta.dirname, '../../openapi/openapi.yaml'), 'utf8'),
) as Description;

/** One operation of the description, with pointers into the description instead of names of generated types. */
export type Endpoint = {
  readonly id: string;
  /** In capitals, as it is sent. */
  readonly method: string;
  /** With `{name}` for each parameter. */
  readonly path: string;
  readonly scopes: readonly string[];
  readonly piiScope: string | undefined;
  readonly parameters: readonly (Parameter & { readonly schemaPointer: string })[];
  readonly bodyPointer: string | undefined;
  readonly successStatus: number;
  readonly errors: readonly number[];
};

/** Every operation, in the order of the description. */
export const endpoints: readonly Endpoint[] = Object.entries(description.paths).flatMap(
  ([path, operations]) =>
    Object.entries(operations).map(([method, described]) => readEndpoint(path, method, described)),
);

/** The endpoint of an operation. @throws TypeError when the description has none of that id */
export function endpointOf(id: string): Endpoint {
  const found = endpoints.find((endpoint) => endpoint.id === id);
  if (found === undefined) throw new TypeError(`the description has no operation ${id}`);
  return found;
}

/** Whether an endpoint is described with a parameter of this place and name. */
export function takes({ parameters }: Endpoint, place: Parameter['in'], name: string): boolean {
  return parameters.some((parameter) => parameter.in === place && parameter.name === name);
}

/** What the description says about one answer: its media type, and the pointer to the schema of its body. */
export type DescribedAnswer = { readonly mediaType: string; readonly pointer: string };

/**
 * The answer of an endpoint with a status. A status that its operation does not list is one of the errors that all
 * endpoints share (specification, Errors), which the operations that list it describe.
 * @throws TypeError for a status that no operation lists
 */
export function describedAnswer(endpoint: Endpoint, status: number): DescribedAnswer {
  const isListed = status === endpoint.successStatus || endpoint.errors.includes(status);
  const describing = isListed ? endpoint : endpoints.find(({ errors }) => errors.includes(status));
  if (describing === undefined) throw new TypeError(`no operation of the description answers ${status}`);
  const { method, path } = describing;
  const place = locate(`${operationPointer(path, method)}/responses/${status}`);
  const [mediaType = '', ...others] = Object.keys((place.value as Content).content);
  if (others.length > 0) throw new TypeError(`${place.pointer} has more than one media type`);
  return { mediaType, pointer: `${place.pointer}/content/${escapeSegment(mediaType)}/schema` };
}

/** The JSON body of a response that operations share, by the name of its component. */
export function exampleMedia(response: string): Media {
  const { value } = locate(`/components/responses/${response}/content/application~1json`);
  return value as Media;
}

function readEndpoint(path: string, method: string, described: Described): Endpoint {
  const { operationId, parameters = [], requestBody, responses } = described;
  const pointer = operationPointer(path, method);
  const statuses = Object.keys(responses).map(Number);
  return {
    id: operationId,
    method: method.toUpperCase(),
    path,
    scopes: described['x-scopes'],
    piiScope: described['x-pii-scope'],
    parameters: parameters.map((_, index) => {
      const place = locate(`${pointer}/parameters/${index}`);
      return { ...(place.value as Parameter), schemaPointer: `${place.pointer}/schema` };
    }),
    bodyPointer: requestBody && `${pointer}/requestBody/content/application~1json/schema`,
    successStatus: statuses.find((status) => status < 300) ?? 0,
    errors: statuses.filter((status) => status >= 400),
  };
}

function operationPointer(path: string, method: string): string {
  return `/paths/${escapeSegment(path)}/${method.toLowerCase()}`;
}

/** Finds what a pointer names, and follows it if it is a reference. */
function locate(pointer: string): { readonly pointer: string; readonly value: unknown } {
  const segments = pointer.split('/').slice(1);
  const value = segments
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((found, name) => (found as Record<string, unknown>)[name], description);
  const reference = (value as Partial<Reference>).$ref;
  return reference === undefined ? { pointer, value } : locate(reference.slice(1));
}

function escapeSegment(segment: string): string {
  return segment.replaceAll('~', '~0').replaceAll('/', '~1');
}
