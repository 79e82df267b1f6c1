import { boolean } from '@oclif/core/flags';
import { BaseCommand } from '../../cli/base-command.ts';
import { argument } from '../../cli/flags/arguments.ts';
import { recordFlags } from '../../cli/flags/list.ts';
import { textFlag } from '../../cli/flags/types.ts';
import { requireYes } from '../../cli/prompt/prompter.ts';
import type { Display } from '../../cli/show/display.ts';
import { recordPrinter } from '../../cli/show/show-document.ts';
import { readCredentials } from '../../credentials/read.ts';
import { UsageError } from '../../errors.ts';
import { findPlannedOperation, openRowTarget } from '../../features/api/row-target.ts';
import { requireFresh } from '../../features/bulk/apply/apply.ts';
import { addApproval, approvalFile } from '../../features/bulk/apply/approval.ts';
import { requireDerived } from '../../features/bulk/plan/check-plan.ts';
import { type Plan, readPlan } from '../../features/bulk/plan-file.ts';
import { planRecord } from '../../features/bulk/summary.ts';
import type { Target } from '../../features/bulk/target.ts';
import { renderDetail } from '../../output/detail.ts';
import { readSigningKey, type SigningKey } from '../../tokens/keys.ts';
import { secretOf } from '../../tokens/provider.ts';

export default class BulkApprove extends BaseCommand {
  static override readonly summary = 'Approve a plan that another person will apply.';

  static override readonly description =
    `Signs the plan with your private key, and saves the approval next to the plan. Nothing is sent. To require approvals, list the
keys of the approvers in the profile with profiles set --approvers.`;

  static override readonly args = {
    plan: argument('Plan file.'),
  };

  static override readonly flags = {
    'key-file': textFlag({
      summary: 'File with your private key (PEM).',
      helpValue: 'FILE',
    }),
    yes: boolean({ char: 'y', summary: 'Do not ask before approving.' }),
    ...recordFlags(),
  };

  static override readonly examples = [
    {
      description: 'Review a plan and approve it:',
      command: 'payctl bulk approve refunds.plan --key-file second-person.pem',
    },
  ];

  async run(): Promise<void> {
    const { args, flags } = await this.parse(BulkApprove);
    const display = this.openDisplay(flags);
    const print = await recordPrinter(display, flags);
    const plan = await readPlan(args.plan);
    requireFresh(plan, Date.now());
    await this.#compare(plan, display);
    if (flags['key-file'] === undefined) {
      throw new UsageError('missing_flag', 'Missing flag --key-file', {
        hint: 'Add --key-file FILE with your private key.',
      });
    }
    const key = await this.#readKey(flags['key-file'], display);
    if (!flags.yes) await this.#ask(plan, key, display);
    const isNew = await addApproval(plan, key, new Date());
    await print({ plan: plan.path, sha256: plan.hash, key_id: key.keyId, approval: approvalFile(plan) });
    if (!isNew) display.info('This key had already approved the plan.');
    this.#warnOfOthers(plan, key, display);
  }

  /** Compares the plan with its requests, where the description that it was made with is known here. @throws UsageError `plan_changed` */
  async #compare(plan: Plan, display: Display): Promise<void> {
    const target = await this.#targetOf(plan, display).catch((error: unknown) => {
      if (!(error instanceof UsageError)) throw error;
    });
    const isKnown = target !== undefined && (target.description ?? null) === plan.header.description;
    await requireDerived(plan, isKnown ? target : undefined);
    if (isKnown) return;
    const message =
      'The totals were not compared with the requests, because the API description of the plan is not known here. payctl bulk apply compares them.';
    display.warn('plan_not_compared', message);
  }

  async #targetOf({ header }: Plan, display: Display): Promise<Target> {
    const { profile: name, content_type: type } = header;
    const profile = name !== null && this.configuration.profiles.profiles.has(name) ? name : undefined;
    const found = await findPlannedOperation(header, { profile, runtime: this.runtime });
    const flags = type === null ? {} : { 'content-type': type };
    return await openRowTarget(found, { args: {}, flags, runtime: this.runtime, display });
  }

  async #readKey(path: string, display: Display): Promise<SigningKey> {
    const origin = `--key-file (${path})`;
    const source = { kind: 'key', storage: 'reference', path, origin } as const;
    const warn = (message: string) => display.warn('secret_file_open', message);
    const credentials = await readCredentials(source, undefined, { warn, signal: this.runtime.signal });
    display.addSecret(secretOf(credentials));
    return await readSigningKey(secretOf(credentials), { origin });
  }

  async #ask(plan: Plan, { keyId }: SigningKey, display: Display): Promise<void> {
    const prompter = await this.runtime.prompter();
    if (prompter) {
      const width = display.stderrTerminal.width;
      await display.stderr.write(renderDetail(planRecord(plan), { width }));
    }
    await requireYes(prompter, `Approve this plan with the key ${keyId}?`, {
      message: `The plan ${plan.path} was not approved`,
      hint: 'Add --yes to approve it without confirmation.',
    });
  }

  /** Says so where the profile of the plan is known here and lists other keys: whoever applies it would find out later. */
  #warnOfOthers({ header: { profile: name } }: Plan, { keyId }: SigningKey, display: Display): void {
    const profile = name === null ? undefined : this.configuration.profiles.profiles.get(name);
    if (!profile?.approvers || profile.approvers.some(({ kid }) => kid === keyId)) return;
    display.warn(
      'not_an_approver',
      `The key ${keyId} does not belong to an approver of the profile ${name}.`,
    );
  }
}
