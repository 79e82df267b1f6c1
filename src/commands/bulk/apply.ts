import { BaseCommand } from '../../cli/base-command.ts';
import { argument } from '../../cli/flags/arguments.ts';
import { connectionFlags } from '../../cli/flags/global.ts';
import { recordFlags } from '../../cli/flags/list.ts';
import { recordPrinter } from '../../cli/show/show-document.ts';
import { findPlannedOperation, openRowTarget, sessionForRows } from '../../features/api/row-target.ts';
import { applyFlags } from '../../features/bulk/apply/apply-flags.ts';
import { runApply } from '../../features/bulk/apply/run-apply.ts';
import { requireDerived } from '../../features/bulk/plan/check-plan.ts';
import { readPlan } from '../../features/bulk/plan-file.ts';

export default class BulkApply extends BaseCommand {
  static override readonly summary = 'Send the rows of a plan, each exactly once.';

  static override readonly description =
    `A journal next to the plan records the state of each row. To continue after an interruption, run the command again: rows that
are done are not sent again. Exit codes: 0 all done, 6 some refused, 8 some failed, 9 some unknown.`;

  static override readonly args = {
    plan: argument('Plan file.'),
  };

  static override readonly flags = { ...applyFlags(), ...recordFlags(), ...connectionFlags() };

  static override readonly examples = [
    { description: 'Send a plan after confirmation:', command: 'payctl bulk apply refunds.plan' },
    {
      description: 'Send 10 rows, review them, and send the rest at no more than 20 per second:',
      command: 'payctl bulk apply refunds.plan --canary 10 --rate 20',
    },
  ];

  async run(): Promise<number> {
    const { args, flags } = await this.parse(BulkApply);
    const plan = await readPlan(args.plan);
    const { content_type: contentType } = plan.header;
    const found = await findPlannedOperation(plan.header, { profile: flags.profile, runtime: this.runtime });
    const session = this.openSession(flags, {
      isBatch: true,
      ...sessionForRows(found),
    });
    const { display } = session;
    const print = await recordPrinter(display, flags);
    const target = await openRowTarget(found, {
      args: {},
      flags: contentType === null ? {} : { 'content-type': contentType },
      runtime: this.runtime,
      display,
    });
    await requireDerived(plan, target);
    const { record, code } = await runApply({ plan, target, session, runtime: this.runtime, flags });
    await print(record);
    return code;
  }
}
