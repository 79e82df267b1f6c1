/** Version of the tables below, kept in `PRAGMA user_version`. A database of an older version is seeded anew. */
export const schemaVersion = 2;

/** How many API logs are kept; the oldest go first. */
export const apiLogCapacity = 10_000;

/**
 * Every table. Resources are stored as the JSON text that is sent, beside the columns that a list sorts and filters
 * by, so that a page is a concatenation of rows. A payment method's text ends before its buyer, who is put in on the
 * way out and so is never stored twice.
 */
export const tables = `
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE api_keys (
  kid TEXT PRIMARY KEY,
  jwk TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('active', 'restricted', 'revoked'))
) STRICT, WITHOUT ROWID;
CREATE TABLE merchant_accounts (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TABLE api_logs (
  sequence INTEGER PRIMARY KEY,
  merchant_account_id TEXT NOT NULL REFERENCES merchant_accounts (id),
  document TEXT NOT NULL
) STRICT;
CREATE TABLE buyers (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  merchant_account_id TEXT NOT NULL REFERENCES merchant_accounts (id),
  created_ms INTEGER NOT NULL,
  external_identifier TEXT,
  search_name TEXT,
  search_external_identifier TEXT,
  document TEXT NOT NULL,
  masked_document TEXT NOT NULL
) STRICT;
CREATE TABLE payment_methods (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  merchant_account_id TEXT NOT NULL,
  buyer_row INTEGER NOT NULL,
  created_ms INTEGER NOT NULL,
  status TEXT NOT NULL,
  external_identifier TEXT,
  head TEXT NOT NULL
) STRICT;
CREATE TABLE gift_cards (
  id TEXT PRIMARY KEY,
  merchant_account_id TEXT NOT NULL REFERENCES merchant_accounts (id),
  buyer_id TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  document TEXT NOT NULL
) STRICT;
CREATE TABLE audit_logs (
  id TEXT PRIMARY KEY,
  merchant_account_id TEXT NOT NULL REFERENCES merchant_accounts (id),
  created_ms INTEGER NOT NULL,
  action TEXT NOT NULL,
  user_id TEXT NOT NULL,
  resource_type TEXT NOT NULL,
  document TEXT NOT NULL
) STRICT;
CREATE TABLE webhook_subscriptions (
  id TEXT PRIMARY KEY,
  merchant_account_id TEXT NOT NULL REFERENCES merchant_accounts (id),
  created_ms INTEGER NOT NULL,
  document TEXT NOT NULL
) STRICT;
CREATE TABLE digital_wallets (
  id TEXT PRIMARY KEY,
  merchant_account_id TEXT NOT NULL REFERENCES merchant_accounts (id),
  created_ms INTEGER NOT NULL,
  document TEXT NOT NULL
) STRICT;
CREATE TABLE roles (id TEXT PRIMARY KEY, created_ms INTEGER NOT NULL, document TEXT NOT NULL) STRICT;
CREATE TABLE checkout_sessions (
  id TEXT PRIMARY KEY,
  merchant_account_id TEXT NOT NULL REFERENCES merchant_accounts (id),
  expires_ms INTEGER NOT NULL,
  document TEXT NOT NULL
) STRICT;
CREATE TABLE shipping_details (
  id TEXT PRIMARY KEY,
  buyer_id TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  document TEXT NOT NULL
) STRICT;
CREATE TABLE payment_service_definitions (
  id TEXT PRIMARY KEY,
  status_code INTEGER,
  code TEXT,
  response_body TEXT
) STRICT;
`;

/** Every index; made after seeding, which is faster than keeping them while rows come in. */
export const indexes = `
CREATE UNIQUE INDEX buyers_by_id ON buyers (id);
CREATE INDEX buyers_by_external_identifier ON buyers (merchant_account_id, external_identifier);
CREATE INDEX buyers_by_creation
  ON buyers (merchant_account_id, created_ms, id, search_name, search_external_identifier);
CREATE INDEX payment_methods_by_creation ON payment_methods (merchant_account_id, created_ms);
CREATE INDEX payment_methods_by_buyer ON payment_methods (buyer_row);
CREATE INDEX payment_methods_by_external_identifier
  ON payment_methods (external_identifier) WHERE external_identifier IS NOT NULL;
CREATE INDEX api_logs_by_merchant_account ON api_logs (merchant_account_id, sequence);
`;
