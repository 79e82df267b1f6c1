import { describe, expect, it, vi } from 'vitest';
import { confirmUnmarking } from '../../src/cli/profile-record.ts';
import type { Runtime } from '../../src/cli/runtime.ts';
import type { Profile } from '../../src/config/profiles.ts';
import { failureOf } from '../client/failure-of.ts';

const PRODUCTION: Profile = { name: 'live', environment: 'production' };

/** Removes the mark with an answer to the question, or without a terminal, and gives what came of it. */
async function unmark(
  before: Profile | undefined,
  environment: string | null | undefined,
  { answer, confirmed = false }: { answer?: boolean; confirmed?: boolean },
) {
  const confirm = vi.fn(async () => answer);
  const prompter = vi.fn(async () => (answer === undefined ? undefined : { confirm }));
  const runtime = { prompter } as unknown as Runtime;
  const done = confirmUnmarking(before, environment, { runtime, confirmed });
  const code = await done.then(
    () => 'removed',
    async () => ((await failureOf(done)) as { code: string }).code,
  );
  return { code, questions: confirm.mock.calls };
}

describe('the question before a production mark is removed', () => {
  const QUESTION = [['The profile live is marked as production. Remove the mark?']];

  it.each(['sandbox', null, undefined])(
    'is asked once for the environment %j, and only yes removes it',
    async (to) => {
      expect(await unmark(PRODUCTION, to, { answer: true })).toEqual({
        code: 'removed',
        questions: QUESTION,
      });
      expect(await unmark(PRODUCTION, to, { answer: false })).toEqual({
        code: 'not_confirmed',
        questions: QUESTION,
      });
    },
  );

  it('is a refusal without a terminal, and is not asked with --yes', async () => {
    expect(await unmark(PRODUCTION, 'sandbox', {})).toEqual({ code: 'not_confirmed', questions: [] });
    expect(await unmark(PRODUCTION, 'sandbox', { confirmed: true })).toEqual({
      code: 'removed',
      questions: [],
    });
    expect(await unmark(PRODUCTION, null, { answer: false, confirmed: true })).toEqual({
      code: 'removed',
      questions: [],
    });
  });

  it.each([
    ['the mark stays', PRODUCTION, 'production'],
    ['there is no mark', { name: 'live', environment: 'sandbox' }, null],
    ['there is no environment', { name: 'live' }, 'sandbox'],
    ['there is no profile', undefined, 'production'],
  ] as const)('is not asked where %s', async (_, before, to) => {
    expect(await unmark(before, to, {})).toEqual({ code: 'removed', questions: [] });
    expect(await unmark(before, to, { answer: false })).toEqual({ code: 'removed', questions: [] });
  });
});
