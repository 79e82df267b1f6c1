import { boolean, string } from '@oclif/core/flags';
import { argument } from '../../../cli/flags/arguments.ts';
import {
  choiceFlag,
  type FlagValues,
  inGroup,
  integerFlag,
  repeatable,
  textFlag,
} from '../../../cli/flags/types.ts';
import { UsageError } from '../../../errors.ts';
import { quote } from '../../../text/format.ts';
import type { ColumnOptions } from './columns.ts';

/** The argument of a command that plans rows. */
export function rowArgs() {
  return {
    command: argument('Command to run for each row, such as: transactions refunds create.'),
  };
}

/** What `parse` is given for the words of such a command: the flags of the command to run and its own. */
export function rowParse<A, F, G, B>(
  {
    args,
    flags,
    called,
  }: { readonly args: A; readonly flags: F; readonly called: { readonly words: readonly string[] } },
  { flags: own, baseFlags }: { readonly flags: G; readonly baseFlags: B },
) {
  const input = { args, flags: { ...flags, ...own }, baseFlags, strict: true };
  const parsed: [typeof input, string[]] = [input, [...called.words]];
  return parsed;
}

/** The flags that make a plan of rows. */
export function rowFlags() {
  return {
    ...inGroup('ROWS', {
      from: string({
        summary: 'Read the rows from this file: CSV, NDJSON or a JSON array; - for standard input.',
        helpValue: 'FILE|-',
      }),
      map: textFlag({
        summary: 'Rename a column: amount=Betrag uses the column Betrag as amount. Can be repeated.',
        helpValue: 'NAME=COLUMN',
        ...repeatable,
      }),
      'ignore-column': textFlag({
        summary: 'Ignore a column. Can be repeated.',
        helpValue: 'NAME',
        ...repeatable,
      }),
      key: textFlag({
        summary: 'Column that identifies a row in messages. Default: row_key, else the line number.',
        helpValue: 'COLUMN',
      }),
      amounts: choiceFlag({
        options: ['minor', 'major'],
        summary:
          'Unit of amounts without a currency: minor (default), or major, which needs a column currency.',
        helpValue: 'UNIT',
      })(),
      'allow-duplicates': boolean({ summary: 'Allow two rows that send the same request.' }),
    }),
    ...inGroup('CHECKS', {
      'no-preflight': boolean({ summary: 'Do not read the records that the rows change.' }),
      'expect-rows': integerFlag({
        min: 1,
        summary: 'Write no plan unless there are this many rows.',
        helpValue: 'N',
      }),
      'expect-total': textFlag({
        summary: 'Write no plan unless the rows move this total. Can be repeated, once for each currency.',
        helpValue: 'EUR=1234.56',
        ...repeatable,
      }),
      'max-total': textFlag({
        summary: 'Write no plan if the rows move more than this. Can be repeated, once for each currency.',
        helpValue: 'EUR=5000.00',
        ...repeatable,
      }),
    }),
  };
}

/** The flags for invalid rows. */
export function checkFlags() {
  return inGroup('CHECKS', {
    'accept-valid': boolean({ summary: 'Plan the valid rows and leave out the invalid ones.' }),
    refused: textFlag({
      summary:
        'Write the invalid rows to this file, which you can correct and plan again: CSV, or NDJSON if the input is JSON.',
      helpValue: 'FILE',
    }),
  });
}

/** What `rowFlags` parse to. */
export type RowFlagValues = FlagValues<typeof rowFlags>;

/** The flags for output. Drops `--amounts`, which a plan uses for its input. */
export function shownBy<T extends RowFlagValues>(flags: T): T & { readonly amounts: undefined } {
  return { ...flags, amounts: undefined };
}

/** How columns are named. @throws UsageError `bad_flag` */
export function columnOptions(flags: RowFlagValues): ColumnOptions {
  const renamed = new Map<string, string>();
  for (const pair of flags.map ?? []) {
    const at = pair.indexOf('=');
    const [name, column] = [pair.slice(0, at), pair.slice(at + 1)];
    if (at <= 0 || column === '') {
      throw new UsageError('bad_flag', `--map must be NAME=COLUMN, not ${quote(pair)}`, {
        hint: 'For example: --map amount=Betrag uses the column Betrag as amount.',
      });
    }
    if (renamed.has(column)) throw new UsageError('bad_flag', `--map uses the column ${quote(column)} twice`);
    renamed.set(column, name);
  }
  return { key: flags.key, renamed, ignored: new Set(flags['ignore-column']) };
}

/** The default path of the plan for a table. @throws UsageError `missing_flag` for standard input */
export function planPathFor(from: string | undefined): string {
  if (from === undefined) throw missingFlag('from');
  if (from === '-') throw missingFlag('out');
  return `${from}.plan`;
}

const MISSING = {
  from: 'Add --from FILE with the rows.',
  out: 'Add --out FILE. The plan is needed to continue an interrupted run.',
} as const;

/** The error of a plan of nothing, or without a name. */
export function missingFlag(name: keyof typeof MISSING): UsageError {
  return new UsageError('missing_flag', `Missing flag --${name}`, { hint: MISSING[name] });
}
