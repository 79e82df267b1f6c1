import { isStatusAfter, pastTense } from '../../descriptions/action-words.ts';
import { timestamp } from '../clock.ts';
import { insertRow } from '../store/database.ts';
import { createIds } from '../store/ids.ts';
import { type ChangeContext, type RecordedChange, recordEvent } from './record-event.ts';

/** The actions that the contract names. */
const ACTIONS = ['created', 'updated', 'deleted', 'voided', 'canceled', 'captured'];

const nextId = createIds();

/**
 * Writes a change into the audit log, and makes its event. `verb` is `created`, `updated`, `deleted` or an action; one that the contract does not
 * name is logged as an update.
 */
export function recordChange(
  context: ChangeContext,
  { verb, ...change }: Omit<RecordedChange, 'past'> & { readonly verb: string },
): void {
  const { database, merchantAccount: account, subject, now } = context;
  const { type, id, document } = change;
  const action = ACTIONS.find((word) => word === verb || isStatusAfter(verb, word)) ?? 'updated';
  const log = {
    type: 'audit-log',
    id: nextId(),
    merchant_account_id: account,
    timestamp: timestamp(now),
    action,
    resource: { type, id, name: nameIn(JSON.parse(document)) ?? titled(type) },
    ...(subject !== undefined && {
      user: { type: 'user', id: subject, name: subject, is_staff: false, status: 'active' },
    }),
  };
  insertRow(database, 'audit_logs', {
    id: log.id,
    merchant_account_id: account,
    created_ms: now.getTime(),
    action,
    user_id: subject ?? null,
    resource_type: type,
    document: JSON.stringify(log),
  });
  recordEvent(context, { ...change, past: pastTense(verb) });
}

function nameIn(record: { readonly [name in 'display_name' | 'name' | 'label']?: unknown }) {
  return [record.display_name, record.name, record.label].find((name) => typeof name === 'string');
}

function titled(type: string): string {
  return type.replaceAll('-', ' ').replace(/^./, (letter) => letter.toUpperCase());
}
