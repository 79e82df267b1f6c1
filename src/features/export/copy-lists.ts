import { mayRefuseCursor } from '../../cli/failure/incomplete-list-error.ts';
import { DataMasker } from '../../cli/secrets/mask.ts';
import type { Session } from '../../cli/session/session.ts';
import { pagingUnknown } from '../../cli/show/list-end.ts';
import type { Position } from '../../cli/show/list-failure.ts';
import { unfollowed } from '../../cli/show/show-list.ts';
import { limitYoungHeap } from '../../cli/show/young-heap.ts';
import { ResponseError } from '../../client/errors.ts';
import { parseHttpDate } from '../../client/http-date.ts';
import { Pace } from '../../client/pace.ts';
import type { FetchedPage, PageQuery } from '../../client/page.ts';
import type { RawResponse } from '../../client/response.ts';
import { LARGEST_BODY } from '../../client/transport.ts';
import { timeFilterOf } from '../../descriptions/time-filters.ts';
import { createListPage } from '../../output/list-page.ts';
import { plural, quote } from '../../text/format.ts';
import { type CopiedPage, type Counts, ListCopy, noCounts, type Pass } from './copy-list.ts';
import { type CopySettings, type ListEntry, type PartEntry, rowsIn } from './manifest.ts';
import { partFormat, partStorage } from './part-format.ts';
import { notedNames } from './record.ts';
import { pagesInSizes } from './smaller-pages.ts';
import { type ListState, stateWriteError } from './state.ts';
import { type CopyTarget, queryFrom } from './target.ts';

/** A list of a run: its state in the copy, and how it is read. */
export type ListJob = {
  readonly list: ListState;
  readonly target: CopyTarget;
  readonly pass: Pass;
  readonly query: PageQuery;
  /** False where `query` asks only for what has changed. */
  readonly readsAll: boolean;
};

/** A list after a run, and what the run has found. */
export type ListResult = CopiedList & {
  readonly counts: Counts;
  /** The whole list was read, so that deleted records were found. */
  readonly readsAll: boolean;
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
  const { session, concurrency = 4 } = run;
  const { progress } = session.display;
  const isSync = jobs.every(({ pass }) => pass.syncedAt !== undefined);
  const { holdsPages = false } = await partFormat(run.settings);
  const growth = isSync || holdsPages ? GROWTH_PERCENT.usual : GROWTH_PERCENT.least;
  process.getBuiltinModule('node:v8').setFlagsFromString(`--heap-growing-percent=${growth}`);
  let isMasked = false;
  const shared: Shared = {
    pace: new Pace(run.rate),
    copies: new Map(),
    sizes: new Map(),
    onMasked: () => {
      isMasked = true;
    },
  };
  const errors = new Map<ListJob, unknown>();
  const wholeLists = new Set<ListJob>();
  const waiting = [...jobs];
  const started = performance.now();
  progress.start(() => progressText([...shared.copies.values()], performance.now() - started));
  const work = async () => {
    for (let job = waiting.shift(); job; job = waiting.shift()) {
      try {
        if (await copyOne(job, run, shared)) wholeLists.add(job);
      } catch (error) {
        await shared.copies.get(job)?.fail();
        errors.set(job, stateWriteError(run.directory, error));
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(concurrency, jobs.length) }, work));
  } finally {
    await progress.stop();
  }
  if (isMasked && jobs.some(({ pass }) => pass.syncedAt === undefined))
    session.display.warn('personal_data_masked', 'Personal data is masked. Add --reveal-pii to export it.');
  return jobs.map((job) => ({
    entry: job.list.entry,
    parts: job.list.parts(),
    counts: shared.copies.get(job)?.counts ?? noCounts(),
    readsAll: wholeLists.has(job),
    error: errors.get(job),
  }));
}

/**
 * How much the old objects may grow before V8 looks for garbage among them, in percent of what is in use. By default it may wait until
 * they are four times as large; until then what pages were made of stays. A sync has no index and few parts to make room for; a
 * format that holds pages would have V8 look for garbage whenever a few more are held.
 */
const GROWTH_PERCENT = { usual: 200, least: 110 };

/** What the lists of a run share. */
type Shared = {
  readonly pace: Pace;
  /** The copies that were begun. */
  readonly copies: Map<ListJob, ListCopy>;
  /** The sizes of pages of the lists whose pages were too large. */
  readonly sizes: Map<ListJob, number>;
  /** Personal data of a page was masked. */
  readonly onMasked: () => void;
};

/** Resolves to whether the whole list was read. @throws the errors of the service and of the disk */
async function copyOne(job: ListJob, run: CopyRun, shared: Shared): Promise<boolean> {
  const { list, pass } = job;
  const { cursor } = list.entry;
  const copy = await begin(job, run, shared);
  try {
    return await readInto(copy, job, run, shared);
  } catch (error) {
    const mayBeginAgain = cursor !== null && pass.syncedAt === undefined && copy.entry.cursor === cursor;
    if (!mayBeginAgain || !mayRefuseCursor(error) || !(await canBeRead(job, run, shared))) throw error;
    run.session.display.warn(
      'list_restarted',
      `The service no longer accepts the cursor of ${quote(list.entry.resource)}, so the list begins again.`,
    );
    list.restart();
    return await readInto(await begin(job, run, shared), job, run, shared);
  }
}

async function begin(job: ListJob, { directory, settings }: CopyRun, { copies }: Shared): Promise<ListCopy> {
  const { list, pass } = job;
  const copy = new ListCopy({ state: list, directory, pass, ...(await partStorage(settings, list.entry)) });
  copies.set(job, copy);
  await copy.prepare();
  return copy;
}

/** Whether the first page of a list can be read. */
async function canBeRead(job: ListJob, run: CopyRun, shared: Shared): Promise<boolean> {
  for await (const _page of pagesOf(job, run, { ...shared, query: job.query })) return true;
  return false;
}

/** Reads a list, or what has changed in it, and writes what is new. Resolves to whether the whole list was read. */
async function readInto(copy: ListCopy, job: ListJob, run: CopyRun, shared: Shared): Promise<boolean> {
  const { list, pass } = job;
  const { query } = list.entry.request;
  const read = async (query: PageQuery) => {
    let items = 0;
    for await (const page of pagesOf(job, run, { ...shared, query })) {
      items += page.texts.length;
      await copy.add(page);
    }
    return items;
  };
  let { readsAll } = job;
  if (pass.syncedAt === undefined) {
    if (copy.entry.ended_at === null) {
      const { cursor } = copy.entry;
      const items = await read({ ...query, cursor: cursor ?? undefined });
      await copy.endReading();
      if (cursor !== null && items === 0) warnOfNothingMore(run, list);
    }
    await readChanges(copy, job, run, shared);
  } else {
    const instead = 'The whole list is read instead';
    if (!readsAll) readsAll = !(await takesFilter(job, run, { instead, ask: () => read(job.query) }));
    if (readsAll) {
      await read(query);
      await readMissed(copy, job, run, shared);
    }
  }
  await copy.finish({ readsAll });
  return readsAll;
}

/** A service that no longer knows a cursor may send an empty page instead of an error. */
function warnOfNothingMore({ session }: CopyRun, list: ListState): void {
  const { resource } = list.entry;
  const rows = rowsIn(list.parts());
  session.display.warn(
    'resumed_at_end',
    `The service sent no more of ${quote(resource)} from where the export was interrupted. That is so at the end of a list, and where a cursor has expired: compare the ${plural(rows, 'row')} with the service.`,
    { resource, rows },
  );
}

/** Reads what has changed while the list of an export was read, where the service can say that. */
async function readChanges(copy: ListCopy, job: ListJob, run: CopyRun, shared: Shared): Promise<void> {
  const filter = timeFilterOf(job.target.operation, 'updated');
  const { service_started_at: started } = copy.entry;
  if (!filter || started === null) return;
  const query = { ...job.query, ...queryFrom(filter, Date.parse(started) - CLOCK_MS) };
  const ask = async () => {
    for await (const page of pagesOf(job, run, { ...shared, query })) await copy.addChanged(page);
  };
  const instead = 'The next sync reads the whole list';
  if (!(await takesFilter(job, run, { instead, ask }))) copy.missChanges();
}

/** Asks a list for what has changed; false where the service refuses that, with a warning that says what is done instead. */
async function takesFilter(
  { list: { entry }, target }: ListJob,
  { session }: CopyRun,
  { instead, ask }: { readonly instead: string; readonly ask: () => Promise<unknown> },
): Promise<boolean> {
  try {
    await ask();
    return true;
  } catch (error) {
    if (!mayRefuseCursor(error)) throw error;
    const { resource } = entry;
    const filter = quote(timeFilterOf(target.operation, 'updated')?.parameter ?? '');
    const problem = error.message.replace(/\.$/, '');
    session.display.warn(
      'filter_refused',
      `The service refuses the filter ${filter} of ${quote(resource)}: ${problem}. ${instead}.`,
      { resource },
    );
    return false;
  }
}

/**
 * Reads a list again until it has sent all records that it had not sent. A record that changes its place while a list is read may not be sent, such as
 * one that is changed in a list with the latest change first: only what two readings do not send is gone. Where records came without an ID,
 * nothing is.
 */
async function readMissed(copy: ListCopy, job: ListJob, run: CopyRun, shared: Shared): Promise<void> {
  if (copy.counts.withoutId > 0 || !copy.missesRecords()) return;
  for await (const page of pagesOf(job, run, { ...shared, query: job.list.entry.request.query })) {
    await copy.add(page);
    if (!copy.missesRecords()) return;
  }
}

/** How far the clocks of a service's machines may differ, in milliseconds. */
const CLOCK_MS = 60_000;

type Asked = Shared & { readonly query: PageQuery };

async function* pagesOf(
  job: ListJob,
  { session, settings }: CopyRun,
  { pace, sizes, onMasked, query }: Asked,
): AsyncGenerator<CopiedPage, void, undefined> {
  const { target } = job;
  const { entry } = job.list;
  const { operation, run } = target;
  const { personalData, secretData, personalByName } = operation;
  const revealPii = settings.personal_data === 'revealed';
  const flags = { 'reveal-pii': revealPii, 'reveal-secrets': settings.secrets === 'revealed' };
  const noted = notedNames(entry.id_path);
  const masker = new DataMasker(session.display, flags, { personalData, secretData, personalByName, noted });
  const client = await session.client();
  const pages = client.list(operation, {
    pagedBy: operation.isOwn ? undefined : 'description',
    merchantAccount: entry.merchant_account ?? undefined,
    pace,
  });
  const position: Omit<Position, 'repeated'> = { pages: 0, items: 0, cursor: query.cursor };
  let latest: FetchedPage<unknown> | undefined;
  let sentAt: number | undefined;
  const onSmaller = (size: number) => {
    const { resource } = entry;
    if (!sizes.has(job)) {
      const problem = `A page of ${quote(resource)} is larger than ${LARGEST_BODY / 2 ** 20} MiB, so payctl asks for smaller pages.`;
      session.display.warn('pages_too_large', problem, { resource });
    }
    sizes.set(job, size);
  };
  const options = {
    revealPii,
    readPage: ({ text }: RawResponse) => masker.page(text),
    signal: session.signal,
  };
  for await (const page of pagesInSizes(pages, query, options, {
    operation,
    size: sizes.get(job),
    onSmaller,
  })) {
    latest = page;
    if (position.pages > 0) limitYoungHeap();
    position.pages += 1;
    position.items += page.count;
    position.cursor = page.next.cursor || null;
    position.next = page.next;
    const { text } = page.response;
    if (page.response.isUtf8 === false)
      throw new ResponseError(
        'unreadable_response',
        `A page of ${quote(target.resource)} is not valid UTF-8`,
        {
          ...page.response,
          hint: `A copy would have other texts than the service. To read the list anyway: payctl ${target.resource} list --all`,
        },
      );
    const parts = page.parts ?? masker.page(text) ?? masker.mask(text).text;
    const shown = createListPage(parts, { length: page.count });
    const texts = shown.texts();
    if (!texts.every((one) => one.startsWith('{')))
      throw new ResponseError('unexpected_shape', 'An item of the list is not an object', {
        ...page.response,
        hint: 'An export takes lists of objects. To read the list: payctl api call --help',
      });
    sentAt ??= parseHttpDate(page.response.headers.date ?? '', Date.now());
    yield {
      texts,
      noted: noted && typeof parts !== 'string' ? parts.noted : undefined,
      cursor: position.cursor,
      sentAt,
    };
  }
  if (masker.marked > 0) onMasked();
  const problem = unfollowed(run, position);
  if (!problem || !latest) return;
  const hint = `A copy has whole lists only. To print what the service sends: payctl ${target.resource} list`;
  throw pagingUnknown(problem, latest.response, { noun: target.resource, run, hint });
}

function progressText(copies: readonly ListCopy[], elapsed: number): string {
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
