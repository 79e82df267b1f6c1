import { BaseCommand } from '../../cli/base-command.ts';
import { dataDirectory, directoryFlag } from '../../cli/flags/emulator-directory.ts';
import { recordFlags } from '../../cli/flags/list.ts';
import { recordPrinter } from '../../cli/show/show-document.ts';
import { stopEmulator } from '../../emulator/stop.ts';

export default class EmulatorStop extends BaseCommand {
  static override readonly summary = 'Stop the running emulator and keep its data.';

  static override readonly description =
    'Waits until the emulator has ended. If none is running, says so; the exit code is 0 in both cases.';

  static override readonly columns = [
    { header: 'STOPPED', path: 'stopped' },
    { header: 'BASE URL', path: 'base_url' },
    { header: 'PID', path: 'pid' },
    { header: 'DIRECTORY', path: 'directory' },
  ];

  static override readonly flags = { ...directoryFlag(), ...recordFlags() };

  static override readonly examples = [
    { description: 'Stop the emulator:', command: 'payctl emulator stop' },
  ];

  async run(): Promise<void> {
    const { flags } = await this.parse(EmulatorStop);
    const display = this.openDisplay(flags);
    const print = await recordPrinter(display, flags);
    const directory = dataDirectory(flags, this.runtime.environment);
    const stopped = await stopEmulator(directory);
    await print({
      stopped: stopped !== undefined,
      base_url: stopped?.baseUrl ?? null,
      pid: stopped?.pid ?? null,
      directory,
    });
    if (!stopped) display.info('No emulator was running.');
  }
}
