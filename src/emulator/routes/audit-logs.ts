import { answerPage } from '../answer-page.ts';
import { auditLogListing } from '../audit-logs-store.ts';
import type { Handler } from '../route-context.ts';

/** GET /audit-logs: activity of dashboard users, newest first (specification, GET /audit-logs). */
export const listAuditLogs: Handler<'listAuditLogs'> = (context) => {
  const { action, user_id: userId, resource_type: resourceType } = context.query;
  const { merchantAccount } = context;
  return answerPage(context, auditLogListing({ merchantAccount, action, userId, resourceType }));
};
