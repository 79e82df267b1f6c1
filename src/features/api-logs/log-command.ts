import { BaseCommand } from '../../cli/base-command.ts';
import type { ConnectionFlagValues, DisplayFlagValues } from '../../cli/flags/global.ts';
import type { OutputFlagValues } from '../../cli/flags/list.ts';
import { pathOfBaseUrl } from '../../cli/routing/catalog/paths.ts';
import type { Session } from '../../cli/session/session.ts';
import { timeOfPage } from '../../cli/show/list-pages.ts';
import type { ListSession } from '../../cli/show/show-list.ts';
import { limitYoungHeap } from '../../cli/show/young-heap.ts';
import { operations } from '../../contract/generated/operations.ts';
import { SeenHashes } from '../../text/seen-hashes.ts';
import { readEntry } from './entry.ts';
import { type LogFilter, type LogItem, openFilter } from './filter.ts';
import type { FilterValues } from './filter-flags.ts';
import { LogRun } from './looked-at.ts';

/** What the flags of every command of the log parse to. */
export type LogFlagValues = DisplayFlagValues &
  ConnectionFlagValues &
  OutputFlagValues &
  FilterValues & { readonly file?: readonly string[] | undefined };

/** A log that is open, with its filters. */
export type OpenLog = {
  /** The display and the signal of the run, also where there is no service. */
  readonly local: ListSession;
  /** The service; undefined where the entries come from files. */
  readonly session: Session | undefined;
  /** The path of the base URL, which the paths of the contract are below. */
  readonly basePath: string;
  readonly filter: LogFilter;
  readonly run: LogRun;
};

/** The base of the commands that read the log of the service or of files, and filter it. */
export abstract class LogCommand extends BaseCommand {
  static override readonly calls = operations.listApiLogs;

  /**
   * Opens the log that the flags name; nothing is sent or read yet. Files need neither credentials nor a profile that exists;
   * `isPolling` is as in SessionParts.
   * @throws FlagError, UsageError
   */
  protected async openLog(values: LogFlagValues, options: { isPolling?: boolean } = {}): Promise<OpenLog> {
    const session = values.file ? undefined : this.openSession(values, options);
    const local = session ?? this.openLocal(values);
    const basePath = pathOfBaseUrl(session?.settings.baseUrl.value);
    const filter = await openFilter(values, { signal: local.signal, basePath });
    if (values.where !== undefined) {
      const { unknownMemberOf } = await import('../../cli/show/where-members.ts');
      const reading = { operation: operations.listApiLogs.id, flag: '--where' };
      const unknown = await unknownMemberOf(values.where, reading);
      if (unknown !== undefined) local.display.warn('unknown_member', unknown);
    }
    return { local, session, basePath, filter, run: new LogRun(filter, values) };
  }

  /**
   * The entries that the filters keep, of files or of all pages of the service, as they are read; a repeated entry is
   * left out. Ends the filters.
   */
  protected async *kept(
    values: LogFlagValues,
    log: OpenLog,
  ): AsyncGenerator<readonly LogItem[], void, undefined> {
    const { local, run, filter } = log;
    const { progress } = local.display;
    let pages = 0;
    progress.start();
    try {
      for await (const items of values.file ? this.inFiles(values.file, log) : inService(log)) {
        limitYoungHeap();
        const kept = await run.keeps(items);
        pages += 1;
        progress.update({ pages, items: run.looked.count });
        yield items.filter((_, index) => kept[index]);
      }
    } finally {
      filter.close();
      await progress.stop();
    }
  }

  private async *inFiles(
    paths: readonly string[],
    { local, run }: OpenLog,
  ): AsyncGenerator<readonly LogItem[]> {
    const { readLogFiles } = await import('./log-files.ts');
    const { display, signal } = local;
    const stdin = () => this.runtime.streamStdin();
    yield* readLogFiles(paths, { stdin, signal, display, looked: run.looked });
  }

  private openLocal(values: LogFlagValues): ListSession {
    const display = this.openDisplay(values);
    return { display, signal: display.signal };
  }
}

/** All entries of the service, page after page; its clock says what --since means. */
async function* inService({ session, filter, run }: OpenLog): AsyncGenerator<readonly LogItem[]> {
  if (!session) return;
  const { apiLogs } = await session.client();
  const ids = new SeenHashes();
  for await (const page of apiLogs.fetch({}, { signal: session.signal })) {
    const now = timeOfPage(page);
    filter.begin(now);
    run.looked.service ??= { origin: page.response.request.origin, now };
    const { texts } = page;
    const items = page.items().map((item, index) => ({ entry: readEntry(item), text: texts[index] ?? '' }));
    const fresh = items.filter(({ entry: { id } }) => id === undefined || ids.add(id, 1) === undefined);
    run.looked.duplicates += items.length - fresh.length;
    yield fresh;
  }
}
