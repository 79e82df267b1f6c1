import { boolean } from '@oclif/core/flags';
import { integerFlag, listFlag, textFlag } from './types.ts';

/** How data of the service is shown. */
export function outputFlags() {
  return {
    ...recordFlags(),
    'reveal-secrets': boolean({
      summary: 'Show secrets and passwords instead of ********.',
      helpGroup: 'OUTPUT',
    }),
  };
}

/** How a list is shown, also one of payctl's own records, which hold no secrets. */
export function recordFlags() {
  return {
    columns: listFlag({
      summary: 'Fields to show, by dotted path, in every format.',
      helpGroup: 'OUTPUT',
      helpValue: 'a,b.c',
    }),
    'no-header': boolean({ summary: 'Leave out the header row of table and csv.', helpGroup: 'OUTPUT' }),
    jq: textFlag({
      summary: 'Filter the JSON with this jq expression.',
      helpGroup: 'OUTPUT',
      helpValue: 'EXPRESSION',
    }),
  };
}

/** Paging (specification: Paginated list parameters). */
export function pagingFlags() {
  return {
    limit: integerFlag({
      min: 1,
      max: 100,
      summary: 'Items of one page, 1 to 100. The service gives 20 without it.',
      helpGroup: 'PAGING',
      helpValue: 'N',
    }),
    cursor: textFlag({
      maxLength: 1000,
      summary: 'Start at the page that this cursor points at.',
      helpGroup: 'PAGING',
    }),
    all: boolean({ summary: 'Follow the pages to the end.', helpGroup: 'PAGING' }),
    'max-items': integerFlag({
      min: 1,
      summary: 'Follow the pages until there are this many items.',
      helpGroup: 'PAGING',
      helpValue: 'N',
    }),
  };
}

/** For listings that the contract knows no cursors of: nothing to page through, unless the service sends one. */
export function followFlags() {
  return {
    all: boolean({ summary: 'Follow cursors, should the service send any.', helpGroup: 'PAGING' }),
  };
}

/** What `outputFlags` parse to. */
export type OutputFlagValues = {
  readonly columns?: readonly string[] | undefined;
  readonly 'no-header'?: boolean | undefined;
  readonly jq?: string | undefined;
  readonly 'reveal-secrets'?: boolean | undefined;
};

/** What `pagingFlags` parse to. */
export type PagingFlagValues = {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly all?: boolean | undefined;
  readonly 'max-items'?: number | undefined;
};
