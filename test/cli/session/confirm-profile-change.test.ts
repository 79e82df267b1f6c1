import { describe, expect, it, vi } from 'vitest';
import type { Runtime } from '../../../src/cli/runtime.ts';
import { confirmUnmarking } from '../../../src/cli/session/profile-record.ts';
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
  const done = confirmUnmarking(before, { ...before, ...after }, { runtime, confirmed });
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
