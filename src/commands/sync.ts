import { boolean } from '@oclif/core/flags';
import { BaseCommand } from '../cli/base-command.ts';
import { optionalArgument } from '../cli/flags/arguments.ts';
import { connectionFlags } from '../cli/flags/global.ts';
import { recordFlags } from '../cli/flags/list.ts';
import { inGroup, textFlag } from '../cli/flags/types.ts';
import { showRecords } from '../cli/show/show-document.ts';
import { mayPass } from '../cli/tail/failure-run.ts';
import { sleep } from '../client/deadline.ts';
import { type DurationRange, parseDuration } from '../config/values.ts';
import { PayctlError, UsageError } from '../errors.ts';
import { KnownLists } from '../features/api/list-target.ts';
import { readingFlags } from '../features/export/export-flags.ts';
import { madeWith, requireWhole } from '../features/export/run-export.ts';
import { runSync } from '../features/export/run-sync.ts';
import { SYNC_COLUMNS, syncRecord } from '../features/export/shown-lists.ts';
import { readCopy } from '../features/export/state.ts';
import { sessionForLists, withProfile } from '../features/export/target.ts';
import { momentOf } from '../text/format.ts';
import { shellQuote } from '../text/shell.ts';

export default class Sync extends BaseCommand {
  static override readonly summary =
    'Update an export with records that were created, changed or deleted since then.';

  static override readonly description =
    `If a list can be filtered by the time of the last change, payctl requests only changed records. Otherwise it reads the whole
list, and writes only what is new or changed, and a row with _deleted for each record that is gone.`;

  static override readonly args = {
    resource: optionalArgument('Resources to sync; by default all of the export.'),
  };

  static override readonly flags = {
    ...connectionFlags(),
    ...inGroup('FILES', {
      to: textFlag({ summary: 'Directory of the export. Required.', helpValue: 'DIR' }),
      compact: boolean({
        summary: 'Rewrite the files of each list, with the latest version of each record.',
      }),
    }),
    ...readingFlags('Sync only the lists of these merchant accounts, separated by commas.'),
    ...inGroup('READING', {
      overlap: textFlag({
        summary: 'Request changes from this long before the newest change in the copy. Default: 10m.',
        helpValue: 'DURATION',
      }),
      full: boolean({ summary: 'Read every list in full, which also finds deleted records.' }),
      every: textFlag({
        summary: 'Repeat the sync, and wait this long between runs.',
        helpValue: 'DURATION',
      }),
    }),
    ...recordFlags(),
  };

  static override readonly strict = false;

  static override readonly examples = [
    { description: 'Sync all of an export:', command: 'payctl sync --to ./copy --profile emulator' },
    { description: 'Sync one list every 15 minutes:', command: 'payctl sync buyers --to ./copy --every 15m' },
  ];

  async run(): Promise<void> {
    const { flags, argv } = await this.parse(Sync);
    const { to: directory, every } = flags;
    if (directory === undefined) throw missingDirectory();
    const overlapMs = parseDuration(flags.overlap ?? '10m', '--overlap', OVERLAPS);
    const intervalMs = every === undefined ? undefined : parseDuration(every, '--every', INTERVALS);
    const lists = await KnownLists.open({ environment: this.runtime.environment, profile: flags.profile });
    const { settings, lists: entries } = readCopy(directory);
    const isWhole = argv.length === 0;
    const words = isWhole ? entries.map(({ resource }) => resource) : argv.map(String);
    const targets = await lists.find(words, isWhole ? madeWith(settings) : undefined);
    const session = this.openSession(...sessionForLists(flags, targets));
    const { display, signal } = session;
    const once = async () => {
      const results = await runSync({
        session,
        version: this.runtime.version,
        directory,
        flags,
        overlapMs,
        targets,
        settings,
      });
      await showRecords(display, results.map(syncRecord), { flags, columns: SYNC_COLUMNS });
      requireWhole(results, directory, withProfile(`payctl sync --to ${shellQuote(directory)}`, session));
    };
    if (intervalMs === undefined) return await once();
    for (;;) {
      const next = () => `${momentOf(new Date())}. Next sync in ${every}`;
      try {
        await once();
        display.info(`Synced at ${next()}.`);
      } catch (error) {
        const cause = error instanceof Error ? (error.cause ?? error) : error;
        if (!(cause instanceof PayctlError) || !mayPass(cause)) throw error;
        display.warn('sync_failed', `${cause.message}. Failed at ${next()}`);
      }
      await sleep(intervalMs, signal);
    }
  }
}

/** From a second to 30 days. */
const OVERLAPS: DurationRange = {
  units: ['s', 'm', 'h', 'd'],
  examples: ['30s', '15m', '1h'],
  longest: { count: 30, unit: 'd', words: '30 days' },
};

/** A timer takes no more than 24 days. */
const INTERVALS: DurationRange = { ...OVERLAPS, longest: { count: 7, unit: 'd', words: '7 days' } };

function missingDirectory(): UsageError {
  return new UsageError('missing_argument', 'Missing --to DIR: the directory of the export', {
    hint: 'For example: payctl sync --to ./copy',
  });
}
