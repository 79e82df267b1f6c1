import { getCommand } from '../../../cli/get-command.ts';

export default getCommand('listGiftCards', {
  noun: 'gift card',
  within: ['buyer_id', 'buyer_external_identifier'],
  examples: [
    {
      description: 'Show a gift card:',
      command: 'payctl buyers gift-cards get 1bc96416-12c8-4638-a57a-8835538fc180 --profile emulator',
    },
  ],
});
