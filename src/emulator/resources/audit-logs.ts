import type {
  AuditLog,
  AuditLogAction,
  AuditLogResource,
  AuditLogUser,
} from '../../contract/generated/types.ts';
import { type EmulatorDatabase, insertRow } from '../store/database.ts';
import type { ListQuery } from '../store/keyset.ts';
import { answerPage } from '../store/pages.ts';
import type { Handler } from './handler.ts';

/** An audit log entry as the emulator keeps it: with every field that lists are sorted and filtered by. */
export type StoredAuditLog = AuditLog & {
  readonly merchant_account_id: string;
  readonly timestamp: string;
  readonly action: AuditLogAction;
  readonly resource: AuditLogResource & { readonly type: string };
  readonly user: AuditLogUser & { readonly id: string };
};

/** The filters of GET /audit-logs. */
export type AuditLogFilters = {
  readonly merchantAccount: string;
  readonly action: AuditLogAction | undefined;
  readonly userId: string | undefined;
  readonly resourceType: string | undefined;
};

/** Adds an entry to the audit log. */
export function insertAuditLog(database: EmulatorDatabase, entry: StoredAuditLog): void {
  insertRow(database, 'audit_logs', {
    id: entry.id,
    merchant_account_id: entry.merchant_account_id,
    created_ms: Date.parse(entry.timestamp),
    action: entry.action,
    user_id: entry.user.id,
    resource_type: entry.resource.type,
    document: JSON.stringify(entry),
  });
}

/** What GET /audit-logs reads under these filters, each of which takes its value exactly. */
export function auditLogListing(filters: AuditLogFilters): ListQuery {
  const values = {
    merchant_account_id: filters.merchantAccount,
    action: filters.action,
    user_id: filters.userId,
    resource_type: filters.resourceType,
  };
  const conditions = Object.entries(values).flatMap(([column, value]) =>
    value === undefined ? [] : [{ sql: `${column} = ?`, values: [value] }],
  );
  return { table: 'audit_logs', document: 'document', filters: conditions };
}

/** GET /audit-logs: activity of dashboard users, newest first (specification, GET /audit-logs). */
export const listAuditLogs: Handler<'listAuditLogs'> = (context) => {
  const { action, user_id: userId, resource_type: resourceType } = context.query;
  const { merchantAccount } = context;
  return answerPage(context, auditLogListing({ merchantAccount, action, userId, resourceType }));
};
