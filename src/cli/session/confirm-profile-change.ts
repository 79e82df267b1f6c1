import { leavesAddress } from '../../config/origin.ts';
import { isLimited, LIMIT_FIELDS, type Profile } from '../../config/profile.ts';
import { listValues } from '../../text/format.ts';
import { minorUnits } from '../money/minor-units.ts';
import { requireYes } from '../prompt/prompter.ts';
import type { Runtime } from '../runtime.ts';
import { allLimitsText, approverNames } from './profile-record.ts';

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
 * deleted, an approver is added. To the latter only a person at a terminal can agree; `--yes` does not.
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
    await requireYes(await runtime.prompter(), question, {
      message: `The profile ${before.name} ${loss.state}`,
      hint: `Add --yes to ${loss.action} without confirmation.`,
    });
  }
  if (!before) return;
  for (const loosening of looseningsOf(before, after)) {
    await requireYes(await runtime.prompter(), loosening, {
      message: unloosened(before, after),
      hint: 'Only a person at a terminal can loosen limits, even with --yes. Run the command at a terminal.',
    });
  }
}

function unloosened(before: Profile, after: Changed): string {
  const { name } = before;
  if (after) return `The profile ${name} and its limits are unchanged`;
  return `The profile ${name} was not deleted and keeps its limits (${allLimitsText(before)})`;
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

/** The questions about what a profile would allow in addition. */
function looseningsOf(before: Profile, after: Changed): readonly string[] {
  if (!isLimited(before)) return [];
  const { name } = before;
  if (!after) return [`Delete the profile ${name} with its limits (${allLimitsText(before)})?`];
  const textOf = (isRemoved: boolean) => {
    const fields = LIMIT_FIELDS.filter((field) => before[field] && isRemoved === !after[field]);
    return allLimitsText(Object.fromEntries(fields.map((field) => [field, before[field]])));
  };
  const [removed, kept] = [textOf(true), textOf(false)];
  const isMoved =
    leavesAddress(before, after) || (before.baseUrl === undefined && after.baseUrl !== undefined);
  const place = before.baseUrl ?? 'other addresses';
  const known = new Set(before.approvers?.map(({ kid }) => kid));
  const others = before.approvers ? (after.approvers ?? []).filter(({ kid }) => !known.has(kid)) : [];
  return [
    ...(removed === '' ? [] : [`Remove the limits of the profile ${name} (${removed})?`]),
    ...(isMoved && kept !== ''
      ? [`The limits of the profile ${name} (${kept}) will no longer hold at ${place}. Change the address?`]
      : []),
    ...raises(`one change of the profile ${name}`, before.maxAmounts, after.maxAmounts),
    ...raises(`one plan of the profile ${name}`, before.maxTotals, after.maxTotals),
    ...(others.length > 0
      ? [`Let ${listValues(approverNames(others))} approve plans of the profile ${name}?`]
      : []),
  ];
}

/** The question about limits that are raised, where some are. */
function raises(
  what: string,
  limits: Profile['maxAmounts'],
  after: Profile['maxAmounts'] = {},
): readonly string[] {
  if (!limits) return [];
  const steps = Object.entries(after)
    .filter(([currency, amount]) => isMore(amount, limits[currency] ?? '0', currency))
    .map(([currency, amount]) => `${currency} from ${limits[currency] ?? 'nothing'} to ${amount}`);
  return steps.length === 0 ? [] : [`Raise what ${what} may move: ${listValues(steps)}?`];
}

/** What cannot be compared counts as more. */
function isMore(amount: string, than: string, currency: string): boolean {
  const [now, was] = [amount, than].map((text) => minorUnits(text, currency));
  return typeof now !== 'bigint' || typeof was !== 'bigint' || now > was;
}
