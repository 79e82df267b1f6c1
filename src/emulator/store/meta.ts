import type { VerificationJwk } from '../../tokens/verify.ts';
import type { EmulatorDatabase } from './database.ts';

/** The facts that a database keeps about itself. */
export type MetaName = 'seed' | 'buyers' | 'cursor_secret' | 'signing_key_digest';

/** Reads a fact; undefined when the database does not hold it. */
export function readMeta(database: EmulatorDatabase, name: MetaName): string | undefined {
  const value = database.prepare('SELECT value FROM meta WHERE name = ?').get(name)?.value;
  return typeof value === 'string' ? value : undefined;
}

/** Writes a fact over what was there. */
export function writeMeta(database: EmulatorDatabase, name: MetaName, value: string): void {
  database.prepare('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)').run(name, value);
}

/** `restricted` keys sign tokens that authenticate and are then forbidden everything; `revoked` ones count as unknown. */
export type ApiKeyStatus = 'active' | 'restricted' | 'revoked';

/** The public half of a key whose tokens the emulator verifies. */
export type ApiKey = { readonly jwk: VerificationJwk; readonly status: ApiKeyStatus };

/** Registers a public key under its key id, in the place of any key of that id. */
export function registerKey(database: EmulatorDatabase, keyId: string, key: ApiKey): void {
  database
    .prepare('INSERT OR REPLACE INTO api_keys (kid, jwk, status) VALUES (?, ?, ?)')
    .run(keyId, JSON.stringify(key.jwk), key.status);
}

/** Finds the key of a token's `kid`; undefined when it is not registered or is revoked. */
export function findKey(database: EmulatorDatabase, keyId: string): ApiKey | undefined {
  const status = findKeyStatus(database, keyId);
  if (status === undefined) return undefined;
  const row = database.prepare('SELECT jwk FROM api_keys WHERE kid = ?').get(keyId);
  return { jwk: JSON.parse(String(row?.jwk)) as VerificationJwk, status };
}

/** The status of a registered key that is not revoked; cheaper than finding the key. */
export function findKeyStatus(
  database: EmulatorDatabase,
  keyId: string,
): 'active' | 'restricted' | undefined {
  const status = database.cached(
    `key ${keyId}`,
    () => database.prepare('SELECT status FROM api_keys WHERE kid = ?').get(keyId)?.status,
  );
  return status === 'active' || status === 'restricted' ? status : undefined;
}
