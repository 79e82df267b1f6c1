import type { ApiLog } from '../../contract/generated/types.ts';
import { createRandom, type Random } from '../../text/random.ts';
import { dayMs, timestamp } from '../clock.ts';
import { badRequest, errorResponse, HttpError, type Refusal, ValidationError } from '../http/response.ts';
import type { SeedContext } from '../resources/resource.ts';
import { seededSessionId } from './checkout-sessions.ts';

/** An API log and the merchant account in which it is shown. */
export type SeededApiLog = { readonly merchantAccount: string; readonly log: ApiLog };

const everydayCount = 52;
const outageCount = 12;
const days = 9;
/** The host of the description's own examples; it never resolves. */
const host = 'https://instance.service.invalid';

type Moment = { readonly kind: FailedRequest; readonly receivedMs: number };

/**
 * Makes the failed requests of the last nine days of a seed, oldest first: each kind at least once, the everyday ones
 * again and again, and half an hour in which a payment service was down. `buyerId` is of the account `default`.
 */
export function seedApiLogs(
  { seed, endMs }: Pick<SeedContext, 'seed' | 'endMs'>,
  buyerId: string | undefined,
): readonly SeededApiLog[] {
  const random = createRandom(seed, 'api-logs');
  const kinds = failedRequests(buyerId);
  const [first, ...others] = kinds.everyday;
  const all = [...kinds.everyday, ...kinds.outage];
  const outageMs = endMs - 2.5 * dayMs;
  const moments: Moment[] = [];
  for (let index = 0; index < everydayCount; index += 1) {
    const kind = all[index] ?? random.pick([first, ...others]);
    moments.push({ kind, receivedMs: endMs - 1 - random.below(days * dayMs) });
  }
  for (let index = 0; index < outageCount; index += 1) {
    moments.push({ kind: random.pick(kinds.outage), receivedMs: outageMs + random.below(dayMs / 48) });
  }
  return moments
    .sort((a, b) => a.receivedMs - b.receivedMs)
    .map(({ kind, receivedMs }) => seedApiLog(random, kind, receivedMs));
}

function seedApiLog(random: Random, kind: FailedRequest, receivedMs: number): SeededApiLog {
  const { status, body } = errorResponse(kind.error);
  const milliseconds = status >= 502 ? 10_000 + random.below(20_000) : 2 + random.below(120);
  return {
    merchantAccount: random.chance(0.8) || kind.isOfDefault ? 'default' : 'outlet',
    log: {
      type: 'api-log',
      id: random.uuid(),
      request_method: kind.method,
      request_url: host + kind.target,
      request_received_at: timestamp(new Date(receivedMs)),
      response_status_code: status,
      response_body: JSON.parse(body) as NonNullable<ApiLog['response_body']>,
      response_sent_at: timestamp(new Date(receivedMs + milliseconds)),
    },
  };
}

/** One kind of request that fails, and how it is refused. */
export type FailedRequest = {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly error: Refusal;
  /** Names a record of the merchant account `default`. */
  readonly isOfDefault?: true;
};

type Kinds = {
  readonly everyday: readonly [FailedRequest, ...FailedRequest[]];
  /** What requests get while a payment service is down. */
  readonly outage: readonly [FailedRequest, ...FailedRequest[]];
};

/** Every kind of failure that the history shows. `buyer` is the id of one of the merchant account `default`. */
export function failedRequests(buyer = 'a5b1f0de-0000-4000-8000-000000000000'): Kinds {
  return { everyday: [...authentication(), ...wrongRequests(buyer)], outage: outage() };
}

function authentication(): [FailedRequest, ...FailedRequest[]] {
  const unauthorized = (type: string, message: string) =>
    new HttpError('unauthorized', {
      details: [{ type, pointer: '/authorization', message, location: 'header' }],
    });
  const forbidden = (scope: string) =>
    new HttpError('forbidden', { message: `This request requires the scope ${scope}` });
  return [
    {
      method: 'GET',
      target: '/buyers?limit=20',
      error: unauthorized('token_expired', 'the token has expired'),
    },
    {
      method: 'GET',
      target: '/payment-methods?status=failed',
      error: unauthorized('key_unknown', 'the token does not name a registered key'),
    },
    {
      method: 'GET',
      target: '/api-logs',
      error: unauthorized('token_missing', 'the request has no bearer token'),
    },
    { method: 'GET', target: '/audit-logs?action=deleted', error: forbidden('audit-logs.read') },
    {
      method: 'POST',
      target: '/payment-service-definitions/acme-bank-redirect/sessions',
      error: forbidden('transactions.write'),
    },
  ];
}

function wrongRequests(buyer: string): FailedRequest[] {
  const shippingDetails = `/buyers/${buyer}/shipping-details`;
  const session = `/checkout/sessions/${seededSessionId(1)}`;
  const pattern = 'must match ^\\+[1-9]\\d{1,14}$';
  const phone = badRequest('body', 'value_error.str.regex', pattern, '/phone_number');
  const integer = { loc: ['query', 'limit'], msg: 'must be an integer', type: 'int_parsing' };
  const duplicate = {
    message: "A record with the external_identifier 'order-1004-line-1' already exists",
    resourceId: seededSessionId(4),
  };
  return [
    { method: 'POST', target: shippingDetails, error: phone, isOfDefault: true },
    {
      method: 'GET',
      target: `/checkout/sessions/${seededSessionId(8)}`,
      error: new HttpError('not_found'),
    },
    { method: 'GET', target: '/buyers/gift-cards?buyer_id=unknown', error: new HttpError('not_found') },
    {
      method: 'PUT',
      target: session,
      error: new HttpError('duplicate_record', duplicate),
      isOfDefault: true,
    },
    {
      method: 'PUT',
      target: session,
      error: badRequest('body', 'type_error.integer', 'must be an integer', '/cart_items/0/quantity'),
      isOfDefault: true,
    },
    {
      method: 'GET',
      target: '/payment-methods?limit=500',
      error: badRequest('query', 'value_error.maximum', 'must be at most 100', '/limit'),
    },
    {
      method: 'GET',
      target: '/roles?limit=all',
      error: new ValidationError([{ ...integer, input: 'all', ctx: { minimum: 1, maximum: 100 } }]),
    },
    { method: 'DELETE', target: '/buyers/gift-cards', error: new HttpError('method_not_allowed') },
    { method: 'GET', target: '/transactions?limit=5', error: new HttpError('not_found') },
  ];
}

function outage(): [FailedRequest, ...FailedRequest[]] {
  const sessions = '/payment-service-definitions/quarry-vouchers/sessions';
  return [
    {
      method: 'GET',
      target: '/buyers?search=%C3%A9clair&limit=100',
      error: new HttpError('too_many_requests'),
    },
    { method: 'POST', target: sessions, error: new HttpError('too_early') },
    { method: 'POST', target: sessions, error: new HttpError('bad_gateway') },
    { method: 'POST', target: sessions, error: new HttpError('gateway_timeout') },
    { method: 'GET', target: '/digital-wallets', error: new HttpError('server_error') },
  ];
}
