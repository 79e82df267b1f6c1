import { getCommand } from '../../cli/get-command.ts';

export default getCommand('listPaymentMethods', {
  noun: 'payment method',
  description: `The service masks personal data of the buyer unless you add --reveal-pii.`,
  identifier: 'external_identifier',
  within: ['buyer_id', 'buyer_external_identifier'],
  examples: [
    {
      description: 'Show a payment method:',
      command: 'payctl payment-methods get 3d7cd5ac-e59f-4624-bf7a-726748ecd09e --profile emulator',
    },
  ],
});
