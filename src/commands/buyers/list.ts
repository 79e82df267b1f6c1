import { boolean } from '@oclif/core/flags';
import { BaseCommand } from '../../cli/base-command.ts';
import { BUYER_COLUMNS } from '../../cli/catalog/columns.ts';
import { connectionFlags } from '../../cli/flags/global.ts';
import { outputFlags, pagingFlags } from '../../cli/flags/list.ts';
import { textFlag } from '../../cli/flags/types.ts';
import { showList } from '../../cli/show-list.ts';

export default class BuyersList extends BaseCommand {
  static override readonly summary = 'List or search buyers.';

  static override readonly description =
    `Shows one page of buyers, newest first; --all follows the pages to the end. Personal data is masked by the service
unless --reveal-pii asks for it, which takes a token with the scope buyers.billing-details.read.`;

  static override readonly columns = BUYER_COLUMNS;

  static override readonly flags = {
    search: textFlag({
      summary: 'Keep buyers whose display name or external identifier matches.',
      helpValue: 'TEXT',
    }),
    'external-identifier': textFlag({
      summary: 'Keep the buyer with exactly this external identifier.',
      helpValue: 'ID',
    }),
    'reveal-pii': boolean({ summary: 'Ask for personal data in full.' }),
    ...pagingFlags(),
    ...outputFlags(),
    ...connectionFlags(),
  };

  static override readonly examples = [
    { description: 'Try it on the emulator:', command: 'payctl buyers list --profile emulator' },
    { description: 'Find a buyer:', command: 'payctl buyers list --search "guimarães" --profile emulator' },
    {
      description: 'Export every buyer, one JSON document per line:',
      command: 'payctl buyers list --all -o ndjson --profile emulator > buyers.ndjson',
    },
    {
      description: 'Choose the columns, for a spreadsheet:',
      command:
        'payctl buyers list -o csv --columns id,display_name,billing_details.address.city --profile emulator',
    },
  ];

  async run(): Promise<void> {
    const { flags } = await this.parse(BuyersList);
    const session = this.openSession(flags);
    const client = await session.client();
    await showList(session, client.buyers, {
      query: { search: flags.search, external_identifier: flags['external-identifier'] },
      flags,
      revealPii: flags['reveal-pii'],
      columns: BUYER_COLUMNS,
      noun: 'buyers',
    });
  }
}
