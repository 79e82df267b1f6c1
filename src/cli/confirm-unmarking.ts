import { UsageError } from '../client/errors.ts';
import type { Profile } from '../config/profile.ts';
import { requireYes } from './prompter.ts';
import type { Runtime } from './runtime.ts';

/**
 * Asks before a profile that is marked production loses its mark, since the next change would no longer be asked about.
 * @throws UsageError `not_confirmed`
 */
export async function confirmUnmarking(
  before: Profile | undefined,
  environment: string | null | undefined,
  { runtime, confirmed }: { readonly runtime: Runtime; readonly confirmed: boolean },
): Promise<void> {
  if (before?.environment !== 'production' || environment === 'production' || confirmed) return;
  const question = `The profile ${before.name} is marked production. Take the mark away?`;
  await requireYes(runtime, question, () => {
    return new UsageError('not_confirmed', `The profile ${before.name} stays marked production`, {
      hint: 'Add --yes to take the mark away without being asked.',
    });
  });
}
