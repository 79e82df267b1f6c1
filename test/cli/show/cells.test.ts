import { describe, expect, it } from 'vitest';
import {
  amountCell,
  cardText,
  expiryTone,
  majorAmountCell,
  statusTone,
} from '../../../src/cli/show/cells.ts';

describe('cardText', () => {
  it.each([
    ['visa', '4190', 'visa ···4190'],
    ['wallet', 'a***@example.com', 'wallet a***@example.com'],
    ['bank-debit', '', 'bank-debit'],
    ['', '4190', '···4190'],
  ])('writes %j and %j as %j', (name, label, text) => {
    expect(cardText(name, label)).toBe(text);
  });
});

describe('amountCell', () => {
  it('shows an amount with its currency, and as it was sent what is none', () => {
    const cell = amountCell('balance');
    expect(cell({ balance: 13470, currency: 'GBP' })).toBe('134.70 GBP');
    expect(cell({ balance: 13470 })).toBe('13470');
    expect(cell({ balance: 'n/a', currency: 'GBP' })).toBe('n/a GBP');
    expect(cell(null)).toBe('');
    expect(cell({ balance: null, currency: 'GBP' })).toBe('');
    expect(majorAmountCell('balance', 'currency')({ balance: null, currency: 'GBP' })).toBe('');
    expect(majorAmountCell('balance', 'currency')({ balance: 1.5, currency: 'GBP' })).toBe('1.5 GBP');
  });
});

describe('statusTone', () => {
  it.each([
    ['failed', 'red'],
    ['processing', 'yellow'],
    ['buyer_approval_required', 'yellow'],
    ['paused', 'yellow'],
    ['succeeded', undefined],
    [undefined, undefined],
  ])('of %s is %s', (status, tone) => {
    expect(statusTone('status')({ status })).toBe(tone);
  });
});

describe('expiryTone', () => {
  const at = (now: string) => expiryTone('expires', Date.parse(now));

  it('is red after the end of the month on a card', () => {
    expect(at('2026-02-28T23:59:59Z')({ expires: '02/26' })).toBeUndefined();
    expect(at('2026-03-01T00:00:00Z')({ expires: '02/26' })).toBe('red');
    expect(at('2026-03-01T00:00:00Z')({ expires: '02/2026' })).toBe('red');
    expect(at('2026-12-31T23:59:59Z')({ expires: '12/26' })).toBeUndefined();
    expect(at('2027-01-01T00:00:00Z')({ expires: '12/26' })).toBe('red');
  });

  it('is red after a time, and nothing for what cannot be read', () => {
    expect(at('2026-03-01T00:00:00Z')({ expires: '2026-02-28T12:00:00Z' })).toBe('red');
    expect(at('2026-03-01T00:00:00Z')({ expires: '2026-03-02' })).toBeUndefined();
    expect(at('2026-03-01T00:00:00Z')({ expires: 'soon' })).toBeUndefined();
    expect(at('2026-03-01T00:00:00Z')({})).toBeUndefined();
  });
});
