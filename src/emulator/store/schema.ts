import { resourceIndexes, resourceTables } from '../resources/registry.ts';

/**
 * Version of the data, kept in `PRAGMA user_version`. It is raised when stored data means something else than before;
 * data of an older version is seeded again. Other tables need no new version, because they are compared.
 */
export const schemaVersion = 3;

/**
 * Every table. Resources are stored as the JSON text that is sent, next to the columns that a list sorts and filters
 * by, so that a page is a concatenation of rows.
 */
export const tables: readonly string[] = [
  'CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID',
  `CREATE TABLE api_keys (
    kid TEXT PRIMARY KEY,
    jwk TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('active', 'restricted', 'revoked')),
    merchant_account_id TEXT
  ) STRICT, WITHOUT ROWID`,
  'CREATE TABLE merchant_accounts (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID',
  ...resourceTables,
];

/** Every index; made after seeding, which is faster than keeping them while rows come in. */
export const indexes: readonly string[] = resourceIndexes;
