import { BaseCommand } from '../../cli/base-command.ts';
import { emulatorDirectory } from '../../config/environment.ts';
import { findRunning } from '../../emulator/running.ts';

export default class EmulatorStatus extends BaseCommand {
  static override readonly summary = 'Show whether an emulator is running, and where.';

  static override readonly examples = [
    { description: 'Show whether an emulator is running:', command: 'payctl emulator status' },
    { description: 'Print its base URL for a script:', command: 'payctl emulator status --json' },
  ];

  async run(): Promise<void> {
    const { flags } = await this.parse(EmulatorStatus);
    const display = this.openDisplay(flags);
    const directory = emulatorDirectory(this.runtime.environment);
    const running = await findRunning(directory);
    const status = {
      running: running !== undefined,
      base_url: running?.baseUrl ?? null,
      pid: running?.pid ?? null,
      started_at: running?.startedAt ?? null,
      directory,
    };
    await display.showRecord(status);
    if (!running) display.info('No emulator is running; with --profile emulator, each command runs its own.');
  }
}
