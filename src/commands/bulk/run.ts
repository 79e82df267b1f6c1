import { boolean } from '@oclif/core/flags';
import { BaseCommand } from '../../cli/base-command.ts';
import { connectionFlags } from '../../cli/flags/global.ts';
import { recordFlags } from '../../cli/flags/list.ts';
import { textFlag } from '../../cli/flags/types.ts';
import { refuseChange } from '../../cli/session/read-only.ts';
import { recordPrinter } from '../../cli/show/show-document.ts';
import { findRowOperation, openRowTarget, sessionForRows } from '../../features/api/row-target.ts';
import { applyFlags } from '../../features/bulk/apply/apply-flags.ts';
import { runApply } from '../../features/bulk/apply/run-apply.ts';
import {
  checkFlags,
  planPathFor,
  rowArgs,
  rowFlags,
  rowParse,
  shownBy,
} from '../../features/bulk/plan/plan-flags.ts';
import { runPlan } from '../../features/bulk/plan/run-plan.ts';

/** The flags that the help of this command lists. The help of `plan` and `apply` lists all of them. */
const NAMED = new Set([
  ...['from', 'map', 'ignore-column', 'amounts', 'expect-total', 'no-preflight'],
  ...['yes', 'rate', 'concurrency', 'canary', 'results'],
]);

export default class BulkRun extends BaseCommand {
  static override readonly summary = 'Plan a table of changes, ask for confirmation, and send them.';

  static override readonly description =
    `Combines payctl bulk plan and payctl bulk apply, and takes the flags of both. The plan is written next to the table. To continue
an interrupted run, use payctl bulk apply. If the profile requires an approval, run the two commands separately.`;

  static override readonly args = rowArgs();

  static override readonly flags = {
    ...shortened({ ...rowFlags(), ...checkFlags(), ...applyFlags() }),
    out: textFlag({
      summary: 'Write the plan to this file. Default: the path of the table followed by .plan.',
      helpGroup: 'ROWS',
      helpValue: 'FILE',
    }),
    overwrite: boolean({
      summary: 'Replace the files of --out, --refused and --results.',
      helpGroup: 'SENDING',
    }),
    ...recordFlags(),
    ...connectionFlags(),
  };

  static override readonly strict = false;

  static override readonly examples = [
    {
      description: 'Add a shipping detail for each row of a spreadsheet:',
      command: 'payctl bulk run buyers shipping-details create --from shipping.csv --profile emulator',
    },
  ];

  async run(): Promise<number> {
    const found = await findRowOperation(this.argv, this.runtime);
    const { flags, args } = await this.parse(...rowParse(found, BulkRun));
    const session = this.openSession(flags, {
      isBatch: true,
      ...sessionForRows(found),
    });
    refuseChange(session.settings);
    const { display } = session;
    const print = await recordPrinter(display, shownBy(flags));
    const target = await openRowTarget(found, { args, flags, runtime: this.runtime, display });
    const out = flags.out ?? planPathFor(flags.from);
    const plan = await runPlan({ target, session, runtime: this.runtime, flags: { ...flags, out } });
    const { record, code } = await runApply({ plan, target, session, runtime: this.runtime, flags });
    await print(record);
    return code;
  }
}

function shortened<T extends Record<string, object>>(flags: T): T {
  for (const [name, flag] of Object.entries(flags))
    if (!NAMED.has(name)) Object.assign(flag, { hidden: true });
  return flags;
}
