import { timeFlags } from '../../cli/flags/time-filter.ts';
import { durationFlag, type FlagValues, textFlag } from '../../cli/flags/types.ts';

const helpGroup = 'FILTER';

/** The filters of the log, which all of its commands share; `openFilter` takes what they parse to. */
export function filterFlags() {
  const several = { helpGroup, multiple: true as const, multipleNonGreedy: true as const };
  return {
    status: textFlag({ ...several, summary: 'Statuses: 401, 4xx, 500-504; !404 excludes.' }),
    code: textFlag({ ...several, summary: 'Error codes, such as bad_request.' }),
    method: textFlag({ ...several, summary: 'HTTP methods.' }),
    path: textFlag({ ...several, summary: 'Paths: * within a segment, ** across, {id} for any ID.' }),
    message: textFlag({ ...several, summary: 'Text, or a /regex/, in a message of the error.' }),
    pointer: textFlag({ ...several, summary: 'JSON pointers of the details; * as in --path.' }),
    ...timeFlags(),
    'slower-than': durationFlag({
      helpGroup,
      helpValue: 'DURATION',
      summary: 'Responses that took longer, such as 2s.',
    }),
    where: textFlag({ helpGroup, helpValue: 'JQ', summary: 'Entries that match a jq expression.' }),
  };
}

/** What `filterFlags` parse to. */
export type FilterValues = FlagValues<typeof filterFlags>;

/** `--file`, which reads entries from files instead of the service. */
export function fileFlag() {
  return {
    file: textFlag({
      multiple: true as const,
      multipleNonGreedy: true as const,
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
