import type { CheckoutSession } from '../contract/types.ts';
import type { EmulatorDatabase } from './database.ts';
import { insertRow } from './insert-row.ts';

/** A checkout session as the emulator keeps it. It is there until `expires_at`. */
export type StoredCheckoutSession = {
  readonly merchantAccount: string;
  readonly session: CheckoutSession & { readonly expires_at: string };
};

/** Which session a request is about, and when it came. */
export type SessionPlace = {
  readonly id: string;
  readonly merchantAccount: string;
  readonly now: Date;
};

const hour = 3600 * 1000;

/** When a session ends that was made at that moment (specification, Checkout session). */
export function defaultExpiry(createdMs: number): Date {
  return new Date(createdMs + hour);
}

/** Adds a checkout session. */
export function insertCheckoutSession(database: EmulatorDatabase, stored: StoredCheckoutSession): void {
  const { merchantAccount, session } = stored;
  insertRow(database, 'checkout_sessions', {
    id: session.id,
    merchant_account_id: merchantAccount,
    expires_ms: Date.parse(session.expires_at),
    document: JSON.stringify(session),
  });
}

/** The JSON text of a session of the merchant account; undefined when there is none or it has expired. */
export function findCheckoutSession(database: EmulatorDatabase, place: SessionPlace): string | undefined {
  const { id, merchantAccount, now } = place;
  const found = database
    .prepare(
      'SELECT document FROM checkout_sessions WHERE id = ? AND merchant_account_id = ? AND expires_ms > ?',
    )
    .get(id, merchantAccount, now.getTime());
  return found === undefined ? undefined : String(found.document);
}

/** Puts another JSON text, of the same session, in the place of the stored one. */
export function replaceCheckoutSession(database: EmulatorDatabase, id: string, document: string): void {
  database.prepare('UPDATE checkout_sessions SET document = ? WHERE id = ?').run(document, id);
}

/**
 * The external identifiers of the cart items in the other sessions of the account that have not expired, each with the
 * id of its session.
 */
export function cartItemHolders(
  database: EmulatorDatabase,
  place: SessionPlace,
): ReadonlyMap<string, string> {
  const { id, merchantAccount, now } = place;
  const sql = `SELECT item.value ->> 'external_identifier' AS identifier, session.id AS holder
    FROM checkout_sessions AS session, json_each(session.document, '$.cart_items') AS item
    WHERE session.merchant_account_id = ? AND session.id <> ? AND session.expires_ms > ? AND identifier IS NOT NULL`;
  const rows = database.prepare(sql).all(merchantAccount, id, now.getTime());
  return new Map(rows.map(({ identifier, holder }) => [String(identifier), String(holder)]));
}
