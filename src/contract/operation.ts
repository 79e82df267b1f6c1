import type { MemberMarks } from '../json/mask.ts';

/** A parameter of the query or the path: its type and the limits that its description puts on it. Lengths count characters. */
export type QueryParameter = {
  readonly type: 'string' | 'integer' | 'number' | 'boolean';
  readonly enum?: readonly string[];
  /** Whether it takes an integer or something that is not a number, such as true: a number has to be written in digits only. */
  readonly orInteger?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly default?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** A regular expression that part of the value has to match. */
  readonly pattern?: string;
  /** The format of JSON Schema, such as `date-time` or `uuid`. */
  readonly format?: string;
  /** Whether a request without it is refused. */
  readonly required?: boolean;
  /** Whether it takes several values, each under the same key. The type and limits are those of one value. */
  readonly multiple?: boolean;
  /** What joins several values under one key; without it the key is repeated. */
  readonly separator?: ',' | ' ' | '|';
  /** Whether each of its values is `KEY=VALUE`, which is sent as `name[KEY]=VALUE`. The type and limits are those of VALUE. */
  readonly pairs?: boolean;
  /** What it does, as one line of help; not for `cursor` and `limit`. */
  readonly summary?: string;
};

/** The beginning of the command of an operation whose first word is reserved for payctl itself. */
export const RESERVED_PREFIX = 'service-';

/** The only values that a parameter takes; undefined where there are others. */
export function allowedValues({
  enum: values,
  type,
}: Pick<QueryParameter, 'enum' | 'type'>): readonly string[] | undefined {
  return values ?? (type === 'boolean' ? ['true', 'false'] : undefined);
}

/** Parameters of paging that payctl does not follow, in lower case without other characters. */
const OTHER_PAGING = new Set([
  ...['page', 'offset', 'after', 'startingafter', 'pagetoken', 'start', 'skip', 'marker', 'continue'],
  ...['nexttoken', 'continuationtoken', 'pagenumber', 'pagecursor', 'pageafter', 'pageoffset', 'skiptoken'],
]);

/** The first of these parameters that pages a list in a way that payctl does not follow, such as by number. */
export function otherPaging(query: Operation['query']): string | undefined {
  return Object.keys(query).find((name) => {
    const plain = plainName(name);
    // `after` may be a time.
    return (OTHER_PAGING.has(plain) || /.cursor$/.test(plain)) && !query[name]?.format?.startsWith('date');
  });
}

/** A parameter's name in lower case without other characters: `pagesize` for `page_size`, `pageSize` and `page[size]`. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** Whether the pages of a list can be followed to its end, as far as its description says. */
export function isPaged({
  paginated,
  isLinked = false,
  paging,
}: {
  readonly paginated: boolean;
  readonly isLinked?: boolean | undefined;
  readonly paging?:
    | { readonly counted?: object; readonly header?: object; readonly members?: { readonly next?: unknown } }
    | undefined;
}): boolean {
  const { counted, header, members } = paging ?? {};
  return paginated || isLinked || (counted ?? header ?? members?.next) !== undefined;
}

/** Names that only a parameter for the size of a page has, as `plainName` returns them. */
export const SIZE_NAMES: readonly string[] = [
  ...['limit', 'pagesize', 'perpage', 'pagelimit', 'pagelength', 'maxresults', 'resultsperpage'],
  ...['itemsperpage', 'recordsperpage', 'maxitems'],
];

/** The parameter of a list that takes the size of a page, as the import found it or by its name; undefined for a list without one. */
export function sizeParameter({
  query,
  paging,
}: Pick<Operation, 'query'> & {
  readonly paging?: { readonly counted?: { readonly size?: string } } | undefined;
}): string | undefined {
  if (paging?.counted?.size !== undefined) return paging.counted.size;
  if ('limit' in query) return 'limit';
  const integers = Object.keys(query).filter((name) => query[name]?.type === 'integer');
  return SIZE_NAMES.flatMap((plain) => integers.filter((name) => plainName(name) === plain))[0];
}

/** The scopes that the token of a request should hold, and the other credentials that it may carry. */
export type NeededScopes = {
  /** What a freshly signed token carries. */
  readonly scopes: readonly string[];
  /** Any one of these opens the operation (`gift-cards.read` or `embed`); where it is empty all of `scopes` are needed. */
  readonly accepted: readonly string[];
  /** As in the operation, without credentials that the request already has in its headers or parameters. */
  readonly security?: Security | undefined;
};

/** The credentials that an operation takes: all of one of these alternatives. Without an alternative it needs none. */
export type Security = readonly (readonly SecurityScheme[])[];

/** Whether an operation accepts a token as one of its credentials. */
export function takesToken({ security }: { readonly security?: Security | undefined }): boolean {
  return security?.some((schemes) => schemes.some(isTokenScheme)) ?? true;
}

/** Whether a service carries a request with the same key out only once. */
export function takesKey(operation: Pick<Operation, 'idempotencyHeader' | 'idempotencyMember'>): boolean {
  return (operation.idempotencyHeader ?? operation.idempotencyMember) !== undefined;
}

/** Whether a scheme accepts a token: also an API key in the header `Authorization`. */
export function isTokenScheme(scheme: SecurityScheme): boolean {
  if (scheme.type !== 'apiKey') return scheme.type === 'bearer';
  return scheme.in === 'header' && scheme.name === 'authorization';
}

/** One credential of a request, and the name that the description gives it. */
export type SecurityScheme = { readonly scheme: string } & (
  | { readonly type: 'bearer' | 'basic' }
  /** `name` is that of the header (in lower case), the query parameter or the cookie. */
  | { readonly type: 'apiKey'; readonly in: 'header' | 'query' | 'cookie'; readonly name: string }
);

/** The credentials that a request carries. Hooks never get their values. */
export type RequestCredentials = {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>> | undefined;
};

/** What a description says about one endpoint: the contract's own, or one that the user imported. */
export type Operation = {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path below the base URL, with `{name}` for each path parameter. */
  readonly path: string;
  readonly summary: string;
  /** Any one of them suffices, and the first is the one to ask for; empty where an imported description names none. */
  readonly scopes: readonly string[];
  /** All of the scopes are needed. */
  readonly needsAllScopes?: boolean;
  /** The scope that additionally uncovers personal data in the response. */
  readonly piiScope?: string;
  /** The credentials of an imported operation, unless a bearer token is all that it takes. */
  readonly security?: Security;
  /** Whether the merchant account header applies. */
  readonly merchantAccount: boolean;
  /** Whether a request needs it. */
  readonly needsMerchantAccount?: boolean;
  /** Whether it is a list that can be read without an ID. */
  readonly isList: boolean;
  /** Whether it changes a collection, and not one item of it. */
  readonly isForAll?: boolean;
  /** It deletes, although its method is not DELETE. */
  readonly isDeletion?: boolean;
  /** Whether `cursor` and `limit` apply. */
  readonly paginated: boolean;
  readonly pathParameters: readonly string[];
  /** The name of the header that makes repeating the request harmless, where the operation takes one. */
  readonly idempotencyHeader?: string;
  /** The name of the member of its body that does. */
  readonly idempotencyMember?: string;
  readonly query: Readonly<Record<string, QueryParameter>>;
  /** The header parameters of an imported operation by their names in lower case, without those that payctl decides itself. */
  readonly headers?: Readonly<Record<string, QueryParameter>>;
  readonly hasBody: boolean;
  /** Name of the body's schema, in types.ts for an operation of the contract. */
  readonly bodySchema?: string;
  /** The schema of the body of an imported operation as JSON Schema 2020-12, with everything that it refers to below `$defs`. */
  readonly requestSchema?: unknown;
  readonly successStatus: number;
  /** The media type of the successful response, if it is JSON under another name than `application/json`. */
  readonly responseType?: string;
  /** Name of the successful response's schema, in types.ts for an operation of the contract. */
  readonly responseSchema: string;
  /** The personal data of a successful response; none where it holds none. */
  readonly personalData?: MemberMarks;
  /** Statuses of the errors that the contract lists. */
  readonly errors: readonly number[];
};

/** An endpoint of payctl's own contract, which names the scopes of every one. */
export type ContractOperation = Operation & { readonly scopes: readonly [string, ...string[]] };
