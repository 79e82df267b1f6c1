import { describe, expect, it } from 'vitest';
import { templateOf } from '../../../src/features/api-logs/fingerprint.ts';

describe('the template of an address', () => {
  const id = 'a5b1f0de-0000-4000-8000-000000000000';
  it.each([
    [`https://h/buyers/${id}/shipping-details?x=1`, '/buyers/{buyer_id}/shipping-details'],
    ['https://h/buyers/7/shipping-details', '/buyers/{buyer_id}/shipping-details'],
    ['https://h/buyers/gift-cards', '/buyers/gift-cards'],
    ['https://h/buyers//shipping-details', '/buyers//shipping-details'],
    [`https://h/transactions/${id}/refunds/7`, '/transactions/{id}/refunds/{id}'],
    ['https://h/v1/customers/cus_zzz4hJ4m', '/v1/customers/{id}'],
    ['https://h/v1/sessions/cs_test_a1B2c3D4e5/expire', '/v1/sessions/{id}/expire'],
    ['https://h/orders/01ARZ3NDEKTSV4RRFFQ69G5FAV/507f1f77bcf86cd799439011', '/orders/{id}/{id}'],
    [
      'https://h/v2/merchant_accounts/oauth_token2/3ds/deadbeef/cus_zzzzzzzz',
      '/v2/merchant_accounts/oauth_token2/3ds/deadbeef/cus_zzzzzzzz',
    ],
    ['https://h/transactions', '/transactions'],
    ['https://h', '/'],
    ['', '/'],
  ])('of %s is %s', (url, template) => {
    expect(templateOf(url)).toBe(template);
  });

  it('is that of the path below the base URL', () => {
    expect(templateOf('https://h/v1/checkout/sessions/7', '/v1')).toBe(
      '/checkout/sessions/{checkout_session_id}',
    );
    expect(templateOf('https://h/v10/checkout/sessions/7', '/v1')).toBe('/v10/checkout/sessions/{id}');
  });
});
