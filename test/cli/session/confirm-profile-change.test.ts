import { describe, expect, it, vi } from 'vitest';
import type { Prompter } from '../../../src/cli/prompt/prompter.ts';
import type { Runtime } from '../../../src/cli/runtime.ts';
import { confirmProfileChange } from '../../../src/cli/session/confirm-profile-change.ts';
import type { Profile } from '../../../src/config/profile.ts';
import { failureOf } from '../../client/failure-of.ts';

const PRODUCTION: Profile = { name: 'live', environment: 'production' };

/** Removes the mark with an answer to the question, or without a terminal, and gives what came of it. */
async function unmark(
  before: Profile | undefined,
  after: Omit<Profile, 'name'>,
  { answer, confirmed = false }: { answer?: boolean; confirmed?: boolean },
) {
  const confirm = vi.fn(async () => answer);
  const prompter = vi.fn(async () => (answer === undefined ? undefined : { confirm }));
  const runtime = { prompter } as unknown as Runtime;
  const done = confirmProfileChange(before, { ...before, ...after }, { runtime, confirmed });
  const code = await done.then(
    () => 'removed',
    async () => ((await failureOf(done)) as { code: string }).code,
  );
  return { code, questions: confirm.mock.calls };
}

describe('the question before a production mark is removed', () => {
  const QUESTION = [['The profile live is marked as production. Remove the mark?']];

  it.each(['sandbox', undefined] as const)(
    'is asked once for the environment %j, and only yes removes it',
    async (to) => {
      expect(await unmark(PRODUCTION, { environment: to }, { answer: true })).toEqual({
        code: 'removed',
        questions: QUESTION,
      });
      expect(await unmark(PRODUCTION, { environment: to }, { answer: false })).toEqual({
        code: 'not_confirmed',
        questions: QUESTION,
      });
    },
  );

  it('is a refusal without a terminal, and is not asked with --yes', async () => {
    expect(await unmark(PRODUCTION, { environment: 'sandbox' }, {})).toEqual({
      code: 'not_confirmed',
      questions: [],
    });
    expect(await unmark(PRODUCTION, { environment: 'sandbox' }, { confirmed: true })).toEqual({
      code: 'removed',
      questions: [],
    });
    expect(await unmark(PRODUCTION, { environment: undefined }, { answer: false, confirmed: true })).toEqual({
      code: 'removed',
      questions: [],
    });
  });

  it.each([
    ['the mark stays', PRODUCTION, 'production'],
    ['there is no mark', { name: 'live', environment: 'sandbox' }, undefined],
    ['there is no environment', { name: 'live' }, 'sandbox'],
    ['there is no profile', undefined, 'production'],
  ] as const)('is not asked where %s', async (_, before, to) => {
    expect(await unmark(before, { environment: to }, {})).toEqual({ code: 'removed', questions: [] });
    expect(await unmark(before, { environment: to }, { answer: false })).toEqual({
      code: 'removed',
      questions: [],
    });
  });
});

describe('the question before a profile marked production leaves its address', () => {
  const AT: Profile = { ...PRODUCTION, baseUrl: 'https://api.acme.example.com' };
  const TEMPLATE: Profile = { ...PRODUCTION, baseUrl: 'https://api.{id}.example.com' };
  const text = (url: string | undefined) =>
    `The profile live is marked as production. Changes at ${url} will no longer need confirmation. Change the address?`;

  it.each<[Profile, Omit<Profile, 'name'>]>([
    [AT, { baseUrl: 'https://other.example.com' }],
    [AT, { baseUrl: undefined }],
    [AT, { baseUrl: 'https://api.acme.example.com:8443' }],
    [{ ...TEMPLATE, instance: 'acme' }, { instance: 'other' }],
    [{ ...TEMPLATE, instance: 'acme' }, { instance: undefined }],
    [TEMPLATE, { instance: 'acme' }],
    [TEMPLATE, { baseUrl: 'https://münchen-{id}.example.com' }],
  ])('is asked: %j with %j', async (before, after) => {
    const questions = [[text(before.baseUrl)]];
    expect(await unmark(before, after, { answer: true })).toEqual({ code: 'removed', questions });
    expect(await unmark(before, after, { answer: false })).toEqual({ code: 'not_confirmed', questions });
    expect(await unmark(before, after, {})).toEqual({ code: 'not_confirmed', questions: [] });
    expect(await unmark(before, after, { confirmed: true })).toEqual({ code: 'removed', questions: [] });
  });

  it.each<[Profile, Omit<Profile, 'name'>]>([
    [AT, { baseUrl: 'https://API.acme.example.com/v2/' }],
    [AT, { timeout: '3s' }],
    [PRODUCTION, { baseUrl: 'https://other.example.com' }],
    [{ ...AT, environment: 'sandbox' }, { baseUrl: 'https://other.example.com' }],
  ])('is not asked: %j with %j', async (before, after) => {
    expect(await unmark(before, after, {})).toEqual({ code: 'removed', questions: [] });
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
    const done = confirmProfileChange(before, after, { runtime: { prompter }, confirmed: true });
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
      'Delete the profile live with its limits (500.00 EUR, 60000 JPY)?',
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
      message: after
        ? 'The profile live and its limits are unchanged'
        : 'The profile live was not deleted and keeps its limits (500.00 EUR, 60000 JPY)',
      hint: 'Only a person at a terminal can loosen limits, even with --yes. Run the command at a terminal.',
    };
    const no = await loosen(AT, after, false);
    expect(no).toMatchObject({ error: { ...refusal, hint: undefined }, asked: [question] });
    expect((await loosen(AT, after)).error).toMatchObject(refusal);
  });

  const ANNA = { kty: 'OKP', kid: 'thumbprint-of-anna', name: 'anna' };
  const BOB = { kty: 'OKP', kid: 'thumbprint-of-bob' };
  const PLANS: Profile = {
    name: 'live',
    baseUrl: 'https://api.acme.example.com',
    maxTotals: { EUR: '5000.00' },
    approvers: [ANNA],
  };

  it.each<[string, Profile, Omit<Profile, 'name'> | undefined, readonly string[]]>([
    [
      'a total is raised',
      PLANS,
      { ...PLANS, maxTotals: { EUR: '5000.01', USD: '1' } },
      [
        'Raise what one plan of the profile live may move: EUR from 5000.00 to 5000.01, USD from nothing to 1?',
      ],
    ],
    [
      'an approver is added',
      PLANS,
      { ...PLANS, approvers: [ANNA, BOB] },
      ['Let thumbprint-of-bob approve plans of the profile live?'],
    ],
    [
      'an approver is replaced by one of the same name',
      PLANS,
      { ...PLANS, approvers: [{ ...BOB, name: 'anna' }] },
      ['Let anna approve plans of the profile live?'],
    ],
    [
      'approvers are removed and a total is raised',
      PLANS,
      { ...PLANS, approvers: undefined, maxTotals: { EUR: '6000.00' } },
      [
        'Remove the limits of the profile live (approvers anna)?',
        'Raise what one plan of the profile live may move: EUR from 5000.00 to 6000.00?',
      ],
    ],
    [
      'totals are removed and the address changes',
      PLANS,
      { ...PLANS, maxTotals: undefined, baseUrl: 'https://other.example.com' },
      [
        'Remove the limits of the profile live (5000.00 EUR in total)?',
        'The limits of the profile live (approvers anna) will no longer hold at https://api.acme.example.com. Change the address?',
      ],
    ],
    [
      'a profile with all of them is deleted',
      { ...AT, ...PLANS },
      undefined,
      [
        'Delete the profile live with its limits (500.00 EUR, 60000 JPY, 5000.00 EUR in total, approvers anna)?',
      ],
    ],
  ])('is asked where %s', async (_, before, after, questions) => {
    expect(await loosen(before, after, true)).toEqual({ error: undefined, asked: questions });
    const no = await loosen(before, after, false);
    expect(no).toMatchObject({ error: { code: 'not_confirmed' }, asked: questions.slice(0, 1) });
    expect((await loosen(before, after)).error).toMatchObject({ code: 'not_confirmed' });
  });

  it.each<[string, Profile, Omit<Profile, 'name'>]>([
    ['a total is lowered', PLANS, { ...PLANS, maxTotals: { EUR: '4999.99' } }],
    ['one of several approvers is removed', { ...PLANS, approvers: [ANNA, BOB] }, PLANS],
    ['an approver is renamed', PLANS, { ...PLANS, approvers: [{ ...ANNA, name: 'Anna B.' }] }],
    ['a profile gets its first approvers', { ...PLANS, approvers: undefined }, PLANS],
  ])('is not asked where %s', async (_, before, after) => {
    expect(await loosen(before, after)).toEqual({ error: undefined, asked: [] });
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
