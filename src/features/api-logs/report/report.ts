import type { LogItem } from '../filter.ts';
import { Histogram } from '../histogram.ts';
import type { LogRun } from '../looked-at.ts';
import { type CountedGroup, Summarizer } from '../summary.ts';
import { Examples } from './examples.ts';
import { Masking, type NumberedExample } from './masking.ts';
import type { Missed, Report, ReportContext } from './model.ts';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;

/** The lengths of steps, in milliseconds; each divides the next one. The last covers all of time in a few steps. */
export const BAR_STEPS: readonly number[] = [
  ...[1, 5, 15, 60, 360].map((minutes) => minutes * MINUTE),
  ...[0, 1, 2, 3, 4, 5, 6, 7, 8].map((zeros) => 10 ** zeros * DAY),
];

const MOST_BARS = 48;
const MOST_GROUPS = 20;
const MOST_EXAMPLES = 10;

/** Gathers a report while entries are read; memory does not grow with their number. */
export class ReportCollector {
  readonly #summarizer: Summarizer;
  readonly #examples = new Examples();
  readonly #histogram = new Histogram(BAR_STEPS, MOST_BARS);
  readonly #basePath: string;
  #client = 0;
  #server = 0;

  constructor(basePath: string) {
    this.#basePath = basePath;
    this.#summarizer = new Summarizer({ basePath });
  }

  add(items: readonly LogItem[]): void {
    for (const item of items) {
      const { at, status = 0 } = item.entry;
      this.#examples.add(this.#summarizer.add(item.entry), item);
      if (at !== undefined) this.#histogram.add(at, status);
      if (status >= 400 && status < 500) this.#client += 1;
      if (status >= 500) this.#server += 1;
    }
  }

  /** The report of everything that was added. */
  report(run: LogRun, context: ReportContext): Report {
    const { looked } = run;
    const { view, hasMessages } = context;
    const { profile, merchant_account, files } = context.source;
    const isForMerchant = view === 'merchant';
    const { summary, counted } = this.#summarizer.summary(looked);
    const groups = summary.groups.slice(0, MOST_GROUPS);
    const rest = summary.groups.slice(MOST_GROUPS);
    const { from, to, missed } = spanOf(run);
    const masking = new Masking(this.#basePath, context);
    const examples = masking.examples(this.#examplesOf(counted));
    return {
      created_at: instant(looked.service?.now ?? context.now),
      created_by: context.createdBy,
      view,
      has_messages: hasMessages,
      source: isForMerchant
        ? { profile: null, host: null, merchant_account, files }
        : { profile, host: hostOf(run), merchant_account, files },
      filters: masking.filters(),
      from: from === undefined ? null : instant(from),
      to: to === undefined ? null : instant(to),
      looked_at: looked.count,
      kept: looked.kept,
      client_errors: this.#client,
      server_errors: this.#server,
      missed,
      timeline: this.#histogram.bars(),
      groups: groups.map((group) => masking.group(group)),
      others: { groups: rest.length, entries: rest.reduce((sum, { count }) => sum + count, 0) },
      examples,
    };
  }

  #examplesOf(counted: readonly CountedGroup[]): readonly NumberedExample[] {
    return counted.slice(0, MOST_EXAMPLES).flatMap((group, index) => {
      const example = this.#examples.of(group);
      return example ? [{ ...example, number: index + 1 }] : [];
    });
  }
}

type Span = {
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly missed: Missed;
};

/** The span that a report is about: what --since and --until say, otherwise the times of the entries. */
function spanOf({ looked, span }: LogRun): Span {
  const { oldest, newest, service, duplicates, unreadable, timeless } = looked;
  const [first, last] = oldest <= newest ? [oldest, newest] : [];
  const from = span.from ?? first;
  const end = span.from === undefined ? last : (service?.now ?? last);
  // The span ends before `span.to`.
  const until = Math.min((span.to ?? Number.POSITIVE_INFINITY) - 1, end ?? Number.POSITIVE_INFINITY);
  const to = Number.isFinite(until) ? Math.max(until, from ?? until) : from;
  const known = first ?? to;
  const isOpen = span.from !== undefined && known !== undefined && span.from < known;
  const before = isOpen ? { from: instant(span.from), to: instant(known) } : null;
  const isTimed = span.from !== undefined || span.to !== undefined;
  return {
    from,
    to,
    missed: { duplicates, unreadable, timeless: isTimed ? timeless : 0, before_oldest: before },
  };
}

function hostOf({ looked }: LogRun): string | null {
  return looked.service ? (URL.parse(looked.service.origin)?.host ?? null) : null;
}

function instant(at: number): string {
  return new Date(at).toISOString();
}
