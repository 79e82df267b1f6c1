import { boolean } from '@oclif/core/flags';
import { choiceFlag, inGroup, integerFlag, listFlag, textFlag } from '../../cli/flags/types.ts';
import { PART_FORMATS, type PartFormat } from '../../output/formats.ts';
import { COMPRESSIONS } from './manifest.ts';

/** The flags of what is read, for an export and a sync. */
export function readingFlags(accounts: string) {
  return {
    'merchant-account': listFlag({
      char: 'm',
      summary: accounts,
      helpGroup: 'CONNECTION',
      helpValue: 'ID,...',
    }),
    ...inGroup('READING', {
      concurrency: integerFlag({
        min: 1,
        max: 16,
        summary: 'Maximum number of lists to read at the same time. Default: 4.',
        helpValue: 'N',
      }),
      rate: integerFlag({
        min: 1,
        summary: 'Send at most this many requests in any second.',
        helpValue: 'N',
      }),
    }),
  };
}

/** The flags of the files of an export. */
export function fileFlags() {
  return inGroup('FILES', {
    format: choiceFlag({
      options: Object.keys(PART_FORMATS) as PartFormat[],
      summary: 'Format of the files. Default: ndjson.',
    })(),
    compress: choiceFlag({
      options: COMPRESSIONS,
      summary: 'Compression of the files. Default: zstd.',
      helpValue: 'METHOD',
    })(),
    'part-size': textFlag({
      summary: 'Start a new file after this much JSON before compression, such as 16MB. Default: 64MB.',
      helpValue: 'SIZE',
    }),
    raw: boolean({ summary: 'Add the column _raw with the whole record to parquet files.' }),
  });
}
