import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { mayRefuseCursor } from '../../cli/failure/incomplete-list-error.ts';
import { DataMasker } from '../../cli/secrets/mask.ts';
import type { Session } from '../../cli/session/session.ts';
import { pagingUnknown } from '../../cli/show/list-end.ts';
import type { Position } from '../../cli/show/list-failure.ts';
import { unfollowed } from '../../cli/show/show-list.ts';
import { limitYoungHeap } from '../../cli/show/young-heap.ts';
import { parseHttpDate } from '../../client/http-date.ts';
import { Pace } from '../../client/pace.ts';
import type { FetchedPage, PageQuery } from '../../client/page.ts';
import { updatedFilterOf } from '../../descriptions/time-filters.ts';
import { UsageError } from '../../errors.ts';
import { type HeldLock, lockAlone } from '../../files/kernel-lock.ts';
import { createListPage } from '../../output/list-page.ts';
import { quote } from '../../text/format.ts';
import type { CopiedPage, Counts, Pass } from './copy-list.ts';
import { type CopySettings, type ListEntry, type PartEntry, STATE_FILE } from './manifest.ts';
import { CopyState, isCopyBegun, readHolder, stateError } from './state.ts';
import { type CopyTarget, queryFrom } from './target.ts';
import { CopyThread, ThreadedCopy } from './threaded-copy.ts';

/** A copy that this process alone may change. */
export type OpenCopy = { readonly state: CopyState; close(): void };

const LOCK_FILE = '.lock';

/**
 * Opens the state of the copy in a directory, which is made if `isNew`, and locks it.
 * @throws UsageError `copy_in_use`, `not_empty`, `file_unwritable`
 */
export function openCopy(directory: string, { isNew }: { readonly isNew: boolean }): OpenCopy {
  let lock: HeldLock | undefined;
  try {
    if (isNew) {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      requireEmpty(directory);
    }
    lock = lockOf(directory);
    const state = new CopyState(directory);
    state.claim();
    const held = lock;
    return {
      state,
      close() {
        state.close();
        held.release();
      },
    };
  } catch (error) {
    lock?.release();
    throw error instanceof UsageError ? error : stateError(directory, error);
  }
}

function requireEmpty(directory: string): void {
  const names = readdirSync(directory).filter((name) => name !== LOCK_FILE);
  const isCopy = names.includes(STATE_FILE);
  if (isCopy) lockOf(directory).release();
  // An export that was killed before it had begun leaves an empty state.
  const isBegun = isCopy && isCopyBegun(directory);
  if (!isBegun && names.every((name) => name.startsWith(STATE_FILE))) return;
  throw new UsageError('not_empty', `The directory ${quote(directory)} is not empty`, {
    hint: isBegun
      ? 'It holds an export. To continue it, use --resume in place of --to; otherwise choose another directory.'
      : 'Choose another directory.',
  });
}

/** @throws UsageError `copy_in_use` */
function lockOf(directory: string): HeldLock {
  const lock = lockAlone(join(directory, LOCK_FILE));
  if (lock === undefined) throw inUse(directory);
  return lock;
}

function inUse(directory: string): UsageError {
  const holder = readHolder(directory);
  const who = holder ? ` (process ${holder.process} on ${holder.host}, since ${holder.since})` : '';
  return new UsageError('copy_in_use', `Another payctl${who} is writing to ${quote(directory)}`, {
    hint: 'Wait until it ends.',
  });
}

/** A list of a run: its state in the copy, and how it is read. */
export type ListJob = {
  /** Its place in the copy, from 0. */
  readonly number: number;
  readonly entry: ListEntry;
  readonly target: CopyTarget;
  readonly pass: Pass;
  readonly query: PageQuery;
  /** False where only what has changed is asked for. */
  readonly readsAll: boolean;
};

/** A list after a run, and what the run has found. */
export type ListResult = CopiedList & {
  readonly counts: Counts;
};

/** A list of a copy after a run. */
export type CopiedList = {
  readonly entry: ListEntry;
  /** Its parts in the copy, also those of earlier runs. */
  readonly parts: readonly PartEntry[];
  /** Why it is not whole. */
  readonly error: unknown;
};

/** How the lists of a copy are read and written. */
export type CopyRun = {
  readonly session: Session;
  readonly state: CopyState;
  readonly directory: string;
  readonly settings: CopySettings;
  /** The most lists that are read at the same time. */
  readonly concurrency?: number | undefined;
  /** The most requests in any second. */
  readonly rate?: number | undefined;
};

/** Reads the lists, a few at a time, and writes their parts. A list that fails does not end the others; an interruption does. */
export async function copyLists(jobs: readonly ListJob[], run: CopyRun): Promise<readonly ListResult[]> {
  if (jobs.length === 0) return [];
  const { session, state, concurrency = 4, directory, settings } = run;
  const { progress } = session.display;
  const pace = new Pace(run.rate);
  const thread = new CopyThread({ directory, settings });
  const copies = new Map(jobs.map((job) => [job, new ThreadedCopy(thread, job.number, job.entry)]));
  const errors = new Map<ListJob, unknown>();
  const waiting = [...copies];
  const started = performance.now();
  progress.start(() => progressText([...copies.values()], performance.now() - started));
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [job, copy] = next;
      await copyOne(job, copy, run, pace).catch(async (error: unknown) => {
        await copy.fail();
        errors.set(job, error);
      });
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(concurrency, jobs.length) }, work));
  } finally {
    await thread.close();
    await progress.stop();
  }
  const lists = state.lists();
  return [...copies].map(([job, { entry, counts }]) => ({
    entry,
    parts: lists[job.number]?.parts() ?? [],
    counts,
    error: errors.get(job),
  }));
}

/** @throws the errors of the service and of the disk */
async function copyOne(job: ListJob, copy: ThreadedCopy, run: CopyRun, pace: Pace): Promise<void> {
  const { entry, pass } = job;
  const wasBegun = entry.cursor !== null && pass.syncedAt === undefined;
  await copy.begin(pass);
  try {
    await readInto(copy, job, run, pace);
  } catch (error) {
    if (!wasBegun || !mayRefuseCursor(error) || !(await beginsAgain(job, copy, run, pace))) throw error;
    run.session.display.warn(
      'list_restarted',
      `The service no longer accepts the cursor of ${quote(entry.resource)}, so the list begins again.`,
    );
    await copy.begin(pass, 'restart');
    await readInto(copy, job, run, pace);
  }
}

/** Whether nothing was read from where the list was continued, and its first page can be read. */
async function beginsAgain(job: ListJob, copy: ThreadedCopy, run: CopyRun, pace: Pace): Promise<boolean> {
  if (copy.entry.cursor !== job.entry.cursor) return false;
  for await (const _page of pagesOf(job, run, { pace, query: job.query })) return true;
  return false;
}

async function readInto(copy: ThreadedCopy, job: ListJob, run: CopyRun, pace: Pace): Promise<void> {
  const { target, pass, readsAll } = job;
  const isExport = pass.syncedAt === undefined;
  if (!isExport || copy.entry.ended_at === null) {
    const cursor = isExport ? (copy.entry.cursor ?? undefined) : undefined;
    for await (const { texts, ...page } of pagesOf(job, run, { pace, query: { ...job.query, cursor } }))
      await copy.add(texts, page);
    if (isExport) await copy.endReading();
  }
  const filter = isExport ? updatedFilterOf(target.operation) : undefined;
  const { service_started_at: started } = copy.entry;
  if (filter && started !== null) {
    const query = { ...job.query, ...queryFrom(filter, Date.parse(started) - CLOCK_MS) };
    for await (const { texts, ...page } of pagesOf(job, run, { pace, query }))
      await copy.addChanged(texts, page);
  }
  await copy.finish(readsAll);
}

/** How far the clocks of a service's machines may differ, in milliseconds. */
const CLOCK_MS = 60_000;

type Asked = { readonly pace: Pace; readonly query: PageQuery };

async function* pagesOf(
  { entry, target }: ListJob,
  { session, settings }: CopyRun,
  { pace, query }: Asked,
): AsyncGenerator<CopiedPage, void, undefined> {
  const { operation, run } = target;
  const { personalData, personalByName } = operation;
  const revealPii = settings.personal_data === 'revealed';
  const flags = { 'reveal-pii': revealPii, 'reveal-secrets': settings.secrets === 'revealed' };
  const masker = new DataMasker(session.display, flags, { personalData, personalByName });
  const client = await session.client();
  const list = client.list(operation, {
    pagedBy: operation.isOwn ? undefined : 'description',
    merchantAccount: entry.merchant_account ?? undefined,
    pace,
  });
  const position: Omit<Position, 'repeated'> = { pages: 0, items: 0, cursor: query.cursor };
  let latest: FetchedPage<unknown> | undefined;
  for await (const page of list.fetch(query, {
    revealPii,
    readPage: ({ text }) => masker.page(text),
    signal: session.signal,
  })) {
    latest = page;
    if (position.pages > 0) limitYoungHeap();
    position.pages += 1;
    position.items += page.count;
    position.cursor = page.next.cursor || null;
    position.next = page.next;
    const { text } = page.response;
    const parts = page.parts ?? masker.page(text) ?? masker.mask(text).text;
    const shown = createListPage(parts, { length: page.count });
    const sentAt = parseHttpDate(page.response.headers.date ?? '', Date.now());
    yield { texts: shown.texts(), cursor: position.cursor, sentAt };
  }
  const problem = unfollowed(run, position);
  if (problem && latest) throw pagingUnknown(problem, latest.response, { noun: target.resource, run });
}

function progressText(copies: readonly ThreadedCopy[], elapsed: number): string {
  const read = copies.map(({ entry, counts }) => ({
    entry,
    count: counts.added + counts.changed + counts.unchanged,
  }));
  const rows = read
    .filter(({ count }) => count > 0)
    .map(
      ({ entry: { resource, merchant_account: account }, count }) =>
        `${resource}${account === null ? '' : ` (${account})`} ${count}`,
    );
  const total = read.reduce((sum, { count }) => sum + count, 0);
  return `${[...rows, `${Math.round(total / (elapsed / 1000))} rows/s`].join(', ')}`;
}
