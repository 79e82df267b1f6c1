import { boolean } from '@oclif/core/flags';
import { BaseCommand } from '../cli/base-command.ts';
import { optionalArgument } from '../cli/flags/arguments.ts';
import { connectionFlags } from '../cli/flags/global.ts';
import { recordFlags } from '../cli/flags/list.ts';
import { timeFlag } from '../cli/flags/time-filter.ts';
import { inGroup, textFlag } from '../cli/flags/types.ts';
import { showRecords } from '../cli/show/show-document.ts';
import { UsageError } from '../errors.ts';
import { KnownLists } from '../features/api/list-target.ts';
import { dltProgram } from '../features/export/dlt-source.ts';
import { fileFlags, readingFlags } from '../features/export/export-flags.ts';
import { madeWith, requireWhole, runExport } from '../features/export/run-export.ts';
import { EXPORT_COLUMNS, exportRecord, RESOURCE_COLUMNS } from '../features/export/shown-lists.ts';
import { readCopy } from '../features/export/state.ts';
import { sessionForLists, withProfile } from '../features/export/target.ts';
import { quote } from '../text/format.ts';
import { readTime } from '../text/instant.ts';
import { shellQuote } from '../text/shell.ts';

export default class Export extends BaseCommand {
  static override readonly summary =
    'Copy whole lists to files, with a manifest that shows whether the copy is whole.';

  static override readonly description =
    `RESOURCE is the name of a list command without list, built in or imported, such as buyers. Each file appears only when it is
complete, and manifest.json last. To continue an interrupted export, use --resume.`;

  static override readonly args = {
    resource: optionalArgument('Resources to export, such as: buyers payment-methods.'),
  };

  static override readonly flags = {
    ...connectionFlags(),
    ...inGroup('FILES', {
      to: textFlag({ summary: 'Export to this directory, which must be new or empty.', helpValue: 'DIR' }),
      resume: textFlag({
        summary: 'Continue the export to this directory.',
        helpValue: 'DIR',
        exclusive: ['to'],
      }),
    }),
    ...fileFlags(),
    ...readingFlags('Merchant accounts to read, separated by commas. Default: that of the profile.'),
    ...inGroup('READING', {
      since: timeFlag({ summary: 'Only records that were created at this time or later.' }),
      'print-dlt': boolean({
        summary: 'Print a Python program that loads the lists with dlt, and export nothing.',
        exclusive: ['to', 'resume'],
      }),
      list: boolean({ summary: 'List the resources that can be exported.' }),
      'reveal-pii': boolean({ summary: 'Export personal data unmasked.' }),
      'reveal-secrets': boolean({ summary: 'Export secrets unmasked.' }),
    }),
    ...recordFlags(),
  };

  static override readonly strict = false;

  static override readonly examples = [
    {
      description: 'Export two lists:',
      command: 'payctl export buyers audit-logs --to ./copy --profile emulator',
    },
    { description: 'Check the copy:', command: 'payctl export verify ./copy' },
    {
      description: 'Export to Parquet for two merchant accounts:',
      command:
        'payctl export payment-methods --merchant-account default,outlet --to ./parquet --format parquet --profile emulator',
    },
  ];

  async run(): Promise<void> {
    const { flags, argv } = await this.parse(Export);
    const lists = await KnownLists.open({ environment: this.runtime.environment, profile: flags.profile });
    if (flags.list) {
      const shown = { flags, columns: RESOURCE_COLUMNS };
      return await showRecords(this.openDisplay(flags), lists.all(), shown);
    }
    const since = flags.since === undefined ? undefined : readTime(flags.since, Date.now(), '--since')?.from;
    if (flags['print-dlt']) {
      if (argv.length === 0) throw missing('RESOURCE', 'the resources to load');
      const targets = await lists.find(argv.map(String));
      const session = this.openSession(...sessionForLists(flags, targets));
      const { version } = this.runtime;
      return await session.display.stdout.write(dltProgram({ session, version, flags, targets, since }));
    }
    const directory = flags.resume ?? flags.to;
    if (directory === undefined) throw missing('--to DIR', 'the directory to export to');
    const before = flags.resume === undefined ? undefined : readCopy(flags.resume);
    const resumed = argv.length === 0 ? before : undefined;
    const words = resumed?.lists.map(({ resource }) => resource) ?? argv.map(String);
    if (words.length === 0) throw missing('RESOURCE', 'the resources to export');
    const targets = await lists.find(words, resumed && madeWith(resumed.settings));
    const session = this.openSession(...sessionForLists(flags, targets));
    const results = await runExport({
      session,
      version: this.runtime.version,
      directory,
      flags,
      targets,
      since,
      before,
    });
    await showRecords(session.display, results.map(exportRecord), { flags, columns: EXPORT_COLUMNS });
    requireWhole(results, directory, withProfile(`payctl export --resume ${shellQuote(directory)}`, session));
    if (before?.lists.every(({ complete }) => complete))
      return session.display.info(`The export to ${quote(directory)} is already complete. Nothing was sent.`);
    session.display.info(
      `Exported to ${quote(directory)}. To check the copy: payctl export verify ${shellQuote(directory)}`,
    );
  }
}

function missing(name: string, what: string): UsageError {
  return new UsageError('missing_argument', `Missing ${name}: ${what}`, {
    hint: 'For example: payctl export buyers --to ./copy',
  });
}
