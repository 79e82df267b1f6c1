import { getCommand } from '../../cli/get-command.ts';

export default getCommand('listDigitalWallets', {
  noun: 'digital wallet',
  examples: [
    {
      description: 'Show a digital wallet:',
      command: 'payctl digital-wallets get d65a7eff-2e76-4b68-8ad8-4876a6cd0e9a --profile emulator',
    },
  ],
});
