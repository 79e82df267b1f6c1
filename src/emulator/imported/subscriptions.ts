import { madeSecret, secretsIn } from '../webhooks/receivers.ts';
import { type RecordedChange, recordEvent } from '../webhooks/record-event.ts';
import type { OperationRequest } from './call.ts';
import type { Kind } from './kinds.ts';
import type { Document } from './overlay.ts';

/** Whether the records of a kind are subscriptions to events, as far as they have a `url`. */
export function isWebhookKind({ noun }: Kind): boolean {
  return /webhook/i.test(noun);
}

/** A change of such a record: it has effect at once. */
type SubscriptionChange = RecordedChange & { readonly kind: Kind; readonly record: Document };

/** Lets a change of a subscription take effect, and makes its event. A created one gets its own event, a deleted one does not. */
export function recordSubscription(call: OperationRequest, change: SubscriptionChange): void {
  const { keys } = call.records.tables.database;
  // What a rolled back change would have left in the cache is cleared, too.
  keys.clear();
  if (call.records.own.has(change.kind.path)) completeOwn(call, change);
  else keep(call, change);
  recordEvent(call.context, change);
  keys.clear();
}

/** A subscription of the contract has a secret, which a description may not require. */
function completeOwn({ records }: OperationRequest, { id, past }: SubscriptionChange): void {
  const { database } = records.tables;
  const sql = `UPDATE webhook_subscriptions SET document = json_set(document, '$.secret', ?)
    WHERE id = ? AND document ->> '$.secret' IS NULL`;
  if (past !== 'deleted') database.prepare(sql).run(madeSecret(database, id), id);
}

function keep(call: OperationRequest, { kind, id, past, record, document }: SubscriptionChange): void {
  const { records, body } = call;
  const { database, description } = records.tables;
  const account = records.takesAccount(kind) ? call.context.merchantAccount : '';
  const key = JSON.stringify([description, kind.path, account, id]);
  if (past === 'deleted' || typeof record.url !== 'string') {
    database.prepare('DELETE FROM webhook_endpoints WHERE key = ?').run(key);
    return;
  }
  const known = database.prepare('SELECT secrets FROM webhook_endpoints WHERE key = ?').get(key);
  // The schema of the record may not show the secret that a body has.
  const given = [...new Set([...secretsIn(body), ...secretsIn(record)])];
  const secrets = known && given.length === 0 ? String(known.secrets) : JSON.stringify(given);
  const sql = 'INSERT OR REPLACE INTO webhook_endpoints VALUES (?, ?, ?, ?, ?)';
  database.prepare(sql).run(key, description, account, document, secrets);
}
