import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Pseudonyms } from '../../../../src/features/api-logs/report/pseudonyms.ts';

const BUYER = 'a5b1f0de-0000-4000-8000-000000000000';
const OTHER = 'b5b1f0de-0000-4000-8000-000000000000';

describe('pseudonyms', () => {
  it.each([
    ['mail ada@example.com and ADA@example.com or bob@example.com', 'mail email-1 and email-1 or email-2'],
    ['encoded ada%40example.com', 'encoded email-1'],
    ['call +44 113 496 0000 or 0113 496 0000', 'call phone-1 or phone-2'],
    ['card 4111 1111 1111 1111 or 4111-1111-1111-1111', 'card number-1 or number-2'],
    ['eyJhbGciOiJFUzUxMiJ9.eyJpc3MiOiJ4In0.c2ln', 'token-1'],
    ['Authorization: Bearer abcdef123456', 'Authorization: Bearer token-1'],
    ['key_live_abcdef123456', 'token-1'],
    ['AKIAIOSFODNN7EXAMPLE and xoxb-1234567890-abcdef', 'token-1 and token-2'],
    ['-----BEGIN PRIVATE KEY-----\nMIGH\n-----END PRIVATE KEY----- is not one', 'token-1 is not one'],
    ['/buyers;session=s3cr3t/x', '/buyers;session=token-1/x'],
    ['cvv 987 is wrong', 'cvv token-1 is wrong'],
    [`${'a1b2c3d4'.repeat(6)}`, 'token-1'],
    [`${BUYER} ${BUYER.toUpperCase()} ${OTHER}`, 'id-1 id-1 id-2'],
    ["the external_identifier 'order-1004' exists", "the external_identifier 'external-identifier-1' exists"],
    ['must match ^\\+[1-9]\\d{1,14}$', 'must match ^\\+[1-9]\\d{1,14}$'],
    ['at 2026-03-01T10:00:00.000+00:00', 'at 2026-03-01T10:00:00.000+00:00'],
    ['/cart_items/0/quantity must be at most 100', '/cart_items/0/quantity must be at most 100'],
  ])('of %j are %j', (text, masked) => {
    expect(new Pseudonyms().text(text)).toBe(masked);
  });

  it('of addresses are named by the parameters of the contract, and keep words of the contract alone', () => {
    const pseudonyms = new Pseudonyms();
    const masked = (address: string) => pseudonyms.url(`https://u:p@h.example${address}`);
    expect(masked(`/buyers/${BUYER}/shipping-details`)).toBe('h.example/buyers/buyer-1/shipping-details');
    expect(masked(`/payment-methods?buyer_id=${BUYER}&status=failed&limit=20`)).toBe(
      'h.example/payment-methods?buyer_id=buyer-1&status=failed&limit=20',
    );
    expect(masked('/buyers?search=Ada%20Lovelace&api_key=x&flag')).toBe(
      'h.example/buyers?search=search-1&api_key=********&flag',
    );
    expect(masked('/payment-service-definitions/acme-bank/sessions')).toBe(
      'h.example/payment-service-definitions/acme-bank/sessions',
    );
    expect(pseudonyms.text(`buyer ${BUYER}`)).toBe('buyer buyer-1');
    expect(masked(`/x/${OTHER}`)).toBe('h.example/x/id-1');
    expect(new Pseudonyms('/v1').url(`https://h/v1/buyers/${BUYER}/shipping-details`)).toBe(
      'h/v1/buyers/buyer-1/shipping-details',
    );
  });

  it('of members are by their names, with what quotes them, and secrets have none', () => {
    const body = {
      message: 'Ada Lovelace is not allowed',
      details: [
        { pointer: '/first_name', message: 'is "Countess"', input: 'Countess' },
        { pointer: '/webhook/secret', input: { a: 'hidden' } },
        { pointer: '/webhook/secret', ctx: { given: 'hidden', limit: 3 } },
      ],
      detail: [{ loc: ['body', 'email_address'], input: ['x@y'] }],
      billing_details: { first_name: 'Ada Lovelace', address: { city: 'London', line1: null } },
      api_key: 'hidden',
      resource_id: OTHER,
      card: 4111111111111111,
      amount: 1299,
    };
    const pseudonyms = new Pseudonyms();
    expect(pseudonyms.value(body)).toEqual({
      message: 'first-name-2 is not allowed',
      details: [
        { pointer: '/first_name', message: 'is "first-name-1"', input: 'first-name-1' },
        { pointer: '/webhook/secret', input: '********' },
        { pointer: '/webhook/secret', ctx: '********' },
      ],
      detail: [{ loc: ['body', 'email_address'], input: ['email-address-1'] }],
      billing_details: { first_name: 'first-name-2', address: { city: 'city-1', line1: null } },
      api_key: '********',
      resource_id: 'resource-1',
      card: 'number-1',
      amount: 1299,
    });
    expect(pseudonyms.text('Ada Lovelace')).toBe('first-name-2');
  });

  it('leave nothing personal in any JSON', () => {
    const secret = fc.constantFrom(
      'ada@example.com',
      '+441134960000',
      '4111111111111111',
      'eyJhbGci.eyJpc3Mi.c2ln',
      BUYER,
    );
    const around = fc.constantFrom('', ' ', '"', '/', '\n', 'to ');
    const text = fc.tuple(around, secret, around).map((parts) => parts.join(''));
    const name = fc.oneof(text, fc.constantFrom('pointer', 'input', 'loc', 'email_address', 'x', 'b_id'));
    const { json } = fc.letrec<{ json: unknown }>((tie) => ({
      json: fc.oneof(
        { maxDepth: 4 },
        text,
        fc.integer(),
        fc.constant(null),
        fc.array(tie('json'), { maxLength: 3 }),
        fc.dictionary(name, tie('json'), { maxKeys: 3 }),
      ),
    }));
    fc.assert(
      fc.property(json, (value) => {
        const masked = JSON.stringify(new Pseudonyms().value(value)) ?? '';
        expect(masked).not.toMatch(/ada@|441134960000|4111111111111111|eyJhbGci|a5b1f0de/);
      }),
      { numRuns: 1000 },
    );
  });
});
