import { insertApiLog } from '../resources/api-logs.ts';
import type { SeededApiLog } from '../seed/api-logs.ts';
import type { EmulatorDatabase } from '../store/database.ts';
import { createTraffic } from './generate.ts';
import type { TrafficPlan } from './plan.ts';

type TrafficOptions = {
  readonly database: EmulatorDatabase;
  readonly plan: TrafficPlan;
  readonly baseUrl: string;
  readonly now: () => Date;
};

const LONGEST_LAG_MS = 1000;

/**
 * Adds the failing requests of a plan to the API logs until the function that it returns is called. Each is stamped with the
 * millisecond in which it is written, unless it is late.
 */
export function startTraffic({ database, plan, baseUrl, now }: TrafficOptions): () => void {
  const moments = createTraffic(plan, { run: lastSequence(database), baseUrl, buyerId: findBuyer(database) });
  let timer: NodeJS.Timeout | undefined;
  let upcoming = moments.next().value;
  let due = performance.now() + upcoming.delayMs;
  const work = () => {
    while (due <= performance.now()) {
      record(database, upcoming.logsAt(now().getTime()));
      upcoming = moments.next().value;
      // What was missed while the process was stopped is not made up for.
      due = Math.max(due, performance.now() - LONGEST_LAG_MS) + upcoming.delayMs;
    }
    timer = setTimeout(work, Math.max(0, due - performance.now()));
  };
  timer = setTimeout(work, upcoming.delayMs);
  return () => clearTimeout(timer);
}

function record(database: EmulatorDatabase, logs: readonly SeededApiLog[]): void {
  try {
    database.inTransaction(() => {
      for (const { log, merchantAccount } of logs) insertApiLog(database, log, merchantAccount);
    });
  } catch {
    // A full disk or a locked database costs these logs, never the emulator.
  }
}

function lastSequence(database: EmulatorDatabase): string {
  return String(database.prepare('SELECT max(sequence) AS last FROM api_logs').get()?.last);
}

function findBuyer(database: EmulatorDatabase): string | undefined {
  const sql = `SELECT id FROM buyers WHERE merchant_account_id = 'default' ORDER BY created_ms LIMIT 1`;
  const id = database.prepare(sql).get()?.id;
  return typeof id === 'string' ? id : undefined;
}
