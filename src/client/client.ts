import { MERCHANT_HEADER } from '../contract/generated/operations.ts';
import type { NeededScopes, Operation, RequestCredentials } from '../contract/operation.ts';
import { UsageError } from '../errors.ts';
import { withoutEndSlashes } from '../text/format.ts';
import type { ClientHooks, RequestContext, RequestOptions } from './call.ts';
import type { DescribedClient } from './described-client.ts';
import { createLists, type Lists, type NamedLists, nameLists } from './generated/lists.ts';
import type { NetworkOptions } from './network/options.ts';
import type { PagedResource, PageQuery } from './page.ts';
import { createPagedResource, type ListCall } from './paging/resource.ts';
import {
  type Buyers,
  type CheckoutSessions,
  createCheckoutSessions,
  createPaymentServiceDefinitions,
  createShippingDetails,
  type PaymentServiceDefinitions,
} from './resources.ts';
import type { Received } from './response.ts';
import { send } from './send.ts';
import { type CloseOptions, createTransport } from './transport.ts';

export type * from '../contract/generated/types.ts';
export type {
  NeededScopes,
  Operation,
  QueryParameter,
  RequestCredentials,
  SecurityScheme,
} from '../contract/operation.ts';
export type { BodyPart, ByteSource, Bytes } from '../descriptions/byte-source.ts';
export { AbortedError, CredentialsError, type ErrorDetail, PayctlError, UsageError } from '../errors.ts';
export type { ClientHooks, QueryValue, RequestOptions } from './call.ts';
export type { DescribedClient } from './described-client.ts';
export {
  ApiError,
  ConnectionError,
  type ConnectionErrorCode,
  CursorLoopError,
  type RequestSummary,
  ResponseError,
  type ResponseErrorCode,
} from './errors.ts';
export type * from './generated/lists.ts';
export type { NetworkOptions, ProxyOptions } from './network/options.ts';
export type { ListOptions, Page, PagedResource, PagingOptions } from './page.ts';
export type { ListCall } from './paging/resource.ts';
export type { Buyers, CheckoutSessions, PaymentServiceDefinitions, ShippingDetails } from './resources.ts';
export { type RawResponse, responseOf } from './response.ts';
export type { DocumentOptions } from './send.ts';

/** What `createClient` takes. */
export type ClientOptions = {
  /** Absolute URL of the instance; a path prefix is kept. The token is sent to its origin and to no other. */
  readonly baseUrl: string;
  /**
   * A token, or a function that gets the scopes and credentials that a request needs, and returns a token or other credentials as
   * headers and query parameters.
   */
  readonly token:
    | string
    | ((needed: NeededScopes) => string | RequestCredentials | Promise<string | RequestCredentials>);
  /** Sent in the merchant account header; without one the header is left out. */
  readonly merchantAccount?: string | undefined;
  /** Name of that header. Default `x-service-merchant-account-id`. */
  readonly merchantHeader?: string;
  /** Default `payctl-client`. */
  readonly userAgent?: string;
  /** For one attempt, from connecting to the last byte. Default 30,000 ms. */
  readonly timeoutMilliseconds?: number;
  /** How often a request is sent again where that is safe. Default 3. */
  readonly maxRetries?: number;
  /** Proxy and certificates. Default: a direct connection, and the certificates that Node or the operating system trusts. */
  readonly network?: NetworkOptions | undefined;
  readonly hooks?: ClientHooks;
  /** Source of jitter, 0 (included) to 1 (excluded). Default `Math.random`. */
  readonly random?: () => number;
};

/** A client of one instance of the service. */
export type Client = NamedLists & {
  /** The same lists, by their operation ids. */
  readonly lists: Lists;
  readonly buyers: Buyers;
  readonly checkoutSessions: CheckoutSessions;
  readonly paymentServiceDefinitions: PaymentServiceDefinitions;
  /**
   * Sends one request of any operation, such as one of an imported description, again where that is safe. Resolves to the JSON
   * object or array of the response; of a response that is neither, `responseOf` has the text.
   */
  request(operation: Operation, call?: RequestOptions): Promise<object & Received>;
  /**
   * Reads an OpenAPI description, the document or its text, and gives its operations by their ids. What reads descriptions is
   * loaded only then. @throws UsageError `invalid_description`, `not_a_description`
   */
  withDescription(document: object | string): Promise<DescribedClient>;
  /** The three ways to read the list of any operation; a list that is sent as an array is one page. */
  list(operation: Operation, call?: Omit<ListCall, 'acceptsAny'>): PagedResource<unknown, PageQuery>;
  /** Closes its connections; running requests fail. */
  close(options?: CloseOptions): Promise<void>;
};

/**
 * Makes a client; nothing is sent yet.
 * @throws UsageError `bad_base_url` when the base URL is not an absolute http or https URL without credentials, query
 * and fragment; `bad_option` when a number is out of range
 */
export function createClient(options: ClientOptions): Client {
  const base = parseBaseUrl(options.baseUrl);
  const { token, timeoutMilliseconds = 30_000, maxRetries = 3 } = options;
  requireNumber('timeoutMilliseconds', timeoutMilliseconds, timeoutMilliseconds >= 1);
  requireNumber('maxRetries', maxRetries, Number.isInteger(maxRetries) && maxRetries >= 0);
  const context: RequestContext = {
    transport: createTransport(base.origin, timeoutMilliseconds, options.network),
    withoutProxy: options.network?.withoutProxy,
    origin: base.origin,
    prefix: withoutEndSlashes(base.pathname),
    token: typeof token === 'string' ? () => token : token,
    merchantAccount: options.merchantAccount,
    merchantHeader: options.merchantHeader ?? MERCHANT_HEADER,
    userAgent: options.userAgent ?? 'payctl-client',
    timeoutMilliseconds,
    maxRetries,
    hooks: options.hooks ?? {},
    random: options.random ?? Math.random,
  };
  const lists = createLists(context);
  const named = nameLists(lists);
  return {
    ...named,
    lists,
    buyers: { ...named.buyers, shippingDetails: createShippingDetails(context) },
    checkoutSessions: createCheckoutSessions(context),
    paymentServiceDefinitions: createPaymentServiceDefinitions(context),
    request: (operation, call = {}) => send(context, { ...call, operation, acceptsAny: true }),
    list: (operation, call) => createPagedResource(context, operation, { ...call, acceptsAny: true }),
    async withDescription(document) {
      const { describeClient } = await import('./described-client.ts');
      return await describeClient(context, document);
    },
    close: (options) => context.transport.close(options),
  };
}

function parseBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  const usable = isHttp && !url.username && !url.password && !url.search && !url.hash;
  if (usable) return url;
  throw new UsageError('bad_base_url', 'The base URL is not valid', {
    hint: 'Use an absolute http or https URL without a user name, query or fragment, such as https://api.example.com.',
  });
}

function requireNumber(name: string, value: number, fits: boolean): void {
  if (!fits) throw new UsageError('bad_option', `${name} cannot be ${value}`);
}
