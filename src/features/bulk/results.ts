import { csvLine } from '../../output/formats/csv.ts';
import { openLineFile } from './csv-file.ts';
import { type JournalLine, type LastLines, openLastLines, type RowState } from './journal.ts';
import { readTotals, totalsText } from './money-totals.ts';
import { type Plan, type PlanRow, planRows } from './plan-file.ts';

/** A row of a plan and its state. */
export type RowResult = {
  readonly row: PlanRow;
  readonly line: JournalLine | undefined;
  readonly state: RowState;
};

/** All rows of a plan in their order, each with the last that is known about it; the journal is read before the first. @throws UsageError `journal_unreadable` */
export async function rowResults(
  plan: Plan,
  journal: string,
): Promise<AsyncGenerator<RowResult, void, undefined>> {
  return resultsBy(plan, await openLastLines(journal, plan));
}

async function* resultsBy(
  plan: Plan,
  lines: LastLines | undefined,
): AsyncGenerator<RowResult, void, undefined> {
  try {
    for await (const row of planRows(plan.path)) {
      const line = await lines?.of(row.row);
      const state = line?.state ?? 'pending';
      // A row that a run left in flight may have been carried out.
      yield { row, line, state: state === 'sending' ? 'unknown' : state };
    }
  } finally {
    await lines?.close();
  }
}

/** What became of a row, as it is listed; without personal data that the input did not have. */
export function resultRecord({ row, line, state }: RowResult) {
  return {
    row_key: row.key,
    line: row.line,
    record: [Object.values(row.arguments).at(-1) ?? null].flat().join(' ') || null,
    moves: row.moves ? totalsText(readTotals(row.moves)) : null,
    state,
    status: line?.status ?? null,
    id: line?.id ?? null,
    record_status: line?.record_status ?? null,
    code: line?.code ?? null,
    message: line?.message ?? null,
    pointer: line?.pointer ?? null,
    request_id: line?.request_id ?? null,
    attempts: line?.attempt ?? null,
    milliseconds: line?.milliseconds ?? null,
    at: line?.at ?? null,
  };
}

/** Writes what became of each row as CSV for people: with text of the service, which must not run as a formula. @throws UsageError `file_exists`, `file_unwritable` */
export async function writeResults(
  path: string,
  plan: Plan,
  journal: string,
  options: { readonly overwrite: boolean },
): Promise<void> {
  const results = await rowResults(plan, journal);
  const file = await openLineFile(path, options);
  try {
    let isFirst = true;
    for await (const result of results) {
      const record = resultRecord(result);
      if (isFirst) file.add(csvLine(Object.keys(record), false));
      isFirst = false;
      file.add(csvLine(Object.values(record), false));
    }
  } finally {
    file.close();
  }
}
