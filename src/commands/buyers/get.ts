import { getCommand } from '../../cli/get-command.ts';

export default getCommand('listBuyers', {
  noun: 'buyer',
  description: `The service masks personal data unless you add --reveal-pii. payctl buyers find also searches names.`,
  identifier: 'external_identifier',
  examples: [
    {
      description: 'Show a buyer by external identifier:',
      command: 'payctl buyers get buyer-000249 --profile emulator',
    },
  ],
});
