import { BaseCommand } from '../../cli/base-command.ts';
import { argument } from '../../cli/flags/arguments.ts';
import { recordFlags } from '../../cli/flags/list.ts';
import { recordPrinter } from '../../cli/show/show-document.ts';
import { journalFlag } from '../../features/bulk/apply/apply-flags.ts';
import { journalPath, readStates } from '../../features/bulk/journal.ts';
import { readPlan } from '../../features/bulk/plan-file.ts';
import { stateRecord } from '../../features/bulk/summary.ts';

export default class BulkStatus extends BaseCommand {
  static override readonly summary = 'Show the progress of a plan. Nothing is sent.';

  static override readonly args = {
    plan: argument('Plan file.'),
  };

  static override readonly flags = { journal: journalFlag(), ...recordFlags() };

  static override readonly examples = [
    { description: 'Show how many rows are done:', command: 'payctl bulk status refunds.plan' },
  ];

  async run(): Promise<void> {
    const { args, flags } = await this.parse(BulkStatus);
    const display = this.openDisplay(flags);
    const print = await recordPrinter(display, flags);
    const plan = await readPlan(args.plan);
    const journal = flags.journal ?? journalPath(plan.path);
    const states = await readStates(journal, plan);
    await print(await stateRecord(plan, states, journal));
  }
}
