import { boolean } from '@oclif/core/flags';
import { inGroup, integerFlag, textFlag } from '../../../cli/flags/types.ts';

/** The flags with which a plan is sent. */
export function applyFlags() {
  return inGroup('SENDING', {
    yes: boolean({ char: 'y', summary: 'Do not ask for confirmation.' }),
    again: boolean({ summary: 'With --yes, also send rows that another plan has sent.' }),
    concurrency: integerFlag({
      min: 1,
      max: 64,
      summary:
        'Maximum number of concurrent requests. Default: 8. Rows for the same record are sent in order.',
      helpValue: 'N',
    }),
    rate: integerFlag({ min: 1, summary: 'Send at most this many requests in any second.', helpValue: 'N' }),
    'max-failures': integerFlag({
      min: 1,
      summary: 'Stop when this many rows are refused, failed or unknown. Default: 20.',
      helpValue: 'N',
    }),
    canary: integerFlag({
      min: 1,
      summary:
        'Send this many rows first, and ask again before the rest. With --yes, the rest is sent only if all of these are done.',
      helpValue: 'N',
    }),
    journal: journalFlag(),
    results: textFlag({ summary: 'Write the result of each row to this file, as CSV.', helpValue: 'FILE' }),
    overwrite: boolean({ summary: 'Replace the file of --results.' }),
  });
}

/** The journal of a plan, where it is not next to it. */
export function journalFlag() {
  return textFlag({
    summary: 'Journal of the plan. Default: the path of the plan followed by .journal.',
    helpGroup: 'SENDING',
    helpValue: 'FILE',
  });
}
