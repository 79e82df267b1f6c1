import { nameOfSource, type SettingSource } from '../../config/setting-source.ts';
import type { ListId, Outcome } from './ask-lists.ts';
import { fault, ok, skipped, type Verdict } from './finding.ts';

/** The answers to the same calls with the merchant account and, where those were refused, without it. */
export type Comparison = {
  readonly withAccount: ReadonlyMap<ListId, Outcome>;
  readonly withoutAccount: ReadonlyMap<ListId, Outcome>;
};

/** A merchant account and where it was chosen. */
export type ChosenAccount = { readonly id: string; readonly source: SettingSource };

/** Answers that a merchant account can be the reason of. */
const REFUSALS = new Set([400, 401, 403, 404, 422]);

/** Whether a call has to be made again without the merchant account, to see whose fault its answer is. */
export function isRefusal({ status, error }: Outcome): boolean {
  return error !== undefined && status !== undefined && REFUSALS.has(status);
}

/** Judges a merchant account: it is at fault where nothing is answered with it, and something without it. */
export function judgeMerchantAccount({ id, source }: ChosenAccount, comparison: Comparison): Verdict {
  const { withAccount, withoutAccount } = comparison;
  const chosen = `${id} (${nameOfSource(source)})`;
  const facts = { merchant_account: id, source: nameOfSource(source) };
  if ([...withAccount.values()].some(({ error }) => !error)) {
    return ok(`the service accepts ${chosen}`, { ...facts, accepted: true });
  }
  const [refused] = [...withoutAccount].filter(([, { error }]) => !error).map(([list]) => list);
  if (refused === undefined)
    return skipped(`${chosen} could not be tried: no list can be read without it either`);
  const status = withAccount.get(refused)?.status;
  return fault(
    `the service refuses ${chosen}: it answers ${status} with it and succeeds without it`,
    remedyFor(source),
    { ...facts, accepted: false },
  );
}

function remedyFor(source: SettingSource): string {
  if (source.kind === 'environment') return `Give ${source.name} the id of another one, or unset it.`;
  if (source.kind === 'profile') {
    return `Choose another one: payctl profiles set ${source.name} --merchant-account ID`;
  }
  return `Give ${nameOfSource(source)} the id of another one, or leave it out.`;
}
