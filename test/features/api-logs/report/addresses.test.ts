import { describe, expect, it } from 'vitest';
import { decodeFully } from '../../../../src/features/api-logs/report/addresses.ts';
import { Pseudonyms } from '../../../../src/features/api-logs/report/pseudonyms.ts';

describe('addresses', () => {
  it.each([
    ['ada%40x.io', 'ada@x.io'],
    ['%25252540', '@'],
    ['%2525252540', '%40'],
    ['\\u0022%40', '"@'],
    ['%ff', '%ff'],
    ['100 %', '100 %'],
  ])('of %s are decoded to %s, up to four times', (escaped, plain) => {
    expect(decodeFully(escaped)).toBe(plain);
  });

  it.each([
    ['https://h.example', 'https://h.example'],
    ['https://h.example/', 'https://h.example/'],
    ['https://h.example?x=1', 'https://h.example/?x=x-1'],
    ['https://tok3n@h.example', 'https://********@h.example'],
    ['https://tok3n@h.example/in', 'https://********@h.example/in'],
    ['https://u:p/w@h.example', 'https://********@h.example'],
    ['https://u:1/w@h.example', 'https://u:1/email-1'],
    ['https://h.example:8080/x@y', 'https://h.example:8080/reference-1'],
    ['https://h.example:8080', 'https://h.example:8080'],
    ['https://h.example/in/x@y', 'https://h.example/in/reference-1'],
    ['https://h.example/?to=http://x', 'https://h.example/?to=to-1'],
    ['https://203.0.113.7', 'https://ip-1'],
    ['https://h.example/x#top_of-it', 'https://h.example/x#top_of-it'],
    ['https://h.example/x#token=abc', 'https://h.example/x'],
    ['https://h.example/x#a1', 'https://h.example/x'],
  ])('in a text: %s is %s', (address, masked) => {
    expect(new Pseudonyms().text(`at ${address}`)).toBe(`at ${masked}`);
  });

  it.each([
    ['/orders/A12-345', '/orders/reference-1'],
    ['/orders/1234-AB', '/orders/reference-1'],
    ['/orders/A1b2c3d', '/orders/reference-1'],
    ['/orders/A.B-1234567', '/orders/reference-1'],
    ['/orders/12345', '/orders/id-1'],
    ['/orders/1234', '/orders/1234'],
    ['/orders/12345-6', '/orders/12345-6'],
    ['/orders/6-12345', '/orders/6-12345'],
    ['/orders/1-2-345-6', '/orders/1-2-345-6'],
    ['/orders/A12345', '/orders/A12345'],
    ['/orders/ABCDE12', '/orders/ABCDE12'],
    ['/orders/ABCDEFG-H', '/orders/ABCDEFG-H'],
    ['/orders/README-First', '/orders/README-First'],
    ['/orders/a1b2c3d4.json:12:34', '/orders/a1b2c3d4.json:12:34'],
  ])('have paths, of which a text may hold parts that are none: %s is %s', (path, masked) => {
    expect(new Pseudonyms().text(`no route for ${path}`)).toBe(`no route for ${masked}`);
  });

  it.each([
    ['/buyers/bob/shipping-details', '/buyers/buyer-1/shipping-details'],
    ['/buyers/Bob/shipping-details', '/buyers/buyer-1/shipping-details'],
    ['/buyers/{buyer_id}/shipping-details', '/buyers/{buyer_id}/shipping-details'],
    ['/payment-service-definitions/Acme-Bank/sessions', '/payment-service-definitions/Acme-Bank/sessions'],
    ['/payment-service-definitions/acme/sessions', '/payment-service-definitions/acme/sessions'],
    ['/payment-service-definitions/ada@x.io/sessions', '/payment-service-definitions/email-1/sessions'],
    ['/users/x:ada@x.io', '/users/x:email-1'],
    ['/users/1234567', '/users/id-1'],
    ['/users/A1234567', '/users/reference-1'],
    ['/users/1234567-A', '/users/reference-1'],
    ['/users/%31234567', '/users/id-1'],
    ['/users/123', '/users/123'],
  ])('have paths: %s is %s', (path, masked) => {
    expect(new Pseudonyms().path(path)).toBe(masked);
  });

  it.each([
    ['search=Ada+Lovelace&q=Ada%20Lovelace', 'search=search-1&q=search-1'],
    ['email=is+required', 'email=email-1'],
    ['note=is+required', 'note=is required'],
    [
      'amount=12&unit_price=1.50&total_paid=1234567890.1&schema_version=v1.22.333.4',
      'amount=12&unit_price=1.50&total_paid=total-paid-1&schema_version=v1.22.333.4',
    ],
    ['amount=Ada', 'amount=amount-1'],
    ['amount=x12', 'amount=amount-1'],
    ['amount=12x', 'amount=amount-1'],
    ['amount=1.2.3.4.5', 'amount=amount-1'],
    ['amounts=12', 'amounts=amounts-1'],
    ['api_key=1&flag', 'api_key=********&flag'],
    ['ada%40x.io', 'email-1'],
    ['resource_type=buyer', 'resource_type=buyer'],
  ])('have queries: %s is %s', (query, masked) => {
    expect(new Pseudonyms().url(`https://h.example/x?${query}`)).toBe(`h.example/x?${masked}`);
  });
});
