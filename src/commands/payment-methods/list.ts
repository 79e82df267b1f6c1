import { listCommand } from '../../cli/list-command.ts';

export default listCommand('listPaymentMethods', {
  summary: 'List stored payment methods.',
  description: `Shows the type, buyer, status and expiry date of each payment method. The service masks personal data of the buyer unless
you add --reveal-pii.`,
  noun: 'payment methods',
  columns: [
    { header: 'ID', path: 'id', priority: 10 },
    { header: 'METHOD', path: 'method', priority: 6 },
    { header: 'SCHEME', path: 'scheme', priority: 9 },
    { header: 'LABEL', path: 'label', minWidth: 6, priority: 9 },
    { header: 'STATUS', path: 'status', minWidth: 9, priority: 9 },
    { header: 'EXPIRES', path: 'expiration_date', priority: 8 },
    { header: 'BUYER', path: 'buyer.display_name', minWidth: 12, priority: 7 },
    { header: 'BUYER ID', path: 'buyer.id', priority: 3 },
    { header: 'EXTERNAL ID', path: 'external_identifier', minWidth: 10, priority: 4 },
    { header: 'CREATED', path: 'created_at', priority: 5 },
  ],
  examples: [
    {
      description: 'List failed payment methods:',
      command: 'payctl payment-methods list --status failed --profile emulator',
    },
    {
      description: 'List the payment methods of a buyer, by external identifier:',
      command: 'payctl payment-methods list --buyer-external-identifier buyer-000100 --profile emulator',
    },
    {
      description: 'Export expiry dates for a spreadsheet:',
      command:
        'payctl payment-methods list --all -o csv --columns id,scheme,expiration_date --profile emulator',
    },
  ],
});
