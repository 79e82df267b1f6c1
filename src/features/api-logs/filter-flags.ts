import { timeFlags } from '../../cli/flags/time-filter.ts';
import { durationFlag, type FlagValues, inGroup, repeatable, textFlag } from '../../cli/flags/types.ts';

/** The filters of the log, which all of its commands share; `openFilter` takes what they parse to. */
export function filterFlags() {
  return inGroup('FILTER', {
    status: textFlag({ ...repeatable, summary: 'Statuses: 401, 4xx, 500-504; !404 excludes.' }),
    code: textFlag({ ...repeatable, summary: 'Error codes, such as bad_request.' }),
    method: textFlag({ ...repeatable, summary: 'HTTP methods.' }),
    path: textFlag({ ...repeatable, summary: 'Paths: * within a segment, ** across, {id} for any ID.' }),
    message: textFlag({ ...repeatable, summary: 'Text, or a /regex/, in a message of the error.' }),
    pointer: textFlag({ ...repeatable, summary: 'JSON pointers of the details; * as in --path.' }),
    ...timeFlags(),
    'slower-than': durationFlag({
      helpValue: 'DURATION',
      summary: 'Responses that took longer, such as 2s.',
    }),
    where: textFlag({ helpValue: 'JQ', summary: 'Entries that match a jq expression.' }),
  });
}

/** What `filterFlags` parse to. */
export type FilterValues = FlagValues<typeof filterFlags>;

/** `--file`, which reads entries from files instead of the service. */
export function fileFlag() {
  return {
    file: textFlag({
      ...repeatable,
      helpValue: 'FILE',
      summary:
        'Read entries from a file instead of the API: JSON, ndjson or HAR, also as gzip or zstd; - is standard input.',
    }),
  };
}

/** The filters that were given, by their flags without dashes. */
export function givenFilters(values: FilterValues): Readonly<Record<string, string | readonly string[]>> {
  const names = Object.keys(filterFlags());
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value === undefined || !names.includes(name) ? [] : [[name, value]],
    ),
  );
}
