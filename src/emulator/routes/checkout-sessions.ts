import { operations } from '../../contract/operations.ts';
import type { CartItem } from '../../contract/types.ts';
import {
  cartItemHolders,
  findCheckoutSession,
  replaceCheckoutSession,
  type SessionPlace,
} from '../checkout-sessions-store.ts';
import type { EmulatorDatabase } from '../database.ts';
import { type KeptNumbers, parseKeepingNumbers } from '../keep-numbers.ts';
import { Refusal } from '../respond.ts';
import type { Handler, RouteContext } from '../route-context.ts';
import { validBody } from '../valid-body.ts';

/** GET /checkout/sessions/{checkout_session_id}: the session until it expires (specification, same name). */
export const getCheckoutSession: Handler<'getCheckoutSession'> = (context) => ({
  status: operations.getCheckoutSession.successStatus,
  body: requireSession(context.database, placeOf(context)),
});

/**
 * PUT /checkout/sessions/{checkout_session_id}: replaces each given field whole, null included, keeps the others, and
 * stores fields that the contract does not name (specification, same name). What the service alone decides (`id`,
 * `type`, `expires_at`, `payment_method`) stays as it is.
 */
export const updateCheckoutSession: Handler<'updateCheckoutSession'> = async (context) => {
  const { database } = context;
  const { value, exact } = await validBody(operations.updateCheckoutSession, context.body);
  const place = placeOf(context);
  const body = database.inTransaction(() => {
    const stored = requireSession(database, place);
    requireUniqueItems(database, place, (value.cart_items ?? []) as readonly CartItem[]);
    const document = merge(stored, exact);
    replaceCheckoutSession(database, place.id, document);
    return document;
  });
  return { status: operations.updateCheckoutSession.successStatus, body };
};

function placeOf(context: RouteContext): SessionPlace {
  const { pathParameters, merchantAccount, now } = context;
  return { id: pathParameters.checkout_session_id ?? '', merchantAccount, now };
}

function requireSession(database: EmulatorDatabase, place: SessionPlace): string {
  const session = findCheckoutSession(database, place);
  if (session === undefined) throw new Refusal('not_found');
  return session;
}

/**
 * The rule behind the 409 is not shown. Here an external identifier names one line of one order: it may stand once in
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
      throw new Refusal('duplicate_record', { message, resourceId: holder });
    }
    holders.set(identifier, place.id);
  }
}

function merge(stored: string, given: KeptNumbers): string {
  const session = parseKeepingNumbers(stored);
  const { type, id, expires_at, payment_method } = session;
  return JSON.stringify({ ...session, ...given, type, id, expires_at, payment_method });
}
