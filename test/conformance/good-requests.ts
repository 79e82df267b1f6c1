import { seededSessionId } from '../../src/emulator/seed/checkout-sessions.ts';
import { type Endpoint, takes } from './description.ts';

/** A request that an endpoint is sent, and the status that it is to be answered with. */
export type PlannedRequest = {
  /** Why it is answered so, in a few words. */
  readonly cause: string;
  readonly status: number;
  /** Path and query. */
  readonly target: string;
  /** Default: the method of the endpoint. */
  readonly method?: string;
  /** Default: the scopes of the endpoint. */
  readonly scopes?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** The merchant account header that chooses the account. */
export const forAccount = (id: string) => ({ 'x-service-merchant-account-id': id });

const services = ['acme-bank-redirect', 'lumen-wallet', 'harbour-cards'];
const failingServices = ['polder-direct-debit', 'tidewater-instalments', 'quarry-vouchers'];
const actions = ['created', 'updated', 'deleted', 'voided', 'canceled', 'captured'];
const states = ['processing', 'buyer_approval_required', 'succeeded', 'failed', 'paused'];

const shippingDetail = {
  first_name: 'Zoé',
  last_name: '山田'.repeat(127),
  email_address: 'zoe@example.com',
  phone_number: '+4722123456',
  address: { city: 'Paris', country: 'FR', state_code: 'FR-75', line1: null, floor: [3] },
};
const flight = {
  booking_code: 'X1',
  issued_at: '2026-02-28T23:59:59.999999+13:45',
  passengers: [{ first_name: 'Ada', date_of_birth: '1996-02-29' }],
  legs: [{ departure_at: '2026-03-01T00:00:00Z', stop_over: false, fare_amount: 0 }],
};

const queries: Readonly<Record<string, readonly string[]>> = {
  listBuyers: ['?search=a', '?external_identifier=buyer-000100', '?search=nobody-of-this-name'],
  listGiftCards: ['?buyer_external_identifier=buyer-000249'],
  listPaymentMethods: [
    '?buyer_external_identifier=buyer-000100',
    ...states.map((state) => `?limit=100&status=${state}`),
  ],
  listAuditLogs: ['?resource_type=buyer', ...actions.map((action) => `?limit=100&action=${action}`)],
};

const bodies: Readonly<Record<string, readonly object[]>> = {
  createShippingDetail: [{}, shippingDetail, { address: {}, note: { free: [null, 1.5, '😀'] } }],
  updateCheckoutSession: [
    {},
    { metadata: { order: 'A-1' }, airline: flight },
    {
      cart_items: [{ name: 'Tea', quantity: 2, unit_amount: -1, categories: [], external_identifier: 'tea' }],
    },
    { cart_items: null, metadata: null, airline: null, note: [[]] },
  ],
  createPaymentServiceSession: [{}, { amount: 1, nested: { list: [{}] } }, { note: '[{"'.repeat(1000) }],
};

/** The path of an endpoint with its parameters filled in, once for each record that it can be asked for. */
export function targetsOf({ id, path }: Endpoint, buyerId: string): readonly string[] {
  const sessions = id === 'getCheckoutSession' ? [1, 2, 3, 4, 5, 6] : [1];
  return [
    ...sessions.map((number) => path.replace('{checkout_session_id}', seededSessionId(number))),
    ...[...services, ...failingServices].map((service) =>
      path.replace('{payment_service_definition_id}', service),
    ),
  ]
    .map((target) => target.replace('{buyer_id}', buyerId))
    .filter((target, index, all) => !target.includes('{') && all.indexOf(target) === index);
}

/** Requests that an endpoint carries out: every record, filter, page size, scope and merchant account. */
export function goodRequests(endpoint: Endpoint, buyerId: string): readonly PlannedRequest[] {
  const { id, scopes, piiScope, successStatus: status } = endpoint;
  const targets = targetsOf(endpoint, buyerId);
  const [target = ''] = targets;
  const [body, ...otherBodies] = (bodies[id] ?? []).map((value) => JSON.stringify(value));
  const plain = { cause: 'a good request', status, target, ...(body !== undefined && { body }) };
  const sizes = takes(endpoint, 'query', 'limit') ? ['?limit=1', '?limit=100'] : [];
  const isForAccount = takes(endpoint, 'header', 'x-service-merchant-account-id');
  return [
    ...targets.map((each) => ({ ...plain, target: each })),
    ...otherBodies.map((each) => ({ ...plain, cause: 'another good body', body: each })),
    ...[...sizes, ...(queries[id] ?? [])].map((query) => ({
      ...plain,
      cause: 'a good query',
      target: target + query,
    })),
    ...scopes.map((scope) => ({ ...plain, cause: 'one scope', scopes: [scope] })),
    ...(piiScope === undefined
      ? []
      : [{ ...plain, cause: 'personal data in full', scopes: [...scopes, piiScope] }]),
    ...(isForAccount && endpoint.path === target
      ? [{ ...plain, cause: 'another merchant account', headers: forAccount('outlet') }]
      : []),
  ];
}
