import { describe, expect, it, vi } from 'vitest';
import { type Prompter, requireYes } from '../../../src/cli/prompt/prompter.ts';
import { AbortedError } from '../../../src/errors.ts';
import { failureOf } from '../../client/failure-of.ts';

/** Asks somebody for a yes; without an answer there is nobody. */
function requireOf(confirm?: Prompter['confirm']) {
  const asker: Partial<Prompter> | undefined = confirm && { confirm };
  return requireYes(asker as Prompter | undefined, 'Sure?', { message: 'Not sure', hint: 'Add --yes.' });
}

describe('requireYes', () => {
  it('goes on when the person says yes', async () => {
    const confirm = vi.fn(async () => true);
    expect(await requireOf(confirm)).toBeUndefined();
    expect(confirm.mock.calls).toEqual([['Sure?']]);
  });

  it('throws the error without the hint when the person says no', async () => {
    const error = await failureOf(requireOf(async () => false));
    expect(error).toMatchObject({ code: 'not_confirmed', problem: 'Not sure', hint: undefined });
  });

  it('throws the error with the hint when there is nobody to ask', async () => {
    const error = await failureOf(requireOf());
    expect(error).toMatchObject({ code: 'not_confirmed', problem: 'Not sure', hint: 'Add --yes.' });
  });

  it('throws what ends the question', async () => {
    const aborted = new AbortedError();
    expect(await failureOf(requireOf(() => Promise.reject(aborted)))).toBe(aborted);
  });
});
