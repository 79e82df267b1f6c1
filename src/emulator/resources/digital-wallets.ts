import { listResource } from './list-resource.ts';

/** GET /digital-wallets: all wallets of a merchant account at once. */
export const digitalWallets = listResource('listDigitalWallets', {
  table: 'digital_wallets',
  seed: async () => (await import('../seed/digital-wallets.ts')).seedDigitalWallets,
  filters: {},
});
