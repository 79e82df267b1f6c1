import { leavesAddress } from '../../config/origin.ts';
import type { Profile } from '../../config/profile.ts';
import { UsageError } from '../../errors.ts';
import { listValues } from '../../text/format.ts';
import { minorUnits } from '../money/minor-units.ts';
import { requireYes } from '../prompt/prompter.ts';
import type { Runtime } from '../runtime.ts';
import { limitsText } from './profile-record.ts';

/** A profile after a change of its settings; undefined where it is deleted. */
type Changed = Omit<Profile, 'name'> | undefined;

type ConfirmOptions = {
  readonly runtime: Pick<Runtime, 'prompter'>;
  /** `--yes` was given. */
  readonly confirmed: boolean;
};

/**
 * Asks before a profile that is marked production loses its mark or leaves its address, since the next change there would no
 * longer be asked about; and before it allows larger changes than before: a limit is raised or removed, the profile is moved or
 * deleted. To the latter only a person at a terminal can agree; `--yes` does not.
 * @throws UsageError `not_confirmed`
 */
export async function confirmProfileChange(
  before: Profile | undefined,
  after: Changed,
  { runtime, confirmed }: ConfirmOptions,
): Promise<void> {
  const loss = confirmed ? undefined : lossOf(before, after);
  if (before && loss) {
    const question = `The profile ${before.name} is marked as production. ${loss.question}`;
    await requireYes(await runtime.prompter(), question, (wasAsked) => {
      return new UsageError('not_confirmed', `The profile ${before.name} ${loss.state}`, {
        hint: wasAsked ? undefined : `Add --yes to ${loss.action} without confirmation.`,
      });
    });
  }
  const loosening = before && looseningOf(before, after);
  if (loosening === undefined) return;
  await requireYes(await runtime.prompter(), loosening, (wasAsked) => {
    return new UsageError('not_confirmed', `The limits of the profile ${before?.name} are unchanged`, {
      hint: wasAsked ? undefined : 'Run the command at a terminal to confirm it; --yes does not.',
    });
  });
}

/** What production loses by a change of the profile that is marked so. */
function lossOf(before: Profile | undefined, after: Changed) {
  if (before?.environment !== 'production' || !after) return undefined;
  if (after.environment !== 'production') {
    return {
      question: 'Remove the mark?',
      state: 'is still marked as production',
      action: 'remove the mark',
    };
  }
  if (!leavesAddress(before, after)) return undefined;
  return {
    question: `Changes at ${before.baseUrl} will no longer need confirmation. Change the address?`,
    state: 'still points to its production address',
    action: 'change the address',
  };
}

/** The question about what a profile would allow in addition; undefined where that is nothing. */
function looseningOf(before: Profile, after: Changed): string | undefined {
  const { name, maxAmounts: limits } = before;
  if (!limits) return undefined;
  const all = `of the profile ${name} (${limitsText(limits)})`;
  if (!after) return `Delete the profile ${name} with its limits (${limitsText(limits)})?`;
  if (!after.maxAmounts) return `Remove the limits ${all}?`;
  if (leavesAddress(before, after) || (before.baseUrl === undefined && after.baseUrl !== undefined))
    return `The limits ${all} will no longer hold at ${before.baseUrl ?? 'other addresses'}. Change the address?`;
  const raised = Object.entries(after.maxAmounts).filter(([currency, amount]) =>
    isMore(amount, limits[currency] ?? '0', currency),
  );
  if (raised.length === 0) return undefined;
  const steps = raised.map(
    ([currency, amount]) => `${currency} from ${limits[currency] ?? 'nothing'} to ${amount}`,
  );
  return `Raise what one change of the profile ${name} may move: ${listValues(steps)}?`;
}

/** What cannot be compared counts as more. */
function isMore(amount: string, than: string, currency: string): boolean {
  const [now, was] = [amount, than].map((text) => minorUnits(text, currency));
  return typeof now !== 'bigint' || typeof was !== 'bigint' || now > was;
}
