import { BaseCommand } from '../../cli/base-command.ts';
import { recordFlags } from '../../cli/flags/list.ts';
import { recordPrinter } from '../../cli/show-document.ts';
import { emulatorDirectory } from '../../config/environment.ts';
import { resetEmulator } from '../../emulator/serving.ts';

export default class EmulatorReset extends BaseCommand {
  static override readonly summary =
    "Delete the emulator's data and signing keys; the next start creates new ones.";

  static override readonly columns = [
    { header: 'DIRECTORY', path: 'directory' },
    { header: 'DELETED', path: 'deleted' },
  ];

  static override readonly flags = { ...recordFlags() };

  static override readonly examples = [
    { description: 'Reset the emulator:', command: 'payctl emulator reset' },
  ];

  async run(): Promise<void> {
    const { flags } = await this.parse(EmulatorReset);
    const display = this.openDisplay(flags);
    const print = await recordPrinter(display, flags);
    const directory = emulatorDirectory(this.runtime.environment);
    const deleted = resetEmulator(directory);
    await print({ directory, deleted });
    display.info(
      deleted.length === 0 ? 'There was nothing to delete.' : 'The next start generates new data.',
    );
  }
}
