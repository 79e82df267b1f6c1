import type { NeededScopes, Operation, RequestCredentials } from '../contract/operation.ts';
import type { BodyPart, BytesBody } from '../descriptions/byte-source.ts';
import type { PayctlError } from '../errors.ts';
import type { Deadline } from './deadline.ts';
import type { RequestSummary } from './errors.ts';
import type { Pace } from './pace.ts';
import type { RawResponse, ReadPage } from './response.ts';
import type { Receive, ResponseStart, Transport } from './transport.ts';

/** A token, or other credentials. */
type Credentials = string | RequestCredentials;

/** A request that is about to be sent. */
export type RequestEvent = {
  readonly request: RequestSummary;
  /** What the request is made from; `body` and `parts` are its body as it is sent. */
  readonly call: Pick<Call, 'operation' | 'path' | 'headers' | 'body'>;
  readonly headers: Readonly<Record<string, string>>;
  /** The credentials of the request: the names of headers and query parameters, with a mask instead of each value. */
  readonly credentials: RequestCredentials;
  readonly body?: string | undefined;
  /** The parts of a body that is not a text, in place of `body`: never the bytes of a file. */
  readonly parts?: readonly BodyPart[] | undefined;
  readonly attempt: number;
};

/**
 * What happens on the wire, for logs and progress. No hook sees the value of a credential. An error that a hook throws ends
 * the call; `onRequest` is awaited before anything is sent.
 */
export type ClientHooks = {
  onRequest?(event: RequestEvent): void | Promise<void>;
  onResponse?(event: { readonly reply: RawResponse; readonly milliseconds: number }): void;
  /** A request that changes data was carried out, and `document` is its response. */
  onChanged?(event: { readonly document: object }): void;
  /** A body held bytes that are not UTF-8, and has U+FFFD in their place. */
  onReplacedBytes?(event: { readonly reply: RawResponse }): void;
  /** Parameters to send in addition to those of a call: those that the contract does not define. */
  query?(operation: Operation): Readonly<Record<string, QueryValue>> | undefined;
  onRetry?(event: {
    readonly error: PayctlError;
    /** Counted from 1. */
    readonly retry: number;
    readonly maxRetries: number;
    readonly delayMilliseconds: number;
  }): void;
};

/** The context of every request of a client; `createClient` makes it once. */
export type RequestContext = {
  readonly transport: Transport;
  /** As in NetworkOptions. */
  readonly withoutProxy?: string | undefined;
  readonly origin: string;
  /** Path prefix of the base URL without a trailing slash; mostly empty. */
  readonly prefix: string;
  readonly token: (needed: NeededScopes) => Credentials | Promise<Credentials>;
  readonly merchantAccount: string | undefined;
  readonly merchantHeader: string;
  readonly userAgent: string;
  readonly timeoutMilliseconds: number;
  readonly maxRetries: number;
  readonly hooks: ClientHooks;
  readonly random: () => number;
};

/** The value of a query parameter: one, several under the same key, or none. */
export type QueryValue =
  | string
  | number
  | boolean
  | readonly string[]
  | readonly (string | number | boolean)[]
  | undefined;

/** One call of an operation, of the contract or of an imported description. */
export type Call = {
  readonly operation: Operation;
  /** The values of the path; the elements of a list are separated by commas. */
  readonly path?: Readonly<Record<string, string | readonly string[]>>;
  readonly query?: Readonly<Record<string, QueryValue>>;
  /** Path and query below the origin in place of those of the operation: where a link of the service leads to. */
  readonly target?: string | undefined;
  /** Further headers; those that the client sends itself stay as they are. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: unknown;
  /** Also ask for the scope that shows personal data in full. */
  readonly revealPii?: boolean;
  /** The scopes to ask for in place of those of the operation. */
  readonly scopes?: readonly string[] | undefined;
  /** The key that makes repeating the request harmless, where the operation takes one; by default a new UUID. */
  readonly idempotencyKey?: string | undefined;
  /** Writes the body, where it is sent in another form than JSON. @throws UsageError */
  readonly encode?: ((body: unknown) => string | BytesBody) | undefined;
  /** Media type of the body, where it is not `application/json`. */
  readonly contentType?: string | undefined;
  /** The response may be any JSON, or nothing; otherwise it has to be an object. */
  readonly acceptsAny?: boolean | undefined;
  readonly readPage?: ReadPage | undefined;
  /** The accepted media types of the response; by default `application/json`. */
  readonly accept?: string | undefined;
  /** Receives the body of a successful response in pieces, instead of its text. */
  readonly receiver?: Receiver | undefined;
  /** Sees the text of a successful response before it is read. What it sends then is on its way while the response is read. */
  readonly prefetch?: ((text: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The merchant account that it is for, in place of that of the client. */
  readonly merchantAccount?: string | undefined;
  /** When its attempts may start, which it shares with other calls. */
  readonly pace?: Pace | undefined;
  /** How often it is sent again where that is safe, if not as often as the client does. */
  readonly maxRetries?: number | undefined;
};

/** Receives the body of a successful response; made by `createReceiver`. */
export type Receiver = {
  /** As in `TransportRequest`; the time limit is one for each wait for more. */
  receive(start: ResponseStart, limit: Deadline): ReturnType<Receive>;
  /** Whether pieces have gone where they cannot be taken back: the request is not repeated then. */
  readonly hasPassedOn: boolean;
  /** What the place that the pieces go to failed with; no error of the connection. */
  readonly failure: unknown;
};

/** The input of one request of an operation. */
export type RequestOptions = Omit<Call, 'operation' | 'acceptsAny' | 'readPage' | 'prefetch'>;
