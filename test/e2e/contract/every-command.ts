/**
 * All twelve endpoints as the specification's table has them, and the command that reaches each: what has to arrive at
 * a service, to the letter.
 */
export type Row = {
  readonly args: readonly string[];
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** Scopes of the token. */
  readonly scopes: readonly string[];
  /** Whether the merchant account header is sent. */
  readonly merchantAccount: boolean;
  /** JSON text of the body; empty for none. */
  readonly body: string;
  /** A document that the service may answer with. */
  readonly answer: object;
};

const EMPTY_PAGE = { items: [], limit: 20, next_cursor: null, previous_cursor: null };
const EMPTY_LIST = { items: [] };
const get = { method: 'GET', merchantAccount: true, body: '' } as const;

export const EVERY_COMMAND: readonly Row[] = [
  {
    ...get,
    args: ['webhook-subscriptions', 'list', '--limit', '5', '--cursor', 'c/1'],
    url: '/webhook-subscriptions?cursor=c%2F1&limit=5',
    scopes: ['webhook-subscriptions.read'],
    answer: EMPTY_PAGE,
  },
  {
    args: [
      'buyers',
      'shipping-details',
      'create',
      'b/1',
      '--first-name',
      'Ada',
      '--line1',
      '1 Street',
      '--data',
      '{"x":12345678901234567890,"last_name":null}',
    ],
    method: 'POST',
    url: '/buyers/b%2F1/shipping-details',
    scopes: ['buyers.write'],
    merchantAccount: true,
    body: '{"x":12345678901234567890,"last_name":null,"first_name":"Ada","address":{"line1":"1 Street"}}',
    answer: { type: 'shipping-details', id: 's1', buyer_id: 'b/1' },
  },
  {
    ...get,
    args: ['checkout-sessions', 'get', 's 1'],
    url: '/checkout/sessions/s%201',
    scopes: ['checkout-sessions.read'],
    answer: { type: 'checkout-session', id: 's 1' },
  },
  {
    args: [
      'checkout-sessions',
      'update',
      's1',
      '--metadata',
      'order=1',
      '--metadata',
      'a=b=c',
      '--cart-items',
      '[{"name":"Tea"}]',
      '--airline',
      '{"booking_code":"X"}',
    ],
    method: 'PUT',
    url: '/checkout/sessions/s1',
    scopes: ['checkout-sessions.write'],
    merchantAccount: true,
    body: '{"cart_items":[{"name":"Tea"}],"metadata":{"order":"1","a":"b=c"},"airline":{"booking_code":"X"}}',
    answer: { type: 'checkout-session', id: 's1' },
  },
  {
    args: ['payment-service-definitions', 'sessions', 'create', 'acme', '--data', '{"any":[1,null]}'],
    method: 'POST',
    url: '/payment-service-definitions/acme/sessions',
    scopes: ['transactions.write'],
    merchantAccount: false,
    body: '{"any":[1,null]}',
    answer: { type: 'payment-service-session', status: 'succeeded', status_code: 200, response_body: {} },
  },
  {
    ...get,
    args: [
      'payment-methods',
      'list',
      '--buyer-id',
      'b1',
      '--buyer-external-identifier',
      'x',
      '--external-identifier',
      'y',
      '--status',
      'failed',
    ],
    url: '/payment-methods?buyer_id=b1&buyer_external_identifier=x&external_identifier=y&status=failed',
    scopes: ['payment-methods.read'],
    answer: EMPTY_PAGE,
  },
  {
    ...get,
    args: ['audit-logs', 'list', '--action', 'voided', '--user-id', 'u1', '--resource-type', 'buyer'],
    url: '/audit-logs?action=voided&user_id=u1&resource_type=buyer',
    scopes: ['audit-logs.read'],
    answer: EMPTY_PAGE,
  },
  {
    ...get,
    args: ['buyers', 'list', '--search', 'ada', '--external-identifier', 'y'],
    url: '/buyers?search=ada&external_identifier=y',
    scopes: ['buyers.read'],
    answer: EMPTY_PAGE,
  },
  {
    ...get,
    args: ['roles', 'list'],
    url: '/roles',
    scopes: ['roles.read'],
    merchantAccount: false,
    answer: EMPTY_PAGE,
  },
  {
    ...get,
    args: ['buyers', 'gift-cards', 'list', '--buyer-id', 'b1', '--buyer-external-identifier', 'x'],
    url: '/buyers/gift-cards?buyer_id=b1&buyer_external_identifier=x',
    scopes: ['gift-cards.read'],
    answer: EMPTY_LIST,
  },
  {
    ...get,
    args: ['digital-wallets', 'list'],
    url: '/digital-wallets',
    scopes: ['digital-wallets.read'],
    answer: EMPTY_LIST,
  },
  {
    ...get,
    args: ['api-logs', 'list', '--status', '401'],
    url: '/api-logs',
    scopes: ['api-logs.read'],
    answer: EMPTY_LIST,
  },
];
