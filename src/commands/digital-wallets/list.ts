import { listCommand } from '../../cli/list-command.ts';
import { textOf } from '../../cli/show/cells.ts';

const CERTIFICATES = ['active', 'pending', 'expired'];

export default listCommand('listDigitalWallets', {
  summary: 'List the configured digital wallets, their domains and certificates.',
  description: `The service returns all digital wallets in one response.`,
  noun: 'digital wallets',
  columns: [
    { header: 'PROVIDER', path: 'provider', minWidth: 12, priority: 10 },
    {
      header: 'CERTIFICATES',
      path: 'active_certificate_count',
      parts: CERTIFICATES.map((state) => `${state}_certificate_count`),
      cell: certificates,
      tone: (item) => (Number(textOf(item, 'expired_certificate_count')) > 0 ? 'red' : undefined),
      minWidth: 31,
      priority: 10,
    },
    { header: 'DOMAINS', path: 'domain_names', minWidth: 24, goodWidth: 33, priority: 9 },
    { header: 'MERCHANT', path: 'merchant_name', minWidth: 10, goodWidth: 24, priority: 6 },
    { header: 'CREATED', path: 'created_at', priority: 3 },
    { header: 'ID', path: 'id', shortens: true, priority: 10 },
  ],
  examples: [
    { description: 'List the digital wallets:', command: 'payctl digital-wallets list --profile emulator' },
  ],
});

/** `1 active, 2 expired`: how many certificates are in each state. */
function certificates(item: unknown): string {
  const counts = CERTIFICATES.map((state) => [textOf(item, `${state}_certificate_count`), state] as const);
  const some = counts.filter(([count]) => count !== '' && count !== '0').map((pair) => pair.join(' '));
  return some.join(', ') || 'none';
}
