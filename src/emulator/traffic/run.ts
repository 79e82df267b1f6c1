import { UsageError } from '../../errors.ts';
import { own } from '../../json/is-object.ts';
import { createRandom } from '../../text/random.ts';
import type { Service } from '../http/handle-request.ts';
import { topLists, unknownList } from '../imported/fill.ts';
import type { ImportedService } from '../imported/imported.ts';
import { insertApiLog } from '../resources/api-logs.ts';
import type { SeededApiLog } from '../seed/api-logs.ts';
import type { EmulatorDatabase } from '../store/database.ts';
import { type ChangingList, createChanger } from './changing-list.ts';
import { CONTRACT_LISTS } from './contract-lists.ts';
import { describedList } from './described-list.ts';
import { createTraffic } from './generate.ts';
import type { TrafficPlan } from './plan.ts';

/** What traffic needs of an emulator. */
type TrafficService = Pick<Service, 'database' | 'imported' | 'now'>;

/**
 * Checks that the lists of a plan exist. The result starts the traffic of an emulator with this base URL, and gives what ends it.
 * @throws UsageError `invalid_traffic`
 */
export async function prepareTraffic(
  service: TrafficService,
  plan: TrafficPlan,
): Promise<(baseUrl: string) => () => void> {
  const names = Object.keys(plan.records);
  const imported = names.length > 0 ? await service.imported?.() : undefined;
  const known = [...Object.keys(CONTRACT_LISTS), ...(imported ? topLists(imported.records).keys() : [])];
  for (const name of names) {
    if (known.includes(name)) continue;
    const { problem, hint } = unknownList(name, known);
    throw new UsageError('invalid_traffic', `--traffic cannot change records: ${problem}`, { hint });
  }
  return (baseUrl) => {
    const ends = names.map((name) => changeRecords(service, plan, name));
    if (plan.rate > 0) ends.push(addLogs({ ...service, plan, baseUrl }));
    return () => {
      for (const end of ends) end();
    };
  };
}

/** The list of a name such as `buyers` or `ledger-entries`; undefined if neither the contract nor the description has it. */
export async function openList(
  database: EmulatorDatabase,
  imported: ImportedService | undefined,
  name: string,
): Promise<ChangingList | undefined> {
  const ofContract = own(CONTRACT_LISTS, name);
  if (ofContract) return ofContract(database);
  const kind = imported && topLists(imported.records).get(name);
  return imported && kind && (await describedList(database, imported, kind));
}

/** What is missed while other work is done is made up for within this time, so that no second has many more changes than the rate. */
const SHORT_LAG_MS = 50;

/** How long changes are made before requests are handled, in milliseconds. */
const TURN_MS = 10;

/**
 * Creates, changes and deletes records of a list at the rate of a plan until the function that it returns is called. A description that
 * replaces the one before has other records; if it has no such list, there are no changes.
 */
function changeRecords(
  { database, imported, now }: TrafficService,
  plan: TrafficPlan,
  name: string,
): () => void {
  const intervalMs = 1000 / (plan.records[name] ?? 1);
  let opened: { readonly imported: ImportedService | undefined; readonly next: Next | undefined } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  let due = performance.now() + intervalMs;
  const open = async () => {
    const current = await imported?.();
    if (opened?.imported === current && opened !== undefined) return opened.next;
    const list = await openList(database, current, name);
    const changes = list && createChanger(list, createRandom(plan.seed, `${name} ${list.rows().at(-1)}`));
    opened = { imported: current, next: list && changes && (() => list.change(() => changes(now()))) };
    due = performance.now() + intervalMs;
    return opened.next;
  };
  const work = async () => {
    // What cannot be opened or written now is tried again.
    const next = await open().catch(() => undefined);
    const end = performance.now() + TURN_MS;
    while (!isOver && next && due <= performance.now() && performance.now() < end) {
      next().catch(() => undefined);
      due = Math.max(due, performance.now() - SHORT_LAG_MS) + intervalMs;
    }
    if (!isOver) timer = setTimeout(work, Math.max(1, Math.min(RETRY_MS, due - performance.now())));
  };
  timer = setTimeout(work, 0);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

type Next = () => Promise<void>;

/** How often the description is asked for. */
const RETRY_MS = 1000;

type LogOptions = {
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
function addLogs({ database, plan, baseUrl, now }: LogOptions): () => void {
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
