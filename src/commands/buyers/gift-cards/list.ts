import { listCommand } from '../../../cli/list-command.ts';

export default listCommand('listGiftCards', {
  summary: 'List the gift cards of a buyer, with their balances.',
  description: `Balances are integers, exactly as the service returns them; the currency has its own column.`,
  noun: 'gift cards',
  columns: [
    { header: 'ID', path: 'id', priority: 10 },
    { header: 'BIN', path: 'bin', priority: 6 },
    { header: 'LAST4', path: 'last4', priority: 9 },
    { header: 'BALANCE', path: 'balance', format: 'number', priority: 9 },
    { header: 'CURRENCY', path: 'currency', priority: 9 },
    { header: 'EXPIRES', path: 'expiration_date', format: 'time', priority: 7 },
    { header: 'BALANCE ERROR', path: 'balance_error_code', minWidth: 10, priority: 5 },
  ],
  examples: [
    {
      description: 'List the gift cards of a buyer:',
      command: 'payctl buyers gift-cards list --buyer-external-identifier buyer-000249 --profile emulator',
    },
  ],
});
