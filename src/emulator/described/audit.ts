import { timestamp } from '../clock.ts';
import type { EmulatorDatabase } from '../store/database.ts';
import { createIds } from '../store/ids.ts';
import { isStatusAfter } from './words.ts';

/** A change of a record. */
export type Audited = {
  /** `created`, `updated`, `deleted`, or the verb of an action. */
  readonly action: string;
  readonly account: string;
  /** Who made it: the subject of the token. */
  readonly subject: string | undefined;
  readonly now: Date;
  /** The kind of the record, such as `payment-link`. */
  readonly type: string;
  readonly id: string;
  /** The name in its document; undefined if it has none. */
  readonly name?: string | undefined;
};

/** The actions that the contract names. */
const ACTIONS = ['created', 'updated', 'deleted', 'voided', 'canceled', 'captured'];

const insertion = `INSERT INTO audit_logs
  (id, merchant_account_id, created_ms, action, user_id, resource_type, document) VALUES (?, ?, ?, ?, ?, ?, ?)`;

const nextId = createIds();

/** Writes a change into the audit log. An action that the contract does not name is logged as an update. */
export function recordAuditLog(database: EmulatorDatabase, audited: Audited): void {
  const { account, subject = null, now, type, id } = audited;
  const name = audited.name ?? type.replaceAll('-', ' ').replace(/^./, (letter) => letter.toUpperCase());
  const action =
    ACTIONS.find((word) => word === audited.action || isStatusAfter(audited.action, word)) ?? 'updated';
  const log = {
    type: 'audit-log',
    id: nextId(),
    merchant_account_id: account,
    timestamp: timestamp(now),
    action,
    resource: { type, id, name },
    ...(subject !== null && {
      user: { type: 'user', id: subject, name: subject, is_staff: false, status: 'active' },
    }),
  };
  database.prepare(insertion).run(log.id, account, now.getTime(), action, subject, type, JSON.stringify(log));
}
