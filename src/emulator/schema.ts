/** Version of the tables below, kept in `PRAGMA user_version`. A database of an older version is seeded anew. */
export const schemaVersion = 1;

/** How many API logs are kept; the oldest go first. */
export const apiLogCapacity = 10_000;

/**
 * Every table. Resources are stored as the JSON text that is sent, beside the columns that a list sorts and filters
 * by, so that a page is a concatenation of rows.
 */
export const tables = `
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE api_keys (
  kid TEXT PRIMARY KEY,
  jwk TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('active', 'restricted', 'revoked'))
) STRICT, WITHOUT ROWID;
CREATE TABLE merchant_accounts (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TABLE api_logs (sequence INTEGER PRIMARY KEY, document TEXT NOT NULL) STRICT;
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
`;

/** Every index; made after seeding, which is faster than keeping them while rows come in. */
export const indexes = `
CREATE UNIQUE INDEX buyers_by_id ON buyers (id);
CREATE INDEX buyers_by_external_identifier ON buyers (merchant_account_id, external_identifier);
CREATE INDEX buyers_by_creation
  ON buyers (merchant_account_id, created_ms, id, search_name, search_external_identifier);
`;
