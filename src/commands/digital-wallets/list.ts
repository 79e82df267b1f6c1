import { listCommand } from '../../cli/list-command.ts';

export default listCommand('listDigitalWallets', {
  summary: 'List the configured digital wallets, their domains and certificates.',
  description: `The service returns all digital wallets in one response.`,
  noun: 'digital wallets',
  columns: [
    { header: 'ID', path: 'id', priority: 10 },
    { header: 'PROVIDER', path: 'provider', priority: 10 },
    { header: 'MERCHANT', path: 'merchant_name', minWidth: 10, priority: 7 },
    { header: 'DOMAINS', path: 'domain_names', minWidth: 24, priority: 9 },
    { header: 'ACTIVE', path: 'active_certificate_count', format: 'number', priority: 8 },
    { header: 'PENDING', path: 'pending_certificate_count', format: 'number', priority: 6 },
    { header: 'EXPIRED', path: 'expired_certificate_count', format: 'number', priority: 6 },
    { header: 'CREATED', path: 'created_at', priority: 3 },
  ],
  examples: [
    { description: 'List the digital wallets:', command: 'payctl digital-wallets list --profile emulator' },
  ],
});
