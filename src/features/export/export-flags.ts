import { boolean } from '@oclif/core/flags';
import { choiceFlag, FlagError, integerFlag, listFlag, textFlag } from '../../cli/flags/types.ts';
import { PART_FORMATS, type PartFormat } from '../../output/formats.ts';

/** The flags of what is read, for an export and a sync. */
export function readingFlags(accounts: string) {
  return {
    'merchant-account': listFlag({
      char: 'm',
      summary: accounts,
      helpGroup: 'CONNECTION',
      helpValue: 'ID,...',
    }),
    concurrency: integerFlag({
      min: 1,
      max: 16,
      summary: 'Maximum number of lists to read at the same time. Default: 4.',
      helpGroup: 'READING',
      helpValue: 'N',
    }),
    rate: integerFlag({
      min: 1,
      summary: 'Send at most this many requests in any second.',
      helpGroup: 'READING',
      helpValue: 'N',
    }),
  };
}

/** The flags of the files of an export. */
export function fileFlags() {
  return {
    format: choiceFlag({
      options: Object.keys(PART_FORMATS) as PartFormat[],
      summary: 'Format of the files. Default: ndjson.',
      helpGroup: 'FILES',
    })(),
    compress: choiceFlag({
      options: ['zstd', 'gzip', 'none'] as const,
      summary: 'Compression of the files. Default: zstd.',
      helpGroup: 'FILES',
      helpValue: 'METHOD',
    })(),
    'part-size': textFlag({
      summary: 'Start a new file after this much JSON before compression, such as 16MB. Default: 64MB.',
      helpGroup: 'FILES',
      helpValue: 'SIZE',
    }),
    raw: boolean({
      summary: 'Add the column _raw with the whole record to parquet files.',
      helpGroup: 'FILES',
    }),
  };
}

const UNITS: Readonly<Record<string, number>> = { b: 1, kb: 1e3, mb: 1e6, gb: 1e9 };

/** Bytes of a size such as `64MB`, from 1 kB to 4 GB. @throws FlagError */
export function readSize(text: string, flag: string): number {
  const [, digits = '', unit = 'b'] = /^(\d{1,12})\s*([kmg]?b)?$/i.exec(text) ?? [];
  const bytes = Number(digits) * (UNITS[unit.toLowerCase()] ?? Number.NaN);
  if (digits !== '' && bytes >= 1000 && bytes <= 4e9) return bytes;
  throw new FlagError(
    `${flag} must be a size from 1kB to 4GB, not ${JSON.stringify(text)}`,
    'Use a size such as 64MB.',
  );
}
