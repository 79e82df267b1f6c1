import { Refusal, ValidationRefusal } from '../respond.ts';
import { seededSessionId } from './checkout-sessions.ts';

/** One kind of request that fails, and how it is refused. */
export type FailedRequest = {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly refusal: Refusal | ValidationRefusal;
  /** Names a record of the merchant account `default`. */
  readonly isOfDefault?: true;
};

const detail = (location: string, type: string, pointer: string, message: string) => ({
  details: [{ type, pointer, message, location }],
});

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
    new Refusal('unauthorized', detail('header', type, '/authorization', message));
  const forbidden = (scope: string) =>
    new Refusal('forbidden', { message: `This call needs the scope ${scope}` });
  return [
    {
      method: 'GET',
      target: '/buyers?limit=20',
      refusal: unauthorized('token_expired', 'the token has expired'),
    },
    {
      method: 'GET',
      target: '/payment-methods?status=failed',
      refusal: unauthorized('key_unknown', 'the token names no registered key'),
    },
    {
      method: 'GET',
      target: '/api-logs',
      refusal: unauthorized('token_missing', 'there is no bearer token'),
    },
    { method: 'GET', target: '/audit-logs?action=deleted', refusal: forbidden('audit-logs.read') },
    {
      method: 'POST',
      target: '/payment-service-definitions/acme-bank-redirect/sessions',
      refusal: forbidden('transactions.write'),
    },
  ];
}

function wrongRequests(buyer: string): FailedRequest[] {
  const shippingDetails = `/buyers/${buyer}/shipping-details`;
  const session = `/checkout/sessions/${seededSessionId(1)}`;
  const wrong = (...fault: Parameters<typeof detail>) => new Refusal('bad_request', detail(...fault));
  const phone = wrong('body', 'value_error.str.regex', '/phone_number', 'must match ^\\+[1-9]\\d{1,14}$');
  const integer = { loc: ['query', 'limit'], msg: 'must be an integer', type: 'int_parsing' };
  const duplicate = {
    message: "A record with the external_identifier 'order-1004-line-1' already exists",
    resourceId: seededSessionId(4),
  };
  return [
    { method: 'POST', target: shippingDetails, refusal: phone, isOfDefault: true },
    { method: 'GET', target: `/checkout/sessions/${seededSessionId(8)}`, refusal: new Refusal('not_found') },
    { method: 'GET', target: '/buyers/gift-cards?buyer_id=unknown', refusal: new Refusal('not_found') },
    {
      method: 'PUT',
      target: session,
      refusal: new Refusal('duplicate_record', duplicate),
      isOfDefault: true,
    },
    {
      method: 'PUT',
      target: session,
      refusal: wrong('body', 'type_error.integer', '/cart_items/0/quantity', 'must be an integer'),
      isOfDefault: true,
    },
    {
      method: 'GET',
      target: '/payment-methods?limit=500',
      refusal: wrong('query', 'value_error.maximum', '/limit', 'must be at most 100'),
    },
    {
      method: 'GET',
      target: '/roles?limit=all',
      refusal: new ValidationRefusal([{ ...integer, input: 'all', ctx: { minimum: 1, maximum: 100 } }]),
    },
    { method: 'DELETE', target: '/buyers/gift-cards', refusal: new Refusal('method_not_allowed') },
    { method: 'GET', target: '/transactions?limit=5', refusal: new Refusal('not_found') },
  ];
}

function outage(): [FailedRequest, ...FailedRequest[]] {
  const sessions = '/payment-service-definitions/quarry-vouchers/sessions';
  return [
    {
      method: 'GET',
      target: '/buyers?search=%C3%A9clair&limit=100',
      refusal: new Refusal('too_many_requests'),
    },
    { method: 'POST', target: sessions, refusal: new Refusal('too_early') },
    { method: 'POST', target: sessions, refusal: new Refusal('bad_gateway') },
    { method: 'POST', target: sessions, refusal: new Refusal('gateway_timeout') },
    { method: 'GET', target: '/digital-wallets', refusal: new Refusal('server_error') },
  ];
}
