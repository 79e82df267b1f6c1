import { listResource } from './list-resource.ts';

// The resources whose records only the seed makes.

/** GET /audit-logs: the activity of dashboard users. */
export const auditLogs = listResource('listAuditLogs', {
  table: 'audit_logs',
  seed: async () => (await import('../seed/audit-logs.ts')).seedAuditLogs,
  filters: {
    action: ({ action }) => action,
    user_id: ({ user }) => user?.id,
    resource_type: ({ resource }) => resource?.type,
  },
});

/** GET /digital-wallets: all wallets of a merchant account at once. */
export const digitalWallets = listResource('listDigitalWallets', {
  table: 'digital_wallets',
  seed: async () => (await import('../seed/digital-wallets.ts')).seedDigitalWallets,
  filters: {},
});

/** GET /roles: the roles of the whole instance, since none belongs to a merchant account. */
export const roles = listResource('listRoles', {
  table: 'roles',
  seed: async () => (await import('../seed/roles.ts')).seedRoles,
  filters: {},
});

/** GET /webhook-subscriptions: sorted by a creation date that the contract does not show. */
export const webhookSubscriptions = listResource('listWebhookSubscriptions', {
  table: 'webhook_subscriptions',
  seed: async () => (await import('../seed/webhook-subscriptions.ts')).seedWebhookSubscriptions,
  filters: {},
});
