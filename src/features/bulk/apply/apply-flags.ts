import { boolean } from '@oclif/core/flags';
import { integerFlag, textFlag } from '../../../cli/flags/types.ts';

/** The flags with which a plan is sent. */
export function applyFlags() {
  return {
    yes: boolean({ char: 'y', summary: 'Do not ask for confirmation.', helpGroup: 'SENDING' }),
    concurrency: integerFlag({
      min: 1,
      max: 64,
      summary: 'Requests at the same time. Default: 8. Rows about the same record keep their order.',
      helpGroup: 'SENDING',
      helpValue: 'N',
    }),
    rate: integerFlag({
      min: 1,
      summary: 'Send at most this many requests in any second.',
      helpGroup: 'SENDING',
      helpValue: 'N',
    }),
    'max-failures': integerFlag({
      min: 1,
      summary: 'Stop after this many rows that were refused or failed. Default: 20.',
      helpGroup: 'SENDING',
      helpValue: 'N',
    }),
    canary: integerFlag({
      min: 1,
      summary:
        'Send this many rows first, and ask again before the rest. With --yes, the rest follows if all are done.',
      helpGroup: 'SENDING',
      helpValue: 'N',
    }),
    journal: journalFlag(),
    results: textFlag({
      summary: 'Write what became of each row to this file, as CSV.',
      helpGroup: 'SENDING',
      helpValue: 'FILE',
    }),
    overwrite: boolean({ summary: 'Replace the file of --results.', helpGroup: 'SENDING' }),
  };
}

/** The journal of a plan, where it is not next to it. */
export function journalFlag() {
  return textFlag({
    summary: 'Journal of the plan. Default: the name of the plan with .journal after it.',
    helpGroup: 'SENDING',
    helpValue: 'FILE',
  });
}
