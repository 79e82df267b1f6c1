import { describe, expect, it } from 'vitest';
import { readAddress, readPairs } from '../../src/cli/flags/body.ts';
import { printLifetime } from '../../src/cli/show/checkout-lifetime.ts';
import type { Display } from '../../src/cli/show/display.ts';
import { reportsFailure } from '../../src/commands/payment-service-definitions/sessions/create.ts';
import type { CheckoutSession, PaymentServiceSession } from '../../src/contract/generated/types.ts';

describe('readPairs', () => {
  it('reads pairs, the value with its equals signs', () => {
    expect(readPairs('--metadata', ['a=', 'b=x=y', '__proto__=z'])).toEqual(
      Object.fromEntries([
        ['a', ''],
        ['b', 'x=y'],
        ['__proto__', 'z'],
      ]),
    );
  });

  it('gives nothing where nothing was given', () => {
    expect([readPairs('--metadata', undefined), readPairs('--metadata', [])]).toEqual([undefined, undefined]);
  });

  it.each(['a', '=b', ''])('refuses %j', (pair) => {
    expect(() => readPairs('--metadata', [pair])).toThrow(
      `--metadata must be KEY=VALUE, not ${JSON.stringify(pair)}`,
    );
  });

  it('refuses a key that comes twice, also with the same value', () => {
    expect(() => readPairs('--metadata', ['a=1', 'b=2', 'a=1'])).toThrow('--metadata gives "a" twice');
  });
});

describe('readAddress', () => {
  it('writes the field names of the contract, over the address of --data', () => {
    const flags = { 'postal-code': 'LS1 1AA', 'house-number-or-name': '10', city: undefined };
    expect(readAddress(flags, { city: 'Leeds', postal_code: 'old' })).toEqual({
      city: 'Leeds',
      postal_code: 'LS1 1AA',
      house_number_or_name: '10',
    });
  });

  it('gives nothing when no flag was given', () => {
    expect(readAddress({}, { city: 'Leeds' })).toBeUndefined();
  });
});

describe('reportsFailure', () => {
  it.each([
    [{ status: 'succeeded', status_code: 200 }, false],
    [{ status: 'pending' }, false],
    [{ status: 'Failed' }, true],
    [{ status: 'succeeded', status_code: 402 }, true],
    [{ status: 'succeeded', code: 'service_error' }, true],
    [{ status: 'succeeded', code: null }, false],
    [{}, false],
  ])('is told of %j: %s', (result, failed) => {
    expect(reportsFailure(result as PaymentServiceSession)).toBe(failed);
  });
});

describe('printLifetime', () => {
  const now = new Date('2026-03-01T12:00:00Z');
  const said = (expiresAt: string | undefined) => {
    const lines: string[] = [];
    const display = {
      info: (text: string) => lines.push(text),
      warn: (code: string, text: string) => lines.push(`${code}: ${text}`),
      stderrTerminal: { times: 'sent' },
    } as unknown as Display;
    printLifetime(display, { expires_at: expiresAt } as CheckoutSession, now);
    return lines;
  };

  it.each([
    ['2026-03-01T12:00:20Z', 'The session expires in 20 seconds.'],
    ['2026-03-01T12:01:00Z', 'The session expires in 60 seconds.'],
    ['2026-03-01T13:00:00+00:00', 'The session expires in 60 minutes.'],
    ['2026-03-02T12:00:00Z', 'The session expires in 24 hours.'],
    ['2026-03-09T12:00:00Z', 'The session expires in 8 days.'],
    ['2099-01-01T00:00:00Z', 'The session expires on 2099-01-01.'],
    ['2019-12-31T23:00:00Z', 'session_expired: The session expired on 2019-12-31.'],
    ['2026-03-01T11:30:00Z', 'session_expired: The session expired 30 minutes ago.'],
  ])('reads %s', (expiresAt, sentence) => {
    expect(said(expiresAt)).toEqual([sentence]);
  });

  it('says nothing of a time that it cannot read', () => {
    expect([said(undefined), said('soon')]).toEqual([[], []]);
  });
});
