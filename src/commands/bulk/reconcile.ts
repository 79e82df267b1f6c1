import { string } from '@oclif/core/args';
import { BaseCommand } from '../../cli/base-command.ts';
import { connectionFlags } from '../../cli/flags/global.ts';
import { recordFlags } from '../../cli/flags/list.ts';
import { durationFlag } from '../../cli/flags/types.ts';
import { recordPrinter } from '../../cli/show/show-document.ts';
import { findPlannedOperation, openRowTarget, sessionForRows } from '../../features/api/row-target.ts';
import { journalFlag } from '../../features/bulk/apply/apply-flags.ts';
import { readPlan } from '../../features/bulk/plan-file.ts';
import { runReconcile, SETTLE } from '../../features/bulk/reconcile/run-reconcile.ts';

export default class BulkReconcile extends BaseCommand {
  static override readonly summary = 'Find out what became of rows that may have been carried out.';

  static override readonly description =
    `Sends only reads. A row whose record is found is done. One of which the service provably has nothing is failed, and the next
apply sends it again. Exit codes: 0 all known, 9 some still unknown.`;

  static override readonly args = {
    plan: string({ required: true, description: 'File of the plan.', ignoreStdin: true }),
  };

  static override readonly flags = {
    settle: durationFlag({
      summary: `How long after a row was sent the service may still be carrying it out. Default: ${SETTLE}.`,
      helpGroup: 'CHECKS',
      helpValue: 'DURATION',
    }),
    journal: journalFlag(),
    ...recordFlags(),
    ...connectionFlags(),
  };

  static override readonly examples = [
    {
      description: 'Ask the service about the rows of which nothing was heard:',
      command: 'payctl bulk reconcile refunds.plan',
    },
  ];

  async run(): Promise<number> {
    const { args, flags } = await this.parse(BulkReconcile);
    const plan = await readPlan(args.plan);
    const found = await findPlannedOperation(plan.header, { profile: flags.profile, runtime: this.runtime });
    const session = this.openSession(flags, {
      ...sessionForRows(found),
    });
    const { display } = session;
    const print = await recordPrinter(display, flags);
    const target = await openRowTarget(found, { args: {}, flags: {}, runtime: this.runtime, display });
    const { record, code } = await runReconcile({ plan, target, session, runtime: this.runtime, flags });
    await print(record);
    return code;
  }
}
