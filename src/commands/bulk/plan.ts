import { boolean } from '@oclif/core/flags';
import { BaseCommand } from '../../cli/base-command.ts';
import { connectionFlags } from '../../cli/flags/global.ts';
import { recordFlags } from '../../cli/flags/list.ts';
import { inGroup, integerFlag, textFlag } from '../../cli/flags/types.ts';
import { recordPrinter } from '../../cli/show/show-document.ts';
import { findRowOperation, openRowTarget, sessionForRows } from '../../features/api/row-target.ts';
import { commandFor } from '../../features/bulk/destination.ts';
import {
  checkFlags,
  missingFlag,
  rowArgs,
  rowFlags,
  rowParse,
  shownBy,
} from '../../features/bulk/plan/plan-flags.ts';
import { runPlan } from '../../features/bulk/plan/run-plan.ts';
import { planRecord } from '../../features/bulk/summary.ts';

export default class BulkPlan extends BaseCommand {
  static override readonly summary = 'Check a table of changes and write a plan. Nothing is changed.';

  static override readonly description =
    `COMMAND is any command that changes something, built in or imported, with the flags that all rows share. Each
column of the table is an argument, a flag or a field of the body.`;

  static override readonly args = rowArgs();

  static override readonly flags = {
    ...rowFlags(),
    ...inGroup('ROWS', {
      out: textFlag({ summary: 'Write the plan to this file.', helpValue: 'FILE' }),
      overwrite: boolean({ summary: 'Replace the files of --out and --refused.' }),
    }),
    ...checkFlags(),
    concurrency: integerFlag({
      min: 1,
      max: 64,
      default: 8,
      summary: 'Maximum number of records to read at the same time.',
      helpGroup: 'CHECKS',
      helpValue: 'N',
    }),
    ...recordFlags(),
    ...connectionFlags(),
  };

  static override readonly strict = false;

  static override readonly examples = [
    {
      description: 'Plan a shipping detail for each row of a spreadsheet:',
      command:
        'payctl bulk plan buyers shipping-details create --from shipping.csv --out shipping.plan --profile emulator',
    },
  ];

  async run(): Promise<void> {
    const found = await findRowOperation(this.argv, this.runtime);
    const { flags, args } = await this.parse(...rowParse(found, BulkPlan));
    const session = this.openSession(flags, sessionForRows(found));
    const { display } = session;
    const print = await recordPrinter(display, shownBy(flags));
    const target = await openRowTarget(found, { args, flags, runtime: this.runtime, display });
    const { out } = flags;
    if (out === undefined) throw missingFlag('out');
    const plan = await runPlan({ target, session, runtime: this.runtime, flags: { ...flags, out } });
    await print(planRecord(plan));
    display.info(`Nothing was sent. To send the plan: ${commandFor('apply', plan)}`);
  }
}
