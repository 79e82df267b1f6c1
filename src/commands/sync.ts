import { string } from '@oclif/core/args';
import { boolean } from '@oclif/core/flags';
import { BaseCommand } from '../cli/base-command.ts';
import { connectionFlags } from '../cli/flags/global.ts';
import { recordFlags } from '../cli/flags/list.ts';
import { textFlag } from '../cli/flags/types.ts';
import { showRecords } from '../cli/show/show-document.ts';
import { mayPass } from '../cli/tail/failure-run.ts';
import { sleep } from '../client/deadline.ts';
import { type DurationRange, parseDuration } from '../config/values.ts';
import { PayctlError } from '../errors.ts';
import { KnownLists } from '../features/api/list-target.ts';
import { readingFlags } from '../features/export/export-flags.ts';
import { requireWhole } from '../features/export/run-export.ts';
import { runSync } from '../features/export/run-sync.ts';
import { SYNC_COLUMNS, syncRecord } from '../features/export/shown-lists.ts';
import { readCopy } from '../features/export/state.ts';
import { sessionForLists } from '../features/export/target.ts';
import { shellQuote } from '../text/format.ts';

export default class Sync extends BaseCommand {
  static override readonly summary = 'Add to an export what is new, changed or gone since then.';

  static override readonly description =
    `Where the service can filter a list by the time of changes, payctl asks for those. Otherwise it reads the whole list, and writes
only what is new or changed, and a marker for each record that is gone.`;

  static override readonly args = {
    resource: string({ ignoreStdin: true, description: 'Resources to sync; by default all of the export.' }),
  };

  static override readonly flags = {
    ...connectionFlags(),
    to: textFlag({
      required: true,
      summary: 'Directory of the export.',
      helpGroup: 'FILES',
      helpValue: 'DIR',
    }),
    compact: boolean({
      summary: 'Rewrite the files of each list, with the latest version of each record.',
      helpGroup: 'FILES',
    }),
    ...readingFlags('Sync only the lists of these merchant accounts, separated by commas.'),
    overlap: textFlag({
      summary: 'Ask for changes from this long before the newest one in the copy. Default: 10m.',
      helpGroup: 'READING',
      helpValue: 'DURATION',
    }),
    full: boolean({
      summary: 'Read the whole lists, which also finds records that are gone.',
      helpGroup: 'READING',
    }),
    every: textFlag({
      summary: 'Sync again and again, with this much time in between.',
      helpGroup: 'READING',
      helpValue: 'DURATION',
    }),
    ...recordFlags(),
  };

  static override readonly strict = false;

  static override readonly examples = [
    { description: 'Sync all of an export:', command: 'payctl sync --to ./copy' },
    { description: 'Sync one list every 15 minutes:', command: 'payctl sync buyers --to ./copy --every 15m' },
  ];

  async run(): Promise<void> {
    const { flags, argv } = await this.parse(Sync);
    const { to: directory, every } = flags;
    const overlapMs = parseDuration(flags.overlap ?? '10m', '--overlap', OVERLAPS);
    const intervalMs = every === undefined ? undefined : parseDuration(every, '--every', INTERVALS);
    const lists = await KnownLists.open({ environment: this.runtime.environment, profile: flags.profile });
    const { settings, lists: entries } = readCopy(directory);
    const targets = await lists.find(
      argv.length === 0 ? entries.map(({ resource }) => resource) : argv.map(String),
    );
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
      requireWhole(results, directory, `payctl sync --to ${shellQuote(directory)}`);
    };
    if (intervalMs === undefined) return await once();
    for (;;) {
      await once().catch((error: unknown) => {
        const cause = error instanceof Error ? (error.cause ?? error) : error;
        if (!(cause instanceof PayctlError) || !mayPass(cause)) throw error;
        display.warn('sync_failed', `${cause.message}. Next sync in ${every}`);
      });
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
