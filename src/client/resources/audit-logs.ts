import { operations } from '../../contract/operations.ts';
import type { AuditLog, ListAuditLogsQuery } from '../../contract/types.ts';
import type { RequestContext } from '../call.ts';
import { createListing, type Listing } from '../listing.ts';

/** The methods of `client.auditLogs` (specification: GET /audit-logs). */
export type AuditLogs = Listing<AuditLog, ListAuditLogsQuery>;

/** Binds the listing of audit logs to a client's connections and settings. */
export function createAuditLogs(context: RequestContext): AuditLogs {
  return createListing(context, operations.listAuditLogs);
}
