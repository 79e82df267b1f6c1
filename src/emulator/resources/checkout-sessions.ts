import { operations } from '../../contract/generated/operations.ts';
import type { CartItem, CheckoutSession } from '../../contract/generated/types.ts';
import { type KeptNumbers, parseKeepingNumbers } from '../../json/exact.ts';
import { timestamp } from '../clock.ts';
import { validBody } from '../http/body.ts';
import { HttpError } from '../http/response.ts';
import { type EmulatorDatabase, insertRow } from '../store/database.ts';
import type { Handler, Resource, RouteContext } from './resource.ts';

/** A checkout session as the emulator keeps it. It is there until `expires_at`, or an hour from each start of the emulator. */
export type StoredCheckoutSession = {
  readonly merchantAccount: string;
  /** Without `expires_at`, its hour begins with each start of the emulator. */
  readonly session: CheckoutSession;
  /** Whether the service refuses to show and change it. */
  readonly isLocked?: boolean;
};

const hour = 3600 * 1000;

/** When a session ends that was made at that moment (specification, Checkout session). */
export function defaultExpiry(createdMs: number): Date {
  return new Date(createdMs + hour);
}

/** Adds a checkout session. */
export function insertCheckoutSession(database: EmulatorDatabase, stored: StoredCheckoutSession): void {
  const { merchantAccount, session, isLocked = false } = stored;
  const { type, id, expires_at: expiresAt, ...rest } = session;
  insertRow(database, 'checkout_sessions', {
    id,
    merchant_account_id: merchantAccount,
    expires_ms: expiresAt === undefined ? null : Date.parse(expiresAt),
    is_locked: isLocked ? 1 : 0,
    document: JSON.stringify({ type, id, expires_at: expiresAt ?? timestamp(new Date(0)), ...rest }),
  });
}

/**
 * The ID of the session that a request is about, and its JSON text.
 * @throws HttpError `not_found` when there is none or it has expired, `forbidden` when it is locked
 */
function requireSession({ database, pathParameters, merchantAccount, now, startedAt }: RouteContext) {
  const { checkout_session_id: id = '' } = pathParameters;
  const fallback = defaultExpiry(startedAt.getTime());
  const sql = `SELECT is_locked, iif(expires_ms IS NULL, json_set(document, '$.expires_at', ?), document) AS document
    FROM checkout_sessions WHERE id = ? AND merchant_account_id = ? AND ifnull(expires_ms, ?) > ?`;
  const values = [timestamp(fallback), id, merchantAccount, fallback.getTime(), now.getTime()];
  const found = database.prepare(sql).get(...values);
  if (found === undefined) throw new HttpError('not_found');
  if (found.is_locked === 1) throw new HttpError('forbidden', { message: 'The checkout session is locked' });
  return { id, document: String(found.document) };
}

/** GET /checkout/sessions/{checkout_session_id}: the session until it expires (specification, same name). */
const getCheckoutSession: Handler<'getCheckoutSession'> = (context) => ({
  status: operations.getCheckoutSession.successStatus,
  body: requireSession(context).document,
});

/**
 * PUT /checkout/sessions/{checkout_session_id}: replaces each given field whole and keeps the others (specification, same
 * name). A null clears the field. What the service alone decides (`id`, `type`, `expires_at`, `payment_method`) stays as
 * it is.
 */
const updateCheckoutSession: Handler<'updateCheckoutSession'> = async (context) => {
  const { database } = context;
  const { value, exact } = await validBody(operations.updateCheckoutSession, context.body);
  const { recordEvent } = await import('../webhooks/record-event.ts');
  const body = database.inTransaction(() => {
    const stored = requireSession(context);
    requireUniqueItems(context, stored.id, (value.cart_items ?? []) as readonly CartItem[]);
    const document = merge(stored.document, exact);
    database.prepare('UPDATE checkout_sessions SET document = ? WHERE id = ?').run(document, stored.id);
    recordEvent(context, { type: 'checkout-session', id: stored.id, past: 'updated', document });
    return document;
  });
  return { status: operations.updateCheckoutSession.successStatus, body };
};

/**
 * The contract does not show the rule of the 409. Here an external identifier names one line of one order: it may be once in
 * a cart, and in one session of a merchant account at a time; a session that has expired frees its own.
 */
function requireUniqueItems(
  { database, merchantAccount, now, startedAt }: RouteContext,
  id: string,
  items: readonly CartItem[],
): void {
  const sql = `SELECT item.value ->> 'external_identifier' AS identifier, session.id AS holder
    FROM checkout_sessions AS session, json_each(session.document, '$.cart_items') AS item
    WHERE session.merchant_account_id = ? AND session.id <> ? AND ifnull(session.expires_ms, ?) > ?
      AND identifier IS NOT NULL`;
  const fallback = defaultExpiry(startedAt.getTime()).getTime();
  const rows = database.prepare(sql).all(merchantAccount, id, fallback, now.getTime());
  const holders = new Map(rows.map(({ identifier, holder }) => [String(identifier), String(holder)]));
  for (const { external_identifier: identifier } of items) {
    if (identifier == null) continue;
    const holder = holders.get(identifier);
    if (holder !== undefined) {
      const message = `A record with the external_identifier '${identifier}' already exists`;
      throw new HttpError('duplicate_record', { message, resourceId: holder });
    }
    holders.set(identifier, id);
  }
}

function merge(stored: string, given: KeptNumbers): string {
  const merged = Object.entries({ ...parseKeepingNumbers(stored), ...given });
  return JSON.stringify(Object.fromEntries(merged.filter(([, value]) => value !== null)));
}

/** Checkout sessions; no endpoint lists them. */
export const checkoutSessions = {
  tables: [
    `CREATE TABLE checkout_sessions (
      id TEXT PRIMARY KEY,
      merchant_account_id TEXT NOT NULL REFERENCES merchant_accounts (id),
      expires_ms INTEGER,
      is_locked INTEGER NOT NULL,
      document TEXT NOT NULL
    ) STRICT`,
  ],
  handlers: { getCheckoutSession, updateCheckoutSession },
} satisfies Resource;
