import { BaseCommand } from '../../cli/base-command.ts';
import { DIGITAL_WALLET_COLUMNS } from '../../cli/catalog/columns.ts';
import { connectionFlags } from '../../cli/flags/global.ts';
import { followFlags, outputFlags } from '../../cli/flags/list.ts';
import { showList } from '../../cli/show-list.ts';

export default class DigitalWalletsList extends BaseCommand {
  static override readonly summary = 'List the configured digital wallets, their domains and certificates.';

  static override readonly description = `The service gives all of them at once.`;

  static override readonly columns = DIGITAL_WALLET_COLUMNS;

  static override readonly flags = {
    ...followFlags(),
    ...outputFlags(),
    ...connectionFlags(),
  };

  static override readonly examples = [
    { description: 'Look:', command: 'payctl digital-wallets list --profile emulator' },
  ];

  async run(): Promise<void> {
    const { flags } = await this.parse(DigitalWalletsList);
    const session = this.openSession(flags);
    const client = await session.client();
    await showList(session, client.digitalWallets, {
      query: {},
      flags,
      columns: DIGITAL_WALLET_COLUMNS,
      noun: 'digital wallets',
    });
  }
}
