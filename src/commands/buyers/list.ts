import { listCommand } from '../../cli/list-command.ts';

export default listCommand('listBuyers', {
  summary: 'List or search buyers.',
  description: `Shows one page of buyers, newest first; --all fetches all pages. The service masks personal data unless you add
--reveal-pii, which requires the scope buyers.billing-details.read.`,
  noun: 'buyers',
  columns: [
    { header: 'NAME', path: 'display_name', minWidth: 16, goodWidth: 26, priority: 10 },
    {
      header: 'EMAIL',
      path: 'billing_details.email_address',
      minWidth: 16,
      goodWidth: 28,
      priority: 9,
      personal: true,
    },
    { header: 'PHONE', path: 'billing_details.phone_number', minWidth: 14, priority: 3, personal: true },
    { header: 'COUNTRY', path: 'billing_details.address.country', priority: 7, personal: true },
    { header: 'EXTERNAL ID', path: 'external_identifier', minWidth: 12, priority: 9 },
    { header: 'CREATED', path: 'created_at', priority: 6 },
    { header: 'ID', path: 'id', shortens: true, priority: 10 },
  ],
  examples: [
    { description: 'Try it on the emulator:', command: 'payctl buyers list --profile emulator' },
    { description: 'Find a buyer:', command: 'payctl buyers list --search "guimarães" --profile emulator' },
    {
      description: 'Export every buyer, one JSON document per line:',
      command: 'payctl buyers list --all -o ndjson --profile emulator > buyers.ndjson',
    },
    {
      description: 'Export selected columns for a spreadsheet:',
      command:
        'payctl buyers list -o csv --columns id,display_name,billing_details.address.city --profile emulator',
    },
  ],
});
