import type { VerificationJwk } from '../../tokens/verify.ts';
import type { EmulatorDatabase } from './database.ts';

/** The facts that a database keeps about itself. */
export type MetaName = 'seed' | 'buyers' | 'until' | 'cursor_secret' | 'signing_key_digest' | 'description';

/** Reads a fact; undefined when the database does not hold it. */
export function readMeta(database: EmulatorDatabase, name: MetaName): string | undefined {
  const value = database.prepare('SELECT value FROM meta WHERE name = ?').get(name)?.value;
  return typeof value === 'string' ? value : undefined;
}

/** The day on which the seeded past ends, such as `2025-12-01`, which is that of data that does not say. */
export function readUntil(database: EmulatorDatabase): string {
  return readMeta(database, 'until') ?? '2025-12-01';
}

/** Whether the database has the tables of events. Data of earlier versions has not; they are made without replacing it. */
export function hasWebhookTables(database: EmulatorDatabase): boolean {
  const sql = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'webhook_endpoints'";
  return database.prepare(sql).get() !== undefined;
}

/** Writes a fact over what was there. */
export function writeMeta(database: EmulatorDatabase, name: MetaName, value: string): void {
  database.prepare('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)').run(name, value);
}

/** `restricted` keys sign tokens that authenticate and are then forbidden everything; `revoked` ones count as unknown. */
export type ApiKeyStatus = 'active' | 'restricted' | 'revoked';

/** The public half of a key whose tokens the emulator verifies. */
export type ApiKey = {
  readonly jwk: VerificationJwk;
  readonly status: ApiKeyStatus;
  /** The one merchant account that its tokens may be used for. */
  readonly merchantAccount?: string | undefined;
};

/** Registers a public key under its key id, in the place of any key of that id. */
export function registerKey(database: EmulatorDatabase, keyId: string, key: ApiKey): void {
  database
    .prepare('INSERT OR REPLACE INTO api_keys (kid, jwk, status, merchant_account_id) VALUES (?, ?, ?, ?)')
    .run(keyId, JSON.stringify(key.jwk), key.status, key.merchantAccount ?? null);
  database.keys.clear();
}

/** Finds the key of a token's `kid`; undefined when it is not registered or is revoked. */
export function findKey(database: EmulatorDatabase, keyId: string): ApiKey | undefined {
  const limits = findKeyLimits(database, keyId);
  if (limits === undefined) return undefined;
  const row = database.prepare('SELECT jwk FROM api_keys WHERE kid = ?').get(keyId);
  return { jwk: JSON.parse(String(row?.jwk)) as VerificationJwk, ...limits };
}

/** What a registered key may be used for. */
export type KeyLimits = {
  readonly status: 'active' | 'restricted';
  readonly merchantAccount: string | undefined;
};

/** The limits of a registered key that is not revoked; cheaper than finding the key. */
export function findKeyLimits(database: EmulatorDatabase, keyId: string): KeyLimits | undefined {
  const sql = 'SELECT status, merchant_account_id FROM api_keys WHERE kid = ?';
  const row = database.keys.cached(`key ${keyId}`, () => database.prepare(sql).get(keyId));
  if (row?.status !== 'active' && row?.status !== 'restricted') return undefined;
  const { status, merchant_account_id: account } = row;
  return { status, merchantAccount: account === null ? undefined : String(account) };
}
