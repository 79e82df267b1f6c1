import { COMMAND_OPERATIONS } from '../../../src/cli/routing/catalog/operations.ts';
import type { ContractOperation, QueryParameter } from '../../../src/contract/generated/operations.ts';

/** The command that reaches an endpoint, and what has to arrive at a service, to the letter. */
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

/** Flags of lists that are applied here and never sent. */
const LOCAL_FLAGS: Readonly<Record<string, readonly string[]>> = { 'api-logs list': ['--status', '401'] };

/** What the row of `buyers list` has to be: the rows of all lists are made like it. */
export const BUYERS_LIST: Row = {
  args: 'buyers list --search a/1 --external-identifier a/1 --limit 5 --cursor c/1'.split(' '),
  method: 'GET',
  url: '/buyers?search=a%2F1&external_identifier=a%2F1&cursor=c%2F1&limit=5',
  scopes: ['buyers.read'],
  merchantAccount: true,
  body: '',
  answer: EMPTY_PAGE,
};

/** The commands with an ID or a body, as the specification's table has them. */
const OTHERS: readonly Row[] = [
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
      // Or it would be warned of the member that the contract does not know.
      '-q',
    ],
    method: 'POST',
    url: '/buyers/b%2F1/shipping-details',
    scopes: ['buyers.write'],
    merchantAccount: true,
    body: '{"x":12345678901234567890,"last_name":null,"first_name":"Ada","address":{"line1":"1 Street"}}',
    answer: { type: 'shipping-details', id: 's1', buyer_id: 'b/1' },
  },
  {
    args: ['checkout-sessions', 'get', 's 1'],
    method: 'GET',
    url: '/checkout/sessions/s%201',
    scopes: ['checkout-sessions.read'],
    merchantAccount: true,
    body: '',
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
      // Each of these fields has a warning that it is replaced.
      '-q',
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
    merchantAccount: true,
    body: '{"any":[1,null]}',
    answer: { type: 'payment-service-session', status: 'succeeded', status_code: 200, response_body: {} },
  },
];

/** Every endpoint with the command that reaches it: a list with all of its filters. */
export const EVERY_COMMAND: readonly Row[] = [
  ...Object.entries(COMMAND_OPERATIONS).flatMap(([command, operation]) =>
    operation.isList ? [listRow(command, operation)] : [],
  ),
  ...OTHERS,
];

function listRow(
  command: string,
  { method, path, query, scopes, merchantAccount, paginated }: ContractOperation,
): Row {
  const filters = Object.entries(query)
    .filter(([name]) => name !== 'cursor' && name !== 'limit')
    .map(([name, parameter]) => [name, exampleOf(parameter)] as const);
  const flags = filters.flatMap(([name, value]) => [`--${name.replaceAll('_', '-')}`, value]);
  const paging = paginated ? ['--limit', '5', '--cursor', 'c/1'] : [];
  const sent = [
    ...filters,
    ...(paginated
      ? ([
          ['cursor', 'c/1'],
          ['limit', '5'],
        ] as const)
      : []),
  ];
  const parameters = sent.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  return {
    args: [...command.split(' '), ...flags, ...(LOCAL_FLAGS[command] ?? []), ...paging],
    method,
    url: parameters === '' ? path : `${path}?${parameters}`,
    scopes: [scopes[0]],
    merchantAccount,
    body: '',
    answer: paginated ? EMPTY_PAGE : EMPTY_LIST,
  };
}

/** A value that a query parameter may have: the first of its values, its least number, or text. */
function exampleOf({ type, enum: values, minimum = 1 }: QueryParameter): string {
  return values?.[0] ?? (type === 'integer' ? String(minimum) : 'a/1');
}
