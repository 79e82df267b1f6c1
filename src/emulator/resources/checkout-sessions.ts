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

/** Which session a request is about, and when it came. */
export type SessionPlace = {
  readonly id: string;
  readonly merchantAccount: string;
  readonly now: Date;
  /** When this run of the emulator began. */
  readonly startedAt: Date;
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
 * The JSON text of a session of the merchant account; undefined when there is none or it has expired.
 * @throws HttpError `forbidden` when it is locked
 */
export function findCheckoutSession(database: EmulatorDatabase, place: SessionPlace): string | undefined {
  const { id, merchantAccount, now, startedAt } = place;
  const fallback = defaultExpiry(startedAt.getTime());
  const found = database
    .prepare(
      `SELECT is_locked, iif(expires_ms IS NULL, json_set(document, '$.expires_at', ?), document) AS document
        FROM checkout_sessions WHERE id = ? AND merchant_account_id = ? AND ifnull(expires_ms, ?) > ?`,
    )
    .get(timestamp(fallback), id, merchantAccount, fallback.getTime(), now.getTime());
  if (found?.is_locked === 1) throw new HttpError('forbidden', { message: 'The checkout session is locked' });
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
  const { id, merchantAccount, now, startedAt } = place;
  const sql = `SELECT item.value ->> 'external_identifier' AS identifier, session.id AS holder
    FROM checkout_sessions AS session, json_each(session.document, '$.cart_items') AS item
    WHERE session.merchant_account_id = ? AND session.id <> ? AND ifnull(session.expires_ms, ?) > ?
      AND identifier IS NOT NULL`;
  const fallback = defaultExpiry(startedAt.getTime()).getTime();
  const rows = database.prepare(sql).all(merchantAccount, id, fallback, now.getTime());
  return new Map(rows.map(({ identifier, holder }) => [String(identifier), String(holder)]));
}

/** GET /checkout/sessions/{checkout_session_id}: the session until it expires (specification, same name). */
const getCheckoutSession: Handler<'getCheckoutSession'> = (context) => ({
  status: operations.getCheckoutSession.successStatus,
  body: requireSession(context.database, placeOf(context)),
});

/**
 * PUT /checkout/sessions/{checkout_session_id}: replaces each given field whole and keeps the others (specification, same
 * name). A null clears the field. What the service alone decides (`id`, `type`, `expires_at`, `payment_method`) stays as
 * it is.
 */
const updateCheckoutSession: Handler<'updateCheckoutSession'> = async (context) => {
  const { database } = context;
  const { value, exact } = await validBody(operations.updateCheckoutSession, context.body);
  const place = placeOf(context);
  const { recordEvent } = await import('../webhooks/record-event.ts');
  const body = database.inTransaction(() => {
    const stored = requireSession(database, place);
    requireUniqueItems(database, place, (value.cart_items ?? []) as readonly CartItem[]);
    const document = merge(stored, exact);
    replaceCheckoutSession(database, place.id, document);
    recordEvent(context, { type: 'checkout-session', id: place.id, past: 'updated', document });
    return document;
  });
  return { status: operations.updateCheckoutSession.successStatus, body };
};

function placeOf(context: RouteContext): SessionPlace {
  const { pathParameters, merchantAccount, now, startedAt } = context;
  return { id: pathParameters.checkout_session_id ?? '', merchantAccount, now, startedAt };
}

function requireSession(database: EmulatorDatabase, place: SessionPlace): string {
  const session = findCheckoutSession(database, place);
  if (session === undefined) throw new HttpError('not_found');
  return session;
}

/**
 * The contract does not show the rule of the 409. Here an external identifier names one line of one order: it may be once in
 * a cart, and in one session of a merchant account at a time; a session that has expired frees its own.
 */
function requireUniqueItems(
  database: EmulatorDatabase,
  place: SessionPlace,
  items: readonly CartItem[],
): void {
  const holders = new Map(cartItemHolders(database, place));
  for (const { external_identifier: identifier } of items) {
    if (identifier == null) continue;
    const holder = holders.get(identifier);
    if (holder !== undefined) {
      const message = `A record with the external_identifier '${identifier}' already exists`;
      throw new HttpError('duplicate_record', { message, resourceId: holder });
    }
    holders.set(identifier, place.id);
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
