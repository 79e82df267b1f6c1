import { seededSessionId } from '../../src/emulator/seed/checkout-sessions.ts';
import { type Endpoint, endpoints, takes } from './description.ts';
import { forAccount, goodRequests, type PlannedRequest } from './good-requests.ts';

type ErrorTexts = { readonly [status: number]: readonly string[] };

/** Bodies that are refused by what they are, whatever the operation. */
const unreadable = ['{', ' ', 'null', '[]', '"x"', '12', '{"a":1}x', '\ufeff{}'];
const tooDeep = `{"a":${'['.repeat(200)}${']'.repeat(200)}}`;
const tooLong = `{"a":"${'x'.repeat(1024 * 1024)}"}`;

const badBodies: Readonly<Record<string, ErrorTexts>> = {
  createShippingDetail: {
    400: [
      ...['""', '5', '"x"'].map((name) => `{"address":${name}}`),
      JSON.stringify({ first_name: '', phone_number: '0123', email_address: 'x'.repeat(321) }),
      JSON.stringify({ address: { country: 'France', city: 'x'.repeat(101) } }),
    ],
  },
  updateCheckoutSession: {
    400: [
      '{"cart_items":[{"quantity":1.5,"categories":[1]},7]}',
      '{"airline":{"issued_at":"yesterday","legs":[{"stop_over":"no"}]}}',
    ],
    409: [
      JSON.stringify({ cart_items: [{ external_identifier: 'order-1004-line-1' }] }),
      JSON.stringify({ cart_items: [{ external_identifier: "it's" }, { external_identifier: "it's" }] }),
    ],
  },
};

const unknownPaths: Readonly<Record<string, readonly string[]>> = {
  createShippingDetail: ['/buyers/nobody/shipping-details'],
  getCheckoutSession: [7, 8, 99].map((number) => `/checkout/sessions/${seededSessionId(number)}`),
  updateCheckoutSession: [7, 8, 99].map((number) => `/checkout/sessions/${seededSessionId(number)}`),
  createPaymentServiceSession: ['/payment-service-definitions/nobody-pay/sessions'],
};

const badQueries: Readonly<Record<string, readonly string[]>> = {
  listPaymentMethods: ['?status=Succeeded', '?status='],
  listAuditLogs: ['?action=created&action=created', '?action=x'],
};

/** Requests that an endpoint refuses: each reachable error, by each of its causes. `expired` is a token. */
export function badRequests(endpoint: Endpoint, buyerId: string, expired: string): readonly PlannedRequest[] {
  const [good] = goodRequests(endpoint, buyerId);
  if (good === undefined) throw new TypeError(`there is no good request to ${endpoint.id}`);
  const because = (cause: string, status: number, changes: Partial<PlannedRequest>) => ({
    ...good,
    cause,
    status,
    ...changes,
  });
  return [
    because('no token', 401, { scopes: [] }),
    because('a token that is none', 401, { headers: { authorization: 'Bearer x.y.z' } }),
    because('an expired token', 401, { headers: { authorization: `Bearer ${expired}` } }),
    because('a token without the scope', 403, { scopes: ['nothing.read'] }),
    ...(takes(endpoint, 'header', 'x-service-merchant-account-id')
      ? [because('an unknown merchant account', 404, { headers: forAccount('nobody') })]
      : []),
    ...(unknownPaths[endpoint.id] ?? []).map((target) => because('an unknown record', 404, { target })),
    ...unknownMethods(endpoint).map((method) => because(`the method ${method}`, 405, { method })),
    ...badQueriesOf(endpoint).map(([query, status]) =>
      because(`the query ${query}`, status, { target: good.target + query }),
    ),
    ...badBodiesOf(endpoint).map(([body, status]) =>
      because(`the body ${body.slice(0, 80)}`, status, { body }),
    ),
    ...(endpoint.id === 'createPaymentServiceSession'
      ? [because('no sessions', 400, { target: good.target.replace('acme-bank-redirect', 'slate-invoice') })]
      : []),
  ];
}

function unknownMethods({ path }: Endpoint): string[] {
  const known = endpoints.filter((endpoint) => endpoint.path === path).map(({ method }) => method);
  return ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter((method) => !known.includes(method));
}

function badQueriesOf(endpoint: Endpoint): readonly (readonly [string, number])[] {
  const paged = takes(endpoint, 'query', 'cursor')
    ? ['?limit=0', '?limit=101', '?limit=1&limit=1', '?cursor=', '?cursor=x', `?cursor=${'x'.repeat(1001)}`]
    : [];
  return [
    ...['?a=%zz', ...paged, ...(badQueries[endpoint.id] ?? [])].map((query) => [query, 400] as const),
    ...(takes(endpoint, 'query', 'limit') ? [['?limit=ten', 422] as const] : []),
  ];
}

function badBodiesOf({ id, bodyPointer, errors }: Endpoint): readonly (readonly [string, number])[] {
  if (bodyPointer === undefined) return [];
  const known = Object.entries(badBodies[id] ?? {}).flatMap(([status, texts]) =>
    (texts as readonly string[]).map((text) => [text, Number(status)] as const),
  );
  return [
    ...['', tooDeep, tooLong].map((text) => [text, 400] as const),
    ...unreadable.map((text) => [text, errors.includes(422) ? 422 : 400] as const),
    ...known,
  ];
}
