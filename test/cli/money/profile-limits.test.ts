import { describe, expect, it, vi } from 'vitest';
import { confirmLoosening, readLimits } from '../../../src/cli/money/profile-limits.ts';
import type { Prompter } from '../../../src/cli/prompt/prompter.ts';
import type { Profile } from '../../../src/config/profile.ts';
import { failureOf } from '../../client/failure-of.ts';

describe('readLimits', () => {
  it('reads currencies and amounts as they are written', () => {
    expect(readLimits(['EUR=500.00', 'JPY=60000', ' BHD=0.001 ', 'USD=0'])).toEqual({
      EUR: '500.00',
      JPY: '60000',
      BHD: '0.001',
      USD: '0',
    });
  });

  it.each([
    ['EUR'],
    ['EUR='],
    ['=5'],
    ['5.00EUR'],
    ['EUR=5.001'],
    ['JPY=1.0'],
    ['EUR=-1'],
    ['EUR=1e3'],
    ['EUR=1,000.00'],
    ['EUR=0x10'],
    ['EUR=5=6'],
    ['ABC=5'],
    ['XAU=5'],
    ['__proto__=5'],
  ])('refuses %j', (text) => {
    expect(() => readLimits([text])).toThrow(
      `--max-amount must be a currency and an amount in its major unit, not ${JSON.stringify(text)}`,
    );
  });

  it('says how a currency is written, and refuses one that is given twice', () => {
    expect(() => readLimits(['eur=5'])).toThrow('"eur=5", which writes the currency as eur instead of EUR');
    expect(() => readLimits(['JPY=5.00'])).toThrow('"JPY=5.00", which has 2 decimals, and JPY has none');
    expect(() => readLimits(['EUR=-5'])).toThrow('"EUR=-5", which is negative');
    expect(() => readLimits(['EUR=5', 'EUR=6'])).toThrow('--max-amount gives the limit of EUR twice');
  });
});

describe('the question before a profile allows more', () => {
  const AT: Profile = {
    name: 'live',
    baseUrl: 'https://api.acme.example.com',
    maxAmounts: { EUR: '500.00', JPY: '60000' },
  };

  /** What is asked about a change with an answer, and whether the change is made. */
  async function loosen(
    before: Profile | undefined,
    after: Omit<Profile, 'name'> | undefined,
    answer?: boolean,
  ) {
    const confirm = vi.fn(async (_: string) => answer === true);
    const prompter = async () => (answer === undefined ? undefined : ({ confirm } as unknown as Prompter));
    const done = confirmLoosening(before, after, { prompter });
    const error = await done.then(
      () => undefined,
      async () => await failureOf(done),
    );
    return { error, asked: confirm.mock.calls.map(([question]) => question) };
  }

  it.each<[string, Omit<Profile, 'name'> | undefined, string]>([
    [
      'raised',
      { ...AT, maxAmounts: { EUR: '500.01', JPY: '60000' } },
      'Raise what one change of the profile live may move: EUR from 500.00 to 500.01?',
    ],
    [
      'given for another currency',
      { ...AT, maxAmounts: { ...AT.maxAmounts, USD: '0.01' } },
      'Raise what one change of the profile live may move: USD from nothing to 0.01?',
    ],
    [
      'raised in one currency and lowered in another',
      { ...AT, maxAmounts: { EUR: '1', JPY: '60001' } },
      'Raise what one change of the profile live may move: JPY from 60000 to 60001?',
    ],
    [
      'removed',
      { ...AT, maxAmounts: undefined },
      'Remove the limits of the profile live (500.00 EUR, 60000 JPY)?',
    ],
    [
      'deleted with their profile',
      undefined,
      'Remove the limits of the profile live (500.00 EUR, 60000 JPY)?',
    ],
    [
      'moved',
      { ...AT, baseUrl: 'https://other.example.com' },
      'The limits of the profile live (500.00 EUR, 60000 JPY) will no longer hold at https://api.acme.example.com. Change the address?',
    ],
    [
      'left without an address',
      { ...AT, baseUrl: undefined },
      'The limits of the profile live (500.00 EUR, 60000 JPY) will no longer hold at https://api.acme.example.com. Change the address?',
    ],
  ])('is asked where limits are %s, and only a person agrees', async (_, after, question) => {
    expect(await loosen(AT, after, true)).toEqual({ error: undefined, asked: [question] });
    const refusal = {
      code: 'not_confirmed',
      message: 'The limits of the profile live are unchanged',
      hint: 'Run the command at a terminal to confirm it; --yes does not.',
    };
    const no = await loosen(AT, after, false);
    expect(no).toMatchObject({ error: { ...refusal, hint: undefined }, asked: [question] });
    expect((await loosen(AT, after)).error).toMatchObject(refusal);
  });

  it('is asked where a profile without an address gets one', async () => {
    const { asked } = await loosen({ ...AT, baseUrl: undefined }, AT, true);
    expect(asked).toEqual([
      'The limits of the profile live (500.00 EUR, 60000 JPY) will no longer hold at other addresses. Change the address?',
    ]);
  });

  it.each<[string, Profile | undefined, Omit<Profile, 'name'> | undefined]>([
    ['are lowered', AT, { ...AT, maxAmounts: { EUR: '499.99', JPY: '0' } }],
    ['stay, written differently', AT, { ...AT, maxAmounts: { EUR: '500', JPY: '60000' } }],
    ['do not allow another currency', AT, { ...AT, maxAmounts: { ...AT.maxAmounts, USD: '0.00' } }],
    ['lose a currency', AT, { ...AT, maxAmounts: { EUR: '500.00' } }],
    ['keep their origin', AT, { ...AT, baseUrl: 'https://API.acme.example.com/v2/' }],
    ['are new', { ...AT, maxAmounts: undefined }, AT],
    ['are those of a new profile', undefined, AT],
    ['are not there', { ...AT, maxAmounts: undefined }, undefined],
  ])('is not asked where limits %s', async (_, before, after) => {
    expect(await loosen(before, after)).toEqual({ error: undefined, asked: [] });
  });
});
