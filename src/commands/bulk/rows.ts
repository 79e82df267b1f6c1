import { BaseCommand } from '../../cli/base-command.ts';
import { argument } from '../../cli/flags/arguments.ts';
import { recordFlags } from '../../cli/flags/list.ts';
import { namesFlag } from '../../cli/flags/types.ts';
import { statusTone } from '../../cli/show/cells.ts';
import { showRecords } from '../../cli/show/show-document.ts';
import { isExpired } from '../../features/bulk/apply/apply.ts';
import { journalFlag } from '../../features/bulk/apply/apply-flags.ts';
import { csvRecord } from '../../features/bulk/csv-file.ts';
import { journalPath } from '../../features/bulk/journal.ts';
import { readPlan } from '../../features/bulk/plan-file.ts';
import { type RowResult, resultRecord, rowResults } from '../../features/bulk/results.ts';
import type { Column } from '../../output/columns.ts';
import { sanitizeText } from '../../output/sanitize.ts';
import { listValues } from '../../text/format.ts';
import { shellQuote } from '../../text/shell.ts';

const STATES = ['pending', 'done', 'refused', 'failed', 'unknown'] as const;

export default class BulkRows extends BaseCommand {
  static override readonly summary = 'List the rows of a plan and their states.';

  static override readonly description =
    `With -o csv, the output has the columns and values of the input, so that you can correct the rows and plan them again.
--state refused,failed never includes a row that may have been carried out.`;

  static override readonly args = {
    plan: argument('Plan file.'),
  };

  static override readonly columns = [
    { header: 'ROW KEY', path: 'row_key', priority: 10 },
    { header: 'STATE', path: 'state', priority: 10, tone: statusTone('state') },
    { header: 'RECORD', path: 'record', format: 'id', shortens: true, priority: 9 },
    { header: 'AMOUNT', path: 'moves', format: 'number', priority: 9 },
    { header: 'STATUS', path: 'status', format: 'number', priority: 7 },
    { header: 'CODE', path: 'code', minWidth: 16, priority: 6 },
    { header: 'MESSAGE', path: 'message', minWidth: 20, goodWidth: 30, priority: 8 },
    { header: 'LINE', path: 'line', format: 'number', priority: 4 },
    { header: 'NEW ID', path: 'id', shortens: true, priority: 5 },
  ] as const satisfies readonly Column[];

  static override readonly flags = {
    state: namesFlag(STATES)({ summary: `Only rows in these states: ${listValues(STATES)}.` }),
    journal: journalFlag(),
    ...recordFlags(),
  };

  static override readonly examples = [
    {
      description: 'Save the refused rows, to correct them:',
      command: 'payctl bulk rows refunds.plan --state refused -o csv > again.csv',
    },
  ];

  async run(): Promise<void> {
    const { args, flags } = await this.parse(BulkRows);
    const display = this.openDisplay(flags);
    const states = new Set<string>(flags.state);
    const plan = await readPlan(args.plan);
    const results = await rowResults(plan, flags.journal ?? journalPath(plan.path));
    const isWanted = ({ state }: RowResult) => states.size === 0 || states.has(state);
    // The table that people correct goes back into a plan: its cells are those of the input.
    if (display.format.takesBom && !flags.columns) {
      const { columns, key_column: key } = plan.header;
      let again = 0;
      const others = columns.flatMap((name, index) => (name === key ? [] : [{ name, index }]));
      const { isTerminal } = display.stdoutTerminal;
      const write = (values: readonly unknown[]) => {
        const text = csvRecord(values);
        return display.stdout.write(isTerminal ? `${sanitizeText(text.trimEnd())}\n` : text);
      };
      if (!flags['no-header']) await write(['row_key', ...others.map(({ name }) => name)]);
      for await (const result of results) {
        if (!isWanted(result)) continue;
        const { key: rowKey, input } = result.row;
        await write([rowKey, ...others.map(({ index }) => input[index])]);
        if (result.state === 'failed' || result.state === 'pending') again += 1;
      }
      // An expired plan is not applied any more.
      if (states.size > 0 && again > 0 && !isExpired(plan, Date.now())) {
        const [rows, them] = again === 1 ? ['1 row is', 'it'] : [`${again} rows are`, 'them'];
        const next = `payctl bulk apply ${shellQuote(plan.path)}`;
        const message = `${rows} also sent by the next ${next}: plan ${them} anew, or apply that plan, not both.`;
        display.warn('rows_sent_again', message, { rows: again });
      }
      return;
    }
    const found: ReturnType<typeof resultRecord>[] = [];
    for await (const result of results) if (isWanted(result)) found.push(resultRecord(result));
    await showRecords(display, found, { flags, columns: BulkRows.columns });
    if (found.length === 0 && display.format.isForPeople)
      display.info(`No rows match --state ${[...states].join(',')}.`);
  }
}
