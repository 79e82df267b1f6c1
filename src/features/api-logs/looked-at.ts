import { betweenText, Looked, meaningOf, type OpenTimeSpan } from '../../cli/flags/time-filter.ts';
import { countEntries, plural, quote } from '../../text/format.ts';
import type { TimeStyle } from '../../text/zoned-times.ts';
import type { LogFilter, LogItem } from './filter.ts';
import type { FilterValues } from './filter-flags.ts';

/** What a run has looked at so far; its count has no duplicates. */
export class LookedAt extends Looked {
  /** Entries that came again. */
  duplicates = 0;
  /** Lines and elements of files that cannot be read. */
  unreadable = 0;
  /** Where the service is, and its clock when it sent the first response; undefined where the entries come from files. */
  service: { readonly origin: string; readonly now: number } | undefined;
}

/** Filters the entries of one run, and remembers what was looked at. */
export class LogRun {
  readonly looked = new LookedAt();
  readonly #filter: LogFilter;
  readonly #values: FilterValues;

  constructor(filter: LogFilter, values: FilterValues) {
    this.#filter = filter;
    this.#values = values;
  }

  /** Decides for each entry whether it is kept. @throws what `select` of a filter throws */
  async keeps(items: readonly LogItem[]): Promise<readonly boolean[]> {
    const kept = await this.#filter.select(items);
    this.looked.add(
      items.map(({ entry }) => entry.at),
      kept,
    );
    return kept;
  }

  /** The instants that --since and --until became. */
  get span(): OpenTimeSpan {
    return this.#filter.begin(Date.now());
  }

  /** Says what was looked at: `0 of 100 entries between T1 and T2 match.`, and other notes about the search; times are in this style. */
  text(style: TimeStyle): string {
    const { count, kept, duplicates } = this.looked;
    const entries = `${countEntries(count)}${betweenText(this.looked, style)}`;
    const again = `${plural(duplicates, 'duplicate')} with the same ID ${duplicates === 1 ? 'is' : 'are'} left out.`;
    const failed = this.#filter.failures();
    const where = `--where failed on ${countEntries(failed.count)}: ${failed.first}.`;
    return [
      this.#filter.isEmpty ? `${entries}.` : `${kept} of ${entries} match.`,
      ...meaningOf(this.#values, this.span, style),
      ...(kept === 0 ? withoutSlash(this.#values) : []),
      ...(duplicates === 0 ? [] : [again]),
      ...(failed.count === 0 ? [] : [where]),
    ].join(' ');
  }
}

/** What to write instead of patterns that match nothing, because every path and every pointer begins with a slash. */
function withoutSlash({ path = [], pointer = [] }: FilterValues): readonly string[] {
  const hint = (flag: string, patterns: readonly string[]) =>
    patterns
      .filter((pattern) => /^[^/*!]/.test(pattern))
      .map((pattern) => `Did you mean --${flag} ${quote(`/${pattern}`)}?`);
  return [...hint('path', path), ...hint('pointer', pointer)];
}
