import { describe, expect, test } from 'vitest';
import { type Operation, operations } from '../../src/contract/generated/operations.ts';
import { sizeParameter } from '../../src/contract/operation.ts';

const all: readonly Operation[] = Object.values(operations);

const SHARED_ERRORS = [400, 401, 403, 404, 405];
const EVERY_ERROR = [400, 401, 403, 404, 405, 409, 422, 425, 429, 500, 502, 504];

/**
 * The endpoint table of the specification, with the query parameters of each endpoint's section, and its errors, to which
 * those are added that every endpoint may answer (a method, a permission, an account). Other operations may be added to the
 * description.
 */
const TABLE = [
  ['GET', '/webhook-subscriptions', ['webhook-subscriptions.read'], ['cursor', 'limit'], EVERY_ERROR],
  ['POST', '/buyers/{buyer_id}/shipping-details', ['buyers.write'], [], SHARED_ERRORS],
  ['GET', '/checkout/sessions/{checkout_session_id}', ['checkout-sessions.read'], [], SHARED_ERRORS],
  [
    'PUT',
    '/checkout/sessions/{checkout_session_id}',
    ['checkout-sessions.write'],
    [],
    [...SHARED_ERRORS, 409],
  ],
  [
    'POST',
    '/payment-service-definitions/{payment_service_definition_id}/sessions',
    ['transactions.write'],
    [],
    EVERY_ERROR,
  ],
  [
    'GET',
    '/payment-methods',
    ['payment-methods.read'],
    ['buyer_external_identifier', 'buyer_id', 'cursor', 'external_identifier', 'limit', 'status'],
    EVERY_ERROR,
  ],
  [
    'GET',
    '/audit-logs',
    ['audit-logs.read'],
    ['action', 'cursor', 'limit', 'resource_type', 'user_id'],
    EVERY_ERROR,
  ],
  ['GET', '/buyers', ['buyers.read'], ['cursor', 'external_identifier', 'limit', 'search'], EVERY_ERROR],
  ['GET', '/roles', ['roles.read'], ['cursor', 'limit'], EVERY_ERROR],
  [
    'GET',
    '/buyers/gift-cards',
    ['gift-cards.read', 'embed'],
    ['buyer_external_identifier', 'buyer_id'],
    SHARED_ERRORS,
  ],
  ['GET', '/digital-wallets', ['digital-wallets.read'], [], EVERY_ERROR],
  ['GET', '/api-logs', ['api-logs.read'], [], SHARED_ERRORS],
] as const;

const specified = all.filter(({ method, path }) => TABLE.some((row) => row[0] === method && row[1] === path));

function named(keep: (operation: Operation) => boolean, among = all): string[] {
  return among
    .filter(keep)
    .map((operation) => operation.id)
    .sort();
}

describe('the operations', () => {
  test.each(TABLE)('%s %s has the scopes, query and errors of the specification', (...row) => {
    const [method, path, granted, query, errors] = row;
    const operation = all.find((candidate) => candidate.method === method && candidate.path === path);
    expect(operation?.scopes).toEqual(granted);
    expect(Object.keys(operation?.query ?? {}).sort()).toEqual(query);
    expect(operation?.errors).toEqual(errors);
    expect(operation?.paginated).toBe((query as readonly string[]).includes('cursor'));
  });

  test('of the table take a merchant account, but for roles', () => {
    expect(named(({ merchantAccount }) => !merchantAccount, specified)).toEqual(['listRoles']);
  });

  test('of the table name the scope of personal data where buyers are returned', () => {
    const withScope = specified.flatMap(({ id, piiScope }) => (piiScope ? [[id, piiScope]] : []));
    expect(Object.fromEntries(withScope)).toEqual({
      listBuyers: 'buyers.billing-details.read',
      listPaymentMethods: 'buyers.billing-details.read',
    });
  });

  test('have a body for creating and updating only', () => {
    expect(named(({ hasBody }) => hasBody)).toEqual([
      'createPaymentServiceSession',
      'createShippingDetail',
      'updateCheckoutSession',
    ]);
  });

  test('answer 201 to a created shipping detail and 200 elsewhere', () => {
    expect(named(({ successStatus }) => successStatus === 201)).toEqual(['createShippingDetail']);
    expect(named(({ successStatus }) => successStatus === 200)).toHaveLength(all.length - 1);
  });
});

test('the enumerated filters have the values of the specification', () => {
  expect(operations.listPaymentMethods.query.status.enum).toEqual([
    'processing',
    'buyer_approval_required',
    'succeeded',
    'failed',
    'paused',
  ]);
  expect(operations.listAuditLogs.query.action.enum).toEqual([
    'created',
    'updated',
    'deleted',
    'voided',
    'canceled',
    'captured',
  ]);
});

test.each(['limit', 'per_page', 'perPage', 'page[size]', 'items-per-page'])(
  'the size of a page is known by its name: %s',
  (name) => {
    const filters = { count: { type: 'integer' }, search: { type: 'string' } } as const;
    expect(sizeParameter({ query: { ...filters, [name]: { type: 'integer' } } })).toBe(name);
    expect(sizeParameter({ query: filters })).toBeUndefined();
  },
);
