import { listResource } from './list-resource.ts';

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
