import { string } from '@oclif/core/args';
import { boolean } from '@oclif/core/flags';
import { BaseCommand } from '../cli/base-command.ts';
import { FlagError, textFlag } from '../cli/flags/types.ts';
import { connectionFlags } from '../cli/flags/global.ts';
import { recordFlags } from '../cli/flags/list.ts';
import { showRecords } from '../cli/show/show-document.ts';
import { UsageError } from '../errors.ts';
import { KnownLists } from '../features/api/list-target.ts';
import { fileFlags, readingFlags } from '../features/export/export-flags.ts';
import { listRecord } from '../features/export/finish-copy.ts';
import { requireWhole, runExport } from '../features/export/run-export.ts';
import { readCopy } from '../features/export/state.ts';
import { quote, shellQuote } from '../text/format.ts';

export default class Export extends BaseCommand {
  static override readonly summary = 'Copy whole lists to files, and prove that the copy is whole.';

  static override readonly args = {
    resource: string({ ignoreStdin: true, description: 'Resources to export, such as: buyers payment-methods.' }),
  };

  static override readonly flags = {
    ...connectionFlags(),
    ...readingFlags(),
    ...fileFlags(),
    to: textFlag({ summary: 'Export to this directory, which must be new or empty.', helpGroup: 'FILES', helpValue: 'DIR' }),
    resume: textFlag({ summary: 'Continue the export to this directory.', helpGroup: 'FILES', helpValue: 'DIR' }),
    list: boolean({ summary: 'List the resources that can be exported.', helpGroup: 'READING' }),
    'reveal-pii': boolean({ summary: 'Export personal data instead of ********.', helpGroup: 'READING' }),
    'reveal-secrets': boolean({ summary: 'Export secrets instead of ********.', helpGroup: 'READING' }),
    ...recordFlags(),
  };

  static override readonly strict = false;

  static override readonly examples = [
    { description: 'Export two lists:', command: 'payctl export buyers audit-logs --to ./copy --profile emulator' },
  ];

  async run(): Promise<void> {
    const { flags, argv } = await this.parse(Export);
    const lists = await KnownLists.open({ environment: this.runtime.environment, profile: flags.profile });
    if (flags.list) {
      const display = this.openDisplay(flags);
      return await showRecords(display, lists.all(), { flags, columns: [{ header: 'RESOURCE', path: 'resource' }, { header: 'SUMMARY', path: 'summary' }, { header: 'NEEDS', path: 'needs' }] });
    }
    const directory = flags.resume ?? flags.to;
    if (directory === undefined) throw new FlagError('--to is missing', 'Name the directory to export to: --to ./copy');
    const before = flags.resume === undefined ? undefined : readCopy(flags.resume);
    const words = argv.length > 0 || !before ? argv.map(String) : before.lists.map(({ resource }) => resource);
    if (words.length === 0) throw new UsageError('missing_argument', 'Missing the resources to export', { hint: 'For example: payctl export buyers --to ./copy' });
    const targets = await lists.find(words);
    const [account] = flags['merchant-account'] ?? [];
    const session = this.openSession({ ...flags, 'merchant-account': account }, {
      merchantHeader: targets.find(({ merchantHeader }) => merchantHeader)?.merchantHeader,
      takesOtherCredentials: targets.some(({ operation }) => operation.security !== undefined),
    });
    const results = await runExport({
      session,
      version: this.runtime.version,
      directory,
      flags,
      targets,
      queryOf: () => ({}),
      description: targets.find(({ description }) => description)?.description,
      begun: before?.settings,
    });
    await showRecords(session.display, results.map(listRecord), {
      flags,
      columns: ['resource', 'merchant_account', 'rows', 'files', 'bytes', 'repeated', 'state'].map((path) => ({ header: path.replaceAll('_', ' ').toUpperCase(), path })),
    });
    requireWhole(results, directory, `payctl export --resume ${shellQuote(directory)}`);
    session.display.info(`Exported to ${quote(directory)}. To check it: payctl export verify ${shellQuote(directory)}`);
  }
}
