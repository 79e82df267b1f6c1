import { describe, expect, it, vi } from 'vitest';
import { type Prompter, requireYes } from '../../../src/cli/prompt/prompter.ts';
import { AbortedError, UsageError } from '../../../src/errors.ts';
import { failureOf } from '../../client/failure-of.ts';

const REFUSED = new UsageError('not_confirmed', 'no');

/** Asks somebody for a yes; without an answer there is nobody. */
function requireOf(confirm?: Prompter['confirm']) {
  const asker: Partial<Prompter> | undefined = confirm && { confirm };
  const refused = vi.fn(() => REFUSED);
  const done = requireYes(asker as Prompter | undefined, 'Sure?', refused);
  return { done, refused };
}

describe('requireYes', () => {
  it('goes on when the person says yes, and makes no error', async () => {
    const confirm = vi.fn(async () => true);
    const { done, refused } = requireOf(confirm);
    expect(await done).toBeUndefined();
    expect(confirm.mock.calls).toEqual([['Sure?']]);
    expect(refused).not.toHaveBeenCalled();
  });

  it('throws the error when the person says no', async () => {
    expect(await failureOf(requireOf(async () => false).done)).toBe(REFUSED);
  });

  it('throws the error when there is nobody to ask', async () => {
    expect(await failureOf(requireOf().done)).toBe(REFUSED);
  });

  it('throws what ends the question', async () => {
    const aborted = new AbortedError();
    expect(await failureOf(requireOf(() => Promise.reject(aborted)).done)).toBe(aborted);
  });
});
