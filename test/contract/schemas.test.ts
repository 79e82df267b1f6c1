import { describe, expect, test } from 'vitest';
import document from '../../src/contract/generated/description.json' with { type: 'json' };
import { type Operation, operations } from '../../src/contract/generated/operations.ts';
import { faultsOf } from './schema-validator.ts';

const RESOURCES = [
  ['Buyer', 'buyer'],
  ['ShippingDetail', 'shipping-details'],
  ['CheckoutSession', 'checkout-session'],
  ['PaymentMethod', 'payment-method'],
  ['AuditLog', 'audit-log'],
  ['Role', 'role'],
  ['GiftCard', 'gift-card'],
  ['DigitalWallet', 'digital-wallet'],
  ['ApiLog', 'api-log'],
  ['WebhookSubscription', 'webhook-subscription'],
] as const;

const ENVELOPES = [
  'BuyerPage',
  'PaymentMethodPage',
  'AuditLogPage',
  'RolePage',
  'WebhookSubscriptionPage',
  'GiftCardList',
  'DigitalWalletList',
  'ApiLogList',
] as const;

describe('a response', () => {
  test.each(RESOURCES)(
    'of %s needs its type and id only, and may carry fields nobody knows',
    (schema, type) => {
      expect(faultsOf(schema, { type, id: 'x' })).toEqual([]);
      expect(faultsOf(schema, { type, id: 'x', invented: { deep: [1] } })).toEqual([]);
      expect(faultsOf(schema, { type })).toEqual(["/ must have required property 'id'"]);
      expect(faultsOf(schema, { type: 'other', id: 'x' })).toEqual(['/type must be equal to constant']);
    },
  );

  test.each(ENVELOPES)('of %s needs its items only, and may carry fields nobody knows', (schema) => {
    expect(faultsOf(schema, { items: [], invented: true })).toEqual([]);
    expect(faultsOf(schema, {})).toEqual(["/ must have required property 'items'"]);
  });

  test('of a payment service needs its type only', () => {
    expect(faultsOf('PaymentServiceSession', { type: 'payment-service-session', invented: 1 })).toEqual([]);
  });

  test('of API logs may carry cursor fields all the same', () => {
    expect(faultsOf('ApiLogList', { items: [], next_cursor: 'x', limit: 20 })).toEqual([]);
  });

  test('may leave optional texts, dates and objects null', () => {
    const buyer = { type: 'buyer', id: 'x', display_name: null, billing_details: null };
    const card = { type: 'gift-card', id: 'x', balance: null, expiration_date: null };
    expect(faultsOf('Buyer', buyer)).toEqual([]);
    expect(faultsOf('GiftCard', card)).toEqual([]);
  });

  test('with a timestamp that is none is faulty', () => {
    expect(faultsOf('Buyer', { type: 'buyer', id: 'x', created_at: 'yesterday' })).toEqual([
      '/created_at must match format "date-time"',
    ]);
  });

  test('of the API logs may hold the error object, a 422 body or null', () => {
    const log = (body: unknown) => faultsOf('ApiLog', { type: 'api-log', id: 'x', response_body: body });
    expect(log({ type: 'error', code: 'not_found', status: 404, message: 'gone' })).toEqual([]);
    expect(log({ detail: [] })).toEqual([]);
    expect(log(null)).toEqual([]);
  });
});

describe('the limits', () => {
  const long = (length: number) => 'x'.repeat(length);

  test('of the page size are 1 to 100, 20 by default', () => {
    const limit = { type: 'integer', minimum: 1, maximum: 100, default: 20 };
    const paginated = Object.values<Operation>(operations).filter((operation) => operation.paginated);
    expect(paginated.length).toBeGreaterThan(4);
    for (const { query } of paginated) expect(query.limit).toEqual(limit);
    expect(document.components.schemas.PageLimit).toMatchObject(limit);
  });

  test('of a cursor are 1 to 1000 characters, in the query and in the envelope', () => {
    expect(operations.listBuyers.query.cursor).toEqual({ type: 'string', minLength: 1, maxLength: 1000 });
    expect(faultsOf('BuyerPage', { items: [], next_cursor: long(1000), previous_cursor: null })).toEqual([]);
    expect(faultsOf('BuyerPage', { items: [], next_cursor: long(1001) })).toEqual([
      '/next_cursor must NOT have more than 1000 characters',
    ]);
    expect(faultsOf('BuyerPage', { items: [], previous_cursor: '' })).toEqual([
      '/previous_cursor must NOT have fewer than 1 characters',
    ]);
  });

  test.each([
    ['first_name', 255],
    ['last_name', 255],
    ['email_address', 320],
  ])('of %s of a shipping detail are 1 to %i characters', (field, most) => {
    const faults = (value: string) => faultsOf('ShippingDetailCreate', { [field]: value });
    expect(faults(long(1))).toEqual([]);
    expect(faults(long(most))).toEqual([]);
    expect(faults('')).toEqual([`/${field} must NOT have fewer than 1 characters`]);
    expect(faults(long(most + 1))).toEqual([`/${field} must NOT have more than ${most} characters`]);
  });

  test('of a phone number are 1 to 50 characters in E.164 form', () => {
    const { phone_number } = document.components.schemas.ShippingDetailCreate.properties;
    expect(phone_number).toMatchObject({ minLength: 1, maxLength: 50, pattern: '^\\+[1-9]\\d{1,14}$' });
    for (const value of ['+12', '+4722123456', '+123456789012345']) {
      expect(faultsOf('ShippingDetailCreate', { phone_number: value }), value).toEqual([]);
    }
    for (const value of [
      '4722123456',
      '+0722123456',
      '+1',
      '+1234567890123456',
      '+47 22 12',
      '+4722123456\n',
    ]) {
      expect(faultsOf('ShippingDetailCreate', { phone_number: value }), value).toHaveLength(1);
    }
  });

  test('of a stored shipping detail are those of a new one', () => {
    const { ShippingDetail, ShippingDetailCreate } = document.components.schemas;
    for (const field of ['first_name', 'last_name', 'email_address', 'phone_number'] as const) {
      const { type: _, ...limits } = ShippingDetailCreate.properties[field];
      expect(ShippingDetail.properties[field], field).toMatchObject(limits);
    }
  });
});

describe('a body', () => {
  test('of a checkout session update may be empty and may hold nulls', () => {
    expect(faultsOf('CheckoutSessionUpdate', {})).toEqual([]);
    expect(faultsOf('CheckoutSessionUpdate', { metadata: null, cart_items: null, airline: null })).toEqual(
      [],
    );
    expect(faultsOf('CheckoutSessionUpdate', { cart_items: {} })).toEqual(['/cart_items must be array,null']);
  });

  test('of a shipping detail needs no field', () => {
    expect(faultsOf('ShippingDetailCreate', {})).toEqual([]);
  });

  test('of a payment service session is any object, and nothing else', () => {
    expect(faultsOf('PaymentServiceSessionRequest', { anything: [1, null] })).toEqual([]);
    expect(faultsOf('PaymentServiceSessionRequest', [])).toEqual(['/ must be object']);
  });
});
