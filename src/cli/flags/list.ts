import type { Interfaces } from '@oclif/core';
import { boolean } from '@oclif/core/flags';
import type { PageQuery } from '../../client/page.ts';
import type { Operation, QueryParameter } from '../../contract/generated/operations.ts';
import {
  choiceFlag,
  durationFlag,
  FlagError,
  type FlagValues,
  inGroup,
  integerFlag,
  listFlag,
  textFlag,
} from './types.ts';

/**
 * One flag for each query parameter of a list but those of paging: `external_identifier` is `--external-identifier`. The
 * contract gives its values, its limits and its line of help.
 */
export function queryFlags(operation: Operation): Interfaces.FlagInput {
  return Object.fromEntries(
    Object.entries(filtersOf(operation)).map(([name, parameter]) => [
      flagName(name),
      queryFlag(name, parameter),
    ]),
  );
}

/** The query parameters of a list but those of paging. */
export function filtersOf({ query }: Operation): Operation['query'] {
  const { cursor: _cursor, limit: _limit, ...filters } = query;
  return filters;
}

/** The filters of a list that flags give. */
export function filtersIn(operation: Operation, flags: object): PageQuery {
  return Object.fromEntries(
    Object.keys(filtersOf(operation)).map((name) => [name, Reflect.get(flags, flagName(name))]),
  );
}

/** The flag of a parameter, without its dashes. */
export function flagName(parameter: string): string {
  return parameter.replaceAll('_', '-');
}

/** What help shows for a value, by the last word of the parameter's name. */
const HELP_VALUES: Readonly<Record<string, string>> = { id: 'ID', identifier: 'ID', type: 'TYPE' };

function queryFlag(name: string, parameter: QueryParameter): Interfaces.FlagInput[string] {
  const { type, enum: options, minimum: min = 0, maximum: max, maxLength, summary = '' } = parameter;
  if (options)
    return parameter.multiple
      ? choiceFlag({ options, summary, multiple: true })()
      : choiceFlag({ options, summary })();
  if (type === 'integer') {
    return integerFlag({ min, ...(max === undefined ? {} : { max }), summary, helpValue: 'N' });
  }
  const helpValue = HELP_VALUES[name.split('_').at(-1) ?? ''] ?? 'TEXT';
  return textFlag({ ...(maxLength === undefined ? {} : { maxLength }), summary, helpValue });
}

/** How data of the service is shown; with `--reveal-pii` where the response of the operation holds personal data. */
export function outputFlags({ personalData }: Pick<Operation, 'personalData'> = {}) {
  const reveal = {
    'reveal-pii': boolean({ summary: 'Show personal data instead of ********.', helpGroup: 'OUTPUT' }),
  };
  return {
    ...recordFlags(),
    ...(personalData ? reveal : ({} as Partial<typeof reveal>)),
    'reveal-secrets': boolean({
      summary: 'Show secrets and passwords instead of ********.',
      helpGroup: 'OUTPUT',
    }),
  };
}

/** How a list is shown, also one of payctl's own records, which hold no secrets. */
export function recordFlags() {
  return inGroup('OUTPUT', {
    columns: listFlag({
      summary: 'Columns to show, by header or dotted path, in every format.',
      helpValue: 'a,b.c',
    }),
    'no-header': boolean({ summary: 'Omit the header row of table and csv output.' }),
    jq: textFlag({ summary: 'Filter the JSON output with a jq expression.', helpValue: 'EXPRESSION' }),
  });
}

/** How a list with amounts shows them. */
export function amountsFlag() {
  return {
    amounts: choiceFlag({
      options: ['minor', 'major'],
      summary:
        'Unit of amounts in csv output and with --columns: minor, as sent, or major, with a currency column.',
      helpGroup: 'OUTPUT',
      helpValue: 'UNIT',
    })(),
  };
}

/** What to do where more items are wanted than a page can have. */
export const PAGE_SIZE_HINT =
  'It is the size of a page. Use --max-items N for the first N items, or --all for all of them.';

/** Paging (specification: Paginated list parameters). */
export function pagingFlags() {
  return inGroup('PAGING', {
    limit: integerFlag({
      min: 1,
      max: 100,
      tooMany: PAGE_SIZE_HINT,
      summary: 'Items per page, 1 to 100. The service defaults to 20.',
      helpValue: 'N',
    }),
    cursor: textFlag({ maxLength: 1000, summary: 'Start at the page that this cursor points to.' }),
    all: boolean({ summary: 'Fetch all pages.' }),
    'max-items': integerFlag({
      min: 1,
      summary: 'Fetch pages until there are this many items.',
      helpValue: 'N',
    }),
  });
}

/** Lists in files; also for a spreadsheet that opens what is printed. */
export function listFileFlags() {
  return inGroup('OUTPUT', {
    'output-file': textFlag({
      summary: 'Write the list to this file, which is created once the list is complete.',
      helpValue: 'FILE',
    }),
    overwrite: boolean({
      summary: 'Replace the file of --output-file if it exists.',
      dependsOn: ['output-file'],
    }),
    resume: boolean({
      summary: 'Continue the file of --output-file where an earlier run ended.',
      dependsOn: ['output-file'],
    }),
    bom: boolean({ summary: 'Begin csv output with a byte order mark, which Excel needs to read UTF-8.' }),
  });
}

/** What `listFileFlags` parse to. */
export type ListFileFlagValues = FlagValues<typeof listFileFlags>;

/** For lists without cursors in the contract: there is one page, unless the API returns a cursor anyway. */
export function followFlags() {
  return {
    all: boolean({ summary: 'Follow pagination cursors if the API returns any.', helpGroup: 'PAGING' }),
  };
}

/** The order of a list, which payctl sorts itself; `isWhole` where there are no further pages. */
export function sortFlag({ isWhole = false } = {}) {
  return {
    sort: textFlag({
      summary: `Sort by a column, named as for --columns; -COLUMN reverses.${isWhole ? '' : ' Add --all to sort all items.'}`,
      helpGroup: 'OUTPUT',
      helpValue: 'COLUMN',
    }),
  };
}

/** The error for --sort where the response is not a list. */
export function sortNeedsList(): FlagError {
  return new FlagError('--sort is for lists', 'Remove it.');
}

const watch = durationFlag({
  summary: 'Run again every 5s, or at the interval given, and show the new output.',
  helpGroup: 'OUTPUT',
  helpValue: '5s',
});

/** Repeats the command, which reads. `--watch` is read before the parser, which knows no flags with an optional value. */
export function watchFlag() {
  return { watch };
}

/** Whether a command has this flag, and not one of a parameter with the same name. */
export function isWatchable(flags: Interfaces.FlagInput = {}): boolean {
  return flags.watch === watch;
}

/** What `outputFlags` and `sortFlag` parse to. */
export type OutputFlagValues = FlagValues<typeof outputFlags> &
  FlagValues<typeof amountsFlag> &
  FlagValues<typeof sortFlag> & {
    /** The columns that the profile in use chooses for tables of the command. */
    readonly profileColumns?: ProfileColumns | undefined;
  };

/** The columns that a profile chooses for a command. */
export type ProfileColumns = {
  readonly names: readonly string[];
  readonly chosenFor: { readonly command: string; readonly profile: string };
};

/** What the flags parse to that show what is masked otherwise. */
export type RevealFlagValues = Pick<FlagValues<typeof outputFlags>, 'reveal-secrets' | 'reveal-pii'>;

/** What `pagingFlags` parse to. */
export type PagingFlagValues = FlagValues<typeof pagingFlags>;
