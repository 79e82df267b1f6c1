import { OUTBOX_INDEXES, OUTBOX_TABLES } from '../../webhooks/sends.ts';
import type { EmulatorDatabase } from '../store/database.ts';

/** Events, with the request that made each, and the subscriptions of an imported description. */
const statements = [
  `CREATE TABLE webhook_events (
    row INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    event TEXT NOT NULL,
    target_type TEXT NOT NULL,
    target_id TEXT NOT NULL,
    account TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    body TEXT NOT NULL,
    request_id TEXT,
    request_method TEXT,
    request_path TEXT,
    subject TEXT
  ) STRICT`,
  'CREATE INDEX webhook_events_of_request ON webhook_events (request_id) WHERE request_id IS NOT NULL',
  `CREATE TABLE webhook_endpoints (
    key TEXT PRIMARY KEY,
    description TEXT NOT NULL,
    account TEXT NOT NULL,
    document TEXT NOT NULL,
    secrets TEXT NOT NULL
  ) STRICT, WITHOUT ROWID`,
  ...OUTBOX_TABLES,
  ...OUTBOX_INDEXES,
];

/** Makes the tables of events and deliveries where they are missing, as in data of an earlier version. */
export function createWebhookTables(database: EmulatorDatabase): void {
  database.inTransaction(() => {
    for (const statement of statements)
      database.execute(statement.replace(/^CREATE (TABLE|INDEX)/, 'CREATE $1 IF NOT EXISTS'));
  });
}
