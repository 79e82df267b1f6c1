import { BaseCommand } from '../../cli/base-command.ts';
import { EXIT } from '../../cli/failure/exit-code.ts';
import sample from '../../emulator/sample.json' with { type: 'json' };

export default class EmulatorDescribe extends BaseCommand {
  static override readonly summary = 'Print a sample API description to import.';

  static override readonly description =
    `It describes the transactions, refunds, payment links and reports of a fictional payment service. Once you import it for the
profile emulator, the emulator serves them.`;

  static override readonly examples = [
    { description: 'Write it to a file:', command: 'payctl emulator describe > payments.json' },
    {
      description: 'Let the emulator serve it:',
      command: 'payctl api import payments.json --profile emulator',
    },
  ];

  async run(): Promise<number> {
    const { flags } = await this.parse(EmulatorDescribe);
    const display = this.openDisplay(flags);
    if (display.format.isForPeople) await display.stdout.write(`${JSON.stringify(sample, null, 2)}\n`);
    else await display.showRecord(sample);
    return EXIT.done;
  }
}
