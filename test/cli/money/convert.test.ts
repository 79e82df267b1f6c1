import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ConversionParts, inMinorUnits } from '../../../src/cli/money/convert.ts';
import { parseKeepingNumbers, stringifyExactJson } from '../../../src/json/exact.ts';
import { failureOf } from '../../client/failure-of.ts';

const said: string[] = [];
/** Each value, at any depth, may be an integer. */
const integers = {
  type: ['integer', 'object', 'array'],
  additionalProperties: { $ref: '#' },
  items: { $ref: '#' },
};
const parts: ConversionParts = {
  schema: integers,
  record: async () => ({ state: 'none' }),
  say: (message) => void said.push(message),
};
const convert = (json: string, more: Partial<ConversionParts> = {}) =>
  inMinorUnits(parseKeepingNumbers(json), { ...parts, ...more });

/** Decimals by currency, apart from the table of payctl. */
const CURRENCIES = { ISK: 0, EUR: 2, BHD: 3, CLF: 4 };

/** A body of nested objects and lists with amounts as they are typed, and the same as it has to be sent. */
const bodies = fc
  .constantFrom(...(Object.keys(CURRENCIES) as (keyof typeof CURRENCIES)[]))
  .chain((currency) => {
    const amount = fc.bigInt({ min: 0n, max: 10n ** 18n }).map((minor) => {
      const scale = 10n ** BigInt(CURRENCIES[currency]);
      const fraction = String(minor % scale).padStart(CURRENCIES[currency], '0');
      const major = CURRENCIES[currency] === 0 ? `${minor}` : `${minor / scale}.${fraction}`;
      return { typed: `"${major} ${currency}"`, sent: `${minor}` };
    });
    const other = fc
      .oneof(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.string(),
        fc.boolean(),
        fc.constant(null),
      )
      .map((value) => ({ typed: JSON.stringify(value), sent: JSON.stringify(value) }));
    const { value } = fc.letrec<{ value: { typed: string; sent: string } }>((tie) => ({
      value: fc.oneof({ maxDepth: 3 }, amount.map(member('total_amount')), other, joined(tie('value'))),
    }));
    return value.map(({ typed, sent }) => ({
      typed: `{"currency":"${currency}","body":${typed}}`,
      sent: `{"currency":"${currency}","body":${sent}}`,
    }));
  });

function member(name: string) {
  return (one: { typed: string; sent: string }) => ({
    typed: `{"${name}":${one.typed}}`,
    sent: `{"${name}":${one.sent}}`,
  });
}

function joined(value: fc.Arbitrary<{ typed: string; sent: string }>) {
  const list = fc.array(value, { maxLength: 3 }).map((all) => ({
    typed: `[${all.map(({ typed }) => typed).join(',')}]`,
    sent: `[${all.map(({ sent }) => sent).join(',')}]`,
  }));
  return fc.oneof(
    list,
    fc.constantFrom('__proto__', 'a/b~c', '0').chain((name) => value.map(member(name))),
  );
}

describe('inMinorUnits', () => {
  it('converts every amount of a body exactly, and nothing else', () => {
    fc.assert(
      fc.property(bodies, ({ typed, sent }) => {
        const before = parseKeepingNumbers(typed);
        const { body } = inMinorUnits(before, parts);
        expect(stringifyExactJson(body)).toBe(stringifyExactJson(parseKeepingNumbers(sent)));
        expect(stringifyExactJson(before)).toBe(stringifyExactJson(parseKeepingNumbers(typed)));
      }),
    );
  });

  it('leaves what its schema takes as a text, and what has another name', () => {
    const json = '{"amount":"5.00EUR","note":"5.00EUR","currency":"EUR"}';
    expect(
      stringifyExactJson(
        convert(json, { schema: { additionalProperties: { type: ['integer', 'string'] } } }).body,
      ),
    ).toBe(json);
    expect(convert(json).body).toEqual({ amount: 500, note: '5.00EUR', currency: 'EUR' });
  });

  it.each([
    '{"amount":"5EUR","currency":"EUR","amount_currency":"JPY"}',
    '{"amount":"5EUR","currency":"EUR","Currency":"JPY"}',
  ])('refuses %s, of which nobody knows the currency', (json) => {
    expect(() => convert(json)).toThrow(/amount is in EUR, but the request says JPY$/);
  });

  it('names at most ten conversions', async () => {
    const lines = (count: number) => `{"currency":"EUR","fee":[${Array(count).fill('"1EUR"').join(',')}]}`;
    said.length = 0;
    await convert(lines(2)).requireCurrency();
    await convert(lines(11)).requireCurrency();
    expect(said).toEqual([
      '/fee/0: 1EUR is sent as 100.',
      '/fee/1: 1EUR is sent as 100.',
      '11 amounts are sent in minor units.',
    ]);
  });

  it('reads no record where each amount has a currency', async () => {
    const record = () => Promise.reject(new Error('was read'));
    await convert('{"amount":"5EUR"}', { currency: 'eur', record }).requireCurrency();
    const missing = convert('{"amount":"5EUR"}', { record });
    expect(await failureOf(missing.requireCurrency())).toMatchObject({ message: 'was read' });
  });
});
