import { isStatusAfter } from '../../descriptions/action-words.ts';
import { timestamp } from '../clock.ts';
import type { RouteContext } from '../resources/resource.ts';
import { createIds } from '../store/ids.ts';

/** A change of a record. */
type AuditedChange = {
  /** `created`, `updated`, `deleted`, or the verb of an action. */
  readonly action: string;
  /** The kind of the record, such as `payment-link`. */
  readonly type: string;
  readonly id: string;
  /** The name in its document; undefined if it has none. */
  readonly name?: string | undefined;
};

/** Where, when and by whom a change is made. */
type AuditContext = Pick<RouteContext, 'database' | 'merchantAccount' | 'subject' | 'now'>;

/** The actions that the contract names. */
const ACTIONS = ['created', 'updated', 'deleted', 'voided', 'canceled', 'captured'];

const insertion = `INSERT INTO audit_logs
  (id, merchant_account_id, created_ms, action, user_id, resource_type, document) VALUES (?, ?, ?, ?, ?, ?, ?)`;

const nextId = createIds();

/** Writes a change into the audit log. An action that the contract does not name is logged as an update. */
export function recordAuditLog(
  { database, merchantAccount: account, subject, now }: AuditContext,
  { action: verb, type, id, name = titled(type) }: AuditedChange,
): void {
  const action = ACTIONS.find((word) => word === verb || isStatusAfter(verb, word)) ?? 'updated';
  const log = {
    type: 'audit-log',
    id: nextId(),
    merchant_account_id: account,
    timestamp: timestamp(now),
    action,
    resource: { type, id, name },
    ...(subject !== undefined && {
      user: { type: 'user', id: subject, name: subject, is_staff: false, status: 'active' },
    }),
  };
  database
    .prepare(insertion)
    .run(log.id, account, now.getTime(), action, subject ?? null, type, JSON.stringify(log));
}

function titled(type: string): string {
  return type.replaceAll('-', ' ').replace(/^./, (letter) => letter.toUpperCase());
}
