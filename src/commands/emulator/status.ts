import { existsSync } from 'node:fs';
import { BaseCommand } from '../../cli/base-command.ts';
import { dataDirectory, directoryFlag } from '../../cli/flags/emulator-directory.ts';
import { recordFlags } from '../../cli/flags/list.ts';
import { recordPrinter } from '../../cli/show/show-document.ts';
import { filesOf } from '../../emulator/data-files.ts';
import { findRunning, findServed } from '../../emulator/running.ts';
import { findServing } from '../../emulator/serving.ts';

export default class EmulatorStatus extends BaseCommand {
  static override readonly summary =
    'Show whether an emulator is running, where, and which API description it serves.';

  static override readonly columns = [
    { header: 'RUNNING', path: 'running' },
    { header: 'BASE URL', path: 'base_url' },
    { header: 'PID', path: 'pid' },
    { header: 'STARTED AT', path: 'started_at' },
    { header: 'DIRECTORY', path: 'directory' },
    { header: 'SIGNING KEY', path: 'signing_key' },
    { header: 'DESCRIPTION', path: 'description.title' },
    { header: 'OPERATIONS', path: 'description.operations' },
    { header: 'TRAFFIC', path: 'traffic' },
  ];

  static override readonly flags = { ...directoryFlag(), ...recordFlags() };

  static override readonly examples = [
    { description: 'Show whether an emulator is running:', command: 'payctl emulator status' },
    { description: 'Print its base URL for a script:', command: 'payctl emulator status --jq .base_url' },
  ];

  async run(): Promise<void> {
    const { flags } = await this.parse(EmulatorStatus);
    const display = this.openDisplay(flags);
    const print = await recordPrinter(display, flags);
    const directory = dataDirectory(flags, this.runtime.environment);
    const responding = await findRunning(directory);
    const { signingKey } = filesOf(directory);
    const running = responding ?? findServing(directory);
    const { description = null, traffic = null } = responding ? await findServed(directory) : {};
    const status = {
      running: running !== undefined,
      base_url: running?.baseUrl ?? null,
      pid: running?.pid ?? null,
      started_at: running?.startedAt ?? null,
      directory,
      signing_key: existsSync(signingKey) ? signingKey : null,
      description,
      traffic,
    };
    await print(status);
    if (running && !responding) display.info('The emulator does not respond; it is starting or suspended.');
    if (!running) display.info('No emulator is running; with --profile emulator, each command runs its own.');
  }
}
