import { hash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { isHeldAlone } from '../../../files/kernel-lock.ts';
import { makePrivateDirectory, replaceFile, unwritable } from '../../../files/private-files.ts';
import { stringifyRow } from '../../../json/exact.ts';
import { SeenHashes } from '../../../text/seen-hashes.ts';
import { planLock, readStates } from '../journal.ts';
import { requestOf } from '../plan/check-row.ts';
import { type Plan, planRows } from '../plan-file.ts';

const { existsSync, readdirSync, readFileSync, rmSync, statSync } = process.getBuiltinModule('node:fs');

/** What identifies the requests of a plan, in the order of its rows: the first bytes of a SHA-256 for each, which also covers their destination. */
export type RequestPrints = Buffer;

const PRINT_BYTES = 8;
const ENDING = '.requests';
/** How a row was found in other plans. */
const [ENDED, IN_USE] = [1, 2];
/** The most bytes that are kept of all plans; the oldest go first. */
const MOST_KEPT = 64 * 1_048_576;

/** Reads what identifies the requests of a plan. */
export async function requestPrints({ path, header }: Plan): Promise<RequestPrints> {
  const prints = Buffer.alloc(PRINT_BYTES * header.rows);
  const { command, origin, merchant_account: account } = header;
  const destination = JSON.stringify([command, origin, account]);
  let at = 0;
  for await (const { arguments: given, query, body } of planRows(path)) {
    const texts = {
      path: '',
      query: query && stringifyRow(query),
      body: body === undefined ? undefined : stringifyRow(body),
    };
    const request = requestOf({ path: given, texts });
    at += hash('sha256', destination + request, 'buffer').copy(prints, at, 0, PRINT_BYTES);
  }
  return prints;
}

/** Rows of a plan that other plans have sent; only those of plans that other processes use, where there are any. */
export type SentBefore = {
  readonly rows: number;
  /** The plan that was applied last of these: its path, and when (RFC 3339). */
  readonly path: string;
  readonly at: string;
  /** Whether another process uses that plan: no flag lets its rows be sent. */
  readonly isNow: boolean;
};

/**
 * The rows left of a plan whose requests another plan has sent: those that are done or may have been carried out by its journal, and all of them
 * where its journal is gone or damaged, or the plan is being applied. Undefined where there are none.
 */
export async function sentBefore(
  plan: Plan,
  prints: RequestPrints,
  { directory, isLeft }: { readonly directory: string; readonly isLeft: (row: number) => boolean },
): Promise<SentBefore | undefined> {
  const folder = join(directory, 'applied');
  const own = new SeenHashes();
  const rows = prints.length / PRINT_BYTES;
  const firsts = Uint32Array.from({ length: rows }, (_, row) =>
    isLeft(row + 1) ? (own.addPrint(printOf(prints, row), row + 1) ?? row + 1) : 0,
  );
  const sent = new Uint8Array(rows + 1);
  let last: Omit<SentBefore, 'rows'> | undefined;
  for (const other of existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(ENDING)) : []) {
    const hashOfPlan = other.slice(0, -ENDING.length);
    const found = hashOfPlan === plan.hash ? undefined : readKept(join(folder, other));
    const isNow = mayBeApplied(planLock(directory, hashOfPlan));
    const isSent = found && (isNow ? () => true : await sentRowsOf(found, hashOfPlan));
    let isSame = false;
    for (let row = 0; isSent && row < found.prints.length / PRINT_BYTES; row += 1) {
      const print = printOf(found.prints, row);
      if (!own.hasPrint(print) || !isSent(row + 1)) continue;
      const first = own.addPrint(print, 1) ?? 0;
      sent[first] = Math.max(sent[first] ?? 0, isNow ? IN_USE : ENDED);
      isSame = true;
    }
    if (found && isSame && (!last || (isNow === last.isNow ? found.at > last.at : isNow)))
      last = { path: found.path, at: found.at, isNow };
  }
  const least = last?.isNow ? IN_USE : ENDED;
  return last && { ...last, rows: firsts.filter((first) => (sent[first] ?? 0) >= least).length };
}

/** Whether a plan is being applied, as far as its lock says. A damaged lock counts as held, which blocks only rows that both plans have. */
function mayBeApplied(lock: string): boolean {
  try {
    return isHeldAlone(lock);
  } catch {
    return true;
  }
}

/**
 * Keeps what identifies the requests of a plan that is about to be sent with this journal, for later plans; where nothing is left to send,
 * what was kept when they were sent stays.
 * @throws UsageError `profiles_unwritable`
 */
export function keepPrints(
  plan: Plan,
  prints: RequestPrints,
  { journal, directory, now, isSending }: KeptFor,
): void {
  const folder = join(directory, 'applied');
  const path = join(folder, plan.hash + ENDING);
  const head = { path: resolve(plan.path), journal: resolve(journal), at: now.toISOString() };
  if (!isSending && existsSync(path)) return;
  makePrivateDirectory(folder);
  try {
    replaceFile(path, Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), prints]));
    const kept = readdirSync(folder)
      .filter((name) => name.endsWith(ENDING))
      .map((name) => ({ name: join(folder, name), stats: statSync(join(folder, name)) }))
      .sort((one, other) => other.stats.mtimeMs - one.stats.mtimeMs);
    let bytes = 0;
    for (const { name, stats } of kept) {
      bytes += stats.size;
      if (bytes > MOST_KEPT && name !== path) rmSync(name, { force: true });
    }
  } catch (error) {
    throw unwritable(path, error);
  }
}

type KeptFor = {
  readonly journal: string;
  readonly directory: string;
  readonly now: Date;
  readonly isSending: boolean;
};

type Kept = {
  readonly path: string;
  readonly journal: string;
  readonly at: string;
  readonly prints: RequestPrints;
};

/** What was kept of a plan; undefined where the file is damaged. */
function readKept(path: string): Kept | undefined {
  try {
    const bytes = readFileSync(path);
    const end = bytes.indexOf('\n');
    const { path: plan, journal, at } = JSON.parse(bytes.toString('utf8', 0, end));
    const prints = bytes.subarray(end + 1);
    if (prints.length % PRINT_BYTES !== 0) return undefined;
    return { path: String(plan), journal: String(journal), at: String(at), prints };
  } catch {
    return undefined;
  }
}

/** Tells which rows of a plan were sent. */
async function sentRowsOf(
  { path, journal, prints }: Kept,
  hashOfPlan: string,
): Promise<(row: number) => boolean> {
  if (!existsSync(journal)) return () => true;
  const plan = { path, hash: hashOfPlan, header: { rows: prints.length / PRINT_BYTES } };
  try {
    const states = await readStates(journal, plan);
    return (row) => ['done', 'sending', 'unknown'].includes(states.of(row));
  } catch {
    return () => true;
  }
}

function printOf(prints: RequestPrints, row: number) {
  const at = PRINT_BYTES * row;
  return { high: prints.readInt32LE(at), low: prints.readInt32LE(at + 4) };
}
