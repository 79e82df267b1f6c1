import { isWithin, type OpenTimeSpan, timeSpanOf } from '../../cli/flags/time-filter.ts';
import type { Where } from '../../cli/show/where.ts';
import { isObject } from '../../json/is-object.ts';
import { detailsOf, type Entry } from './entry.ts';
import { type Choices, isChosen, quickTests, readChoices } from './entry-tests.ts';
import type { FilterValues } from './filter-flags.ts';
import { createMessageMatcher, type MessageMatcher, readMessagePattern } from './message-filter.ts';

/** One entry as filters see it: read, and as the JSON text that was sent. */
export type LogItem = { readonly entry: Entry; readonly text: string };

/** The filters of one run. */
export type LogFilter = {
  /** Whether no filter was given, so that every entry is kept. */
  readonly isEmpty: boolean;
  /** Whether the texts of the entries are looked at. */
  readonly needsTexts: boolean;
  /** Fixes what --since and --until mean; `now` is that of the first response, and later calls change nothing. */
  begin(now: number): OpenTimeSpan;
  /**
   * Decides for each entry whether it is kept. No entry makes it fail.
   * @throws UsageError `slow_regex`; OutputError `jq_failed`, `jq_out_of_memory`; AbortedError
   */
  select(items: readonly LogItem[]): Promise<readonly boolean[]>;
  /** On how many entries --where failed, and how on the first one. */
  failures(): { readonly count: number; readonly first: string };
  close(): void;
};

type Context = {
  /** Ends a --where that runs. */
  readonly signal?: AbortSignal | undefined;
  /** The path of the base URL, which the paths of the contract are below. */
  readonly basePath?: string | undefined;
};

/**
 * Makes the filters of a run. Several values of one filter are alternatives, values with `!` are excluded, and different
 * filters must all hold.
 * @throws FlagError for a value that cannot be read; UsageError `invalid_jq`
 */
export async function openFilter(values: FilterValues, context: Context = {}): Promise<LogFilter> {
  const tests = quickTests(values, context.basePath ?? '');
  const messages =
    values.message && readChoices(values.message, (text) => createMessageMatcher(readMessagePattern(text)));
  const hasPeriod = values.since !== undefined || values.until !== undefined;
  if (hasPeriod) timeSpanOf(values, Date.now());
  const where = await whereOf(values, context);
  let period: OpenTimeSpan | undefined;
  const begin = (now: number): OpenTimeSpan => {
    period ??= timeSpanOf(values, now);
    return period;
  };
  return {
    isEmpty: tests.length === 0 && !messages && !hasPeriod && !where,
    needsTexts: where !== undefined,
    begin,
    async select(items) {
      const span = begin(Date.now());
      const kept = items.map(({ entry }) => isWithin(entry.at, span) && tests.every((test) => test(entry)));
      if (messages) await narrow(kept, items, (some) => selectMessages(messages, some));
      if (where) await narrow(kept, items, (some) => where.select(some.map(({ text }) => text)));
      return kept;
    },
    failures: () => where?.failures() ?? { count: 0, first: '' },
    close: () => where?.close(),
  };
}

async function whereOf({ where }: FilterValues, { signal }: Context): Promise<Where | undefined> {
  if (where === undefined) return undefined;
  const { openWhere } = await import('../../cli/show/where.ts');
  return await openWhere(where, signal);
}

/** Looks closer at the items that are still kept, and drops those for which `look` says false. */
async function narrow(
  kept: boolean[],
  items: readonly LogItem[],
  look: (some: readonly LogItem[]) => readonly boolean[] | Promise<readonly boolean[]>,
): Promise<void> {
  const indexes = kept.flatMap((isKept, index) => (isKept ? [index] : []));
  if (indexes.length === 0) return;
  const wanted = await look(indexes.flatMap((index) => items[index] ?? []));
  for (const [at, index] of indexes.entries()) kept[index] = wanted[at] === true;
}

function selectMessages(choices: Choices<MessageMatcher>, items: readonly LogItem[]): readonly boolean[] {
  const texts = items.map(({ entry }) => messagesOf(entry));
  const matches = new Map(
    [...choices.wanted, ...choices.unwanted].map((matcher) => [matcher, matcher(texts)]),
  );
  return items.map((_, index) => isChosen(choices, (matcher) => matches.get(matcher)?.[index] === true));
}

/** Every message of an entry: that of its error, those of all details, or the body where it is a text. */
function messagesOf(entry: Entry): readonly string[] {
  const { body } = entry;
  if (typeof body === 'string') return [body];
  const message = isObject(body) && typeof body.message === 'string' ? [body.message] : [];
  return [...message, ...detailsOf(entry).map((detail) => detail.message)];
}
