import { BaseCommand } from '../../cli/base-command.ts';
import { argument } from '../../cli/flags/arguments.ts';
import { connectionFlags } from '../../cli/flags/global.ts';
import { recordFlags } from '../../cli/flags/list.ts';
import { durationFlag, repeatable, textFlag } from '../../cli/flags/types.ts';
import { recordPrinter } from '../../cli/show/show-document.ts';
import { findPlannedOperation, openRowTarget, sessionForRows } from '../../features/api/row-target.ts';
import { journalFlag } from '../../features/bulk/apply/apply-flags.ts';
import { readPlan } from '../../features/bulk/plan-file.ts';
import { runReconcile, SETTLE } from '../../features/bulk/reconcile/run-reconcile.ts';

export default class BulkReconcile extends BaseCommand {
  static override readonly summary = 'Find out whether rows without a response were carried out.';

  static override readonly description =
    `Only reads from the service. A row is done if its record is found. A row is failed if it was certainly not carried out; the
next bulk apply sends it again. Exit codes: 0 no row is unknown, 9 some rows are still unknown.`;

  static override readonly args = {
    plan: argument('Plan file.'),
  };

  static override readonly flags = {
    row: textFlag({
      summary:
        'Record what you found out about an unknown row yourself: done or failed. KEY is its row key, else its line. Nothing is read from the service. Can be repeated.',
      helpGroup: 'CHECKS',
      helpValue: 'KEY=done|failed',
      ...repeatable,
    }),
    settle: durationFlag({
      summary: `How long the service may take to carry out a row after it was sent. Default: ${SETTLE}.`,
      helpGroup: 'CHECKS',
      helpValue: 'DURATION',
    }),
    journal: journalFlag(),
    ...recordFlags(),
    ...connectionFlags(),
  };

  static override readonly examples = [
    {
      description: 'Look up the rows without a response:',
      command: 'payctl bulk reconcile refunds.plan',
    },
    {
      description: 'Record that the service shows the refund of a row:',
      command: 'payctl bulk reconcile refunds.plan --row order-17=done',
    },
  ];

  async run(): Promise<number> {
    const { args, flags } = await this.parse(BulkReconcile);
    const plan = await readPlan(args.plan);
    const found = await findPlannedOperation(plan.header, { profile: flags.profile, runtime: this.runtime });
    const session = this.openSession(flags, sessionForRows(found));
    const { display } = session;
    const print = await recordPrinter(display, flags);
    const target = await openRowTarget(found, { args: {}, flags: {}, runtime: this.runtime, display });
    const { record, code } = await runReconcile({ plan, target, session, runtime: this.runtime, flags });
    await print(record);
    return code;
  }
}
