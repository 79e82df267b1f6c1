import { BaseCommand } from '../../cli/base-command.ts';
import { argument } from '../../cli/flags/arguments.ts';
import { recordFlags } from '../../cli/flags/list.ts';
import { showRecords } from '../../cli/show/show-document.ts';
import { OutputError } from '../../errors.ts';
import { SCHEMA_FILE } from '../../features/export/finish-copy.ts';
import { VERIFIED_COLUMNS, verifiedRecords } from '../../features/export/shown-lists.ts';
import { type Damage, verifyCopy } from '../../features/export/verify.ts';
import { listValues, plural, quote } from '../../text/format.ts';
import { shellQuote } from '../../text/shell.ts';

export default class ExportVerify extends BaseCommand {
  static override readonly summary =
    'Read every file of an export, and compare it with the manifest. Nothing is sent.';

  static override readonly args = {
    directory: argument('Directory of the export.'),
  };

  static override readonly flags = { ...recordFlags() };

  static override readonly examples = [
    { description: 'Check an export:', command: 'payctl export verify ./copy' },
  ];

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ExportVerify);
    const display = this.openDisplay(flags);
    let files = 0;
    let current = '';
    display.progress.start(() => `Reading ${current}, ${plural(files, 'file')} so far`);
    const verified = await verifyCopy(args.directory, {
      version: this.runtime.version,
      signal: display.signal,
      onPart: (file) => {
        files += 1;
        current = file;
      },
    }).finally(() => display.progress.stop());
    await showRecords(display, verifiedRecords(verified), { flags, columns: VERIFIED_COLUMNS });
    for (const { file, problem } of verified.damage)
      display.warn('file_damaged', `${file}: ${problem}`, { file });
    if (verified.damage.length > 0) throw damaged(args.directory, verified.damage);
    display.info(`The copy in ${quote(args.directory)} is whole.`);
  }
}

function damaged(directory: string, damage: readonly Damage[]): OutputError {
  const sync = `payctl sync --to ${shellQuote(directory)}`;
  const left = damage.filter(({ file }) => file !== SCHEMA_FILE);
  const names = listValues(left.map(({ file }) => file));
  const hint = () => {
    if (left.length === 0) return `To write it again, sync: ${sync}`;
    if (left.every(({ extra }) => extra === 'leftover'))
      return `An interrupted sync may have left them. To remove them, sync again: ${sync}`;
    if (left.some(({ extra }) => extra === undefined)) return 'Export again to another directory.';
    if (left.length < damage.length) return `Remove ${names}, then sync: ${sync}`;
    return `Everything that the manifest lists is intact. You only need to remove ${names}`;
  };
  return new OutputError('copy_damaged', `The copy in ${quote(directory)} is damaged`, { hint: hint() });
}
