import { boolean } from '@oclif/core/flags';
import { BaseCommand } from '../../cli/base-command.ts';
import { dataDirectory, directoryFlag, stopCommand } from '../../cli/flags/emulator-directory.ts';
import { recordFlags } from '../../cli/flags/list.ts';
import { requireYes } from '../../cli/prompt/prompter.ts';
import { recordPrinter } from '../../cli/show/show-document.ts';
import { filesOf } from '../../emulator/data-files.ts';
import { findEmulatorData, resetEmulator } from '../../emulator/serving.ts';

export default class EmulatorReset extends BaseCommand {
  static override readonly summary =
    "Delete the emulator's data and signing keys; the next start creates new ones.";

  static override readonly columns = [
    { header: 'DIRECTORY', path: 'directory' },
    { header: 'DELETED', path: 'deleted' },
  ];

  static override readonly flags = {
    yes: boolean({ char: 'y', summary: 'Do not ask before deleting.' }),
    ...directoryFlag(),
    ...recordFlags(),
  };

  static override readonly examples = [
    { description: 'Reset the emulator:', command: 'payctl emulator reset --yes' },
  ];

  async run(): Promise<void> {
    const { flags } = await this.parse(EmulatorReset);
    const display = this.openDisplay(flags);
    const print = await recordPrinter(display, flags);
    const directory = dataDirectory(flags, this.runtime.environment);
    if (!flags.yes && findEmulatorData(directory, stopCommand(flags)).length > 0) {
      const { describeRecords } = await import('../../emulator/store/count-records.ts');
      const records = describeRecords(filesOf(directory).database) ?? 'none';
      const question = `Delete the emulator's data (records: ${records}) and signing keys in ${directory}?`;
      await requireYes(await this.runtime.prompter(), question, {
        message: "The emulator's data was not deleted",
        hint: 'Add --yes to delete it without confirmation.',
      });
    }
    const deleted = resetEmulator(directory, stopCommand(flags));
    await print({ directory, deleted });
    display.info(
      deleted.length === 0 ? 'There was nothing to delete.' : 'The next start generates new data.',
    );
  }
}
