import type { MemberMarks } from '../json/mask.ts';

/** A query parameter: its type and the limits that the contract puts on it. Lengths count characters. */
export type QueryParameter = {
  readonly type: 'string' | 'integer';
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Whether it takes several values, each under the same key. The type and limits are those of one value. */
  readonly multiple?: boolean;
  /** What it does, as one line of help; not for `cursor` and `limit`. */
  readonly summary?: string;
};

/** The scopes that the token of a request should hold. */
export type NeededScopes = {
  /** What a freshly signed token carries. */
  readonly scopes: readonly string[];
  /** Any one of these opens the operation (`gift-cards.read` or `embed`); where it is empty all of `scopes` are needed. */
  readonly accepted: readonly string[];
};

/** What the contract says of one endpoint. */
export type Operation = {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path below the base URL, with `{name}` for each path parameter. */
  readonly path: string;
  readonly summary: string;
  /** Any one of them suffices; the first is the one to ask for. */
  readonly scopes: readonly [string, ...string[]];
  /** The scope that additionally uncovers personal data in the response. */
  readonly piiScope?: string;
  /** Whether the merchant account header applies. */
  readonly merchantAccount: boolean;
  /** Whether it is a list that can be read without an ID. */
  readonly isList: boolean;
  /** Whether `cursor` and `limit` apply. */
  readonly paginated: boolean;
  readonly pathParameters: readonly string[];
  readonly query: Readonly<Record<string, QueryParameter>>;
  readonly hasBody: boolean;
  /** Name of the body's schema in types.ts. */
  readonly bodySchema?: string;
  readonly successStatus: number;
  /** Name of the successful response's schema in types.ts. */
  readonly responseSchema: string;
  /** The personal data of a successful response; none where it holds none. */
  readonly personalData?: MemberMarks;
  /** Statuses of the errors that the contract lists. */
  readonly errors: readonly number[];
};
