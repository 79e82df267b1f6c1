import { describe, expect, it } from 'vitest';
import { Pseudonyms } from '../../../../src/features/api-logs/report/pseudonyms.ts';

const mask = (text: string) => new Pseudonyms().text(text);

describe('long numbers', () => {
  it.each([
    [
      'of 13 to 19 digits, whatever their check digit',
      '1234567890123',
      '1234567890123456789',
      '4111111111111112',
    ],
    ['of more digits', '12345678901234567890', '1'.repeat(41)],
    [
      'of cards in any groups',
      '42 22222 222222',
      '6011 00-0990139424',
      '637 1412345678901232',
      '2221000 000000009',
    ],
    ['of cards in groups of four, whatever their check digit', '4111 1111 1111 1112', '4111_1111_1111_1112'],
    [
      'in groups of four, unless they begin with a year',
      '1234.5678.9012.3456',
      '4111.2011.1111.1112',
      '9999/1911/1111/1',
    ],
    ['of cards with several separators', '4111.1111/1111_1111', '4111 .1111-1111.1111'],
    ['of American Express', '3714 496353 98431', '3714.496353.98432', '3714-496353 98431'],
    ['that are no times', '1399999999999', '17723598001234567890', '20261301101500', '20260301241500'],
  ])('are replaced: %s', (_, ...numbers) => {
    for (const number of numbers) expect(mask(`of ${number}, x`)).toBe('of number-1, x');
  });

  it.each([
    ['of twelve digits', '123456789012', '4111 1111 1112'],
    ['in odd groups, without a check digit', '42 22222 222223', '6011 00-0990139425', '3714 49635 398432'],
    [
      'in odd groups, with another beginning than that of a card',
      '12345 678901 23452',
      '2123 456789 012343',
      '731456 789012341',
    ],
    ['with several separators, without a check digit', '4111.1111/1111_1112', '3714-496353.98432'],
    ['with several separators, with another beginning than that of a card', '1234.5678/9012.3452'],
    ['of which only the beginning is a card number', '42 22222 22222217'],
    ['that are dates', '2026-03-01 2026-03-05', '1999.1231.2026.0301', '2026.0301.2026.0302'],
    [
      'that are times',
      '1400000000000',
      '1772359800123456',
      '1772359800123456789',
      '20261231235959',
      '20491231235959999',
    ],
  ])('are left alone: %s', (_, ...numbers) => {
    for (const number of numbers) expect(mask(`of ${number}, x`)).toBe(`of ${number}, x`);
  });

  it('end where the card number ends', () => {
    expect(mask('42 22222 222222 17')).toBe('number-1 17');
    expect(mask('6011 00-0990139424 1-2')).toBe('number-1 1-2');
    // The longest one that is right.
    expect(mask('637 14123 45678 9012 32')).toBe('number-1');
  });

  it('are read among letters if they are card numbers, and are not parts of others', () => {
    expect(mask('x4111111111111111x')).toBe('xnumber-1x');
    expect(mask('x4111111111111112x')).toBe('x4111111111111112x');
    expect(mask('x1.4111111111111111')).toBe('x1.number-1');
    expect(mask('0.4111111111111112')).toBe('0.4111111111111112');
  });

  it('are shown after what they number, except card numbers and those of another length', () => {
    expect(mask('order 1234567890123 and order 1234567890123456789')).toBe(
      'order 1234567890123 and order 1234567890123456789',
    );
    expect(mask('order 12345678901234567890')).toBe('order number-1');
    expect(mask('order 4111111111111111')).toBe('order number-1');
    expect(mask('reorder 1234567890123')).toBe('reorder number-1');
    expect(
      new Pseudonyms().value({
        order: 1234567890123,
        reference: 'ada@example.com',
        ticket: 'ada@example.com 1234567890123',
        invoice: '1234567890123 ada@example.com',
      }),
    ).toEqual({
      order: 1234567890123,
      reference: 'email-1',
      ticket: 'email-1 number-1',
      invoice: 'number-1 email-1',
    });
  });
});

describe('IBANs', () => {
  it.each([
    'NO9386011117947',
    'GB82WEST12345698765432',
    'RU2804452522540817810900000000000',
    'mt84malt011000012345mtlcast001s',
  ])('are as long as their country says: %s', (iban) => {
    expect(mask(`${iban}.`)).toBe('iban-1.');
    expect(mask(`(${iban.replace(/.{4}/g, '$& ')}) ok`)).toBe('(iban-1) ok');
    expect(mask(`${iban} 12 ab`)).toBe('iban-1 12 ab');
    expect(mask(`x${iban}`)).not.toContain('iban-1');
  });

  it('have check digits, a country, and as many characters as its IBANs', () => {
    for (const other of ['GB83WEST12345698765432', 'XX57WEST12345698765432', 'NO938601111794'])
      expect(mask(`of ${other}, x`)).toBe(`of ${other}, x`);
  });
});
