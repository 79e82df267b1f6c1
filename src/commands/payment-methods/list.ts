import { listCommand } from '../../cli/list-command.ts';
import { PAYMENT_METHOD_COLUMNS } from '../../cli/show/columns/payment-methods.ts';

export default listCommand('listPaymentMethods', {
  summary: 'List stored payment methods.',
  description: `Shows the type, buyer, status and expiry date of each payment method. The service masks personal data of the buyer unless
you add --reveal-pii.`,
  noun: 'payment methods',
  columns: PAYMENT_METHOD_COLUMNS,
  examples: [
    {
      description: 'List failed payment methods:',
      command: 'payctl payment-methods list --status failed --profile emulator',
    },
    {
      description: "List a buyer's payment methods by external identifier:",
      command: 'payctl payment-methods list --buyer-external-identifier buyer-000100 --profile emulator',
    },
    {
      description: 'Export expiry dates for a spreadsheet:',
      command:
        'payctl payment-methods list --all -o csv --columns id,scheme,expiration_date --profile emulator',
    },
  ],
});
