import { operations } from '../../contract/operations.ts';
import type { CheckoutSession, CheckoutSessionUpdate } from '../../contract/types.ts';
import type { RequestContext } from '../call.ts';
import { callDocument, type DocumentOptions } from '../document.ts';

/** The methods of `client.checkoutSessions` (specification: /checkout/sessions/{checkout_session_id}). */
export type CheckoutSessions = {
  get(id: string, options?: DocumentOptions): Promise<CheckoutSession>;
  /** Replaces the given fields whole and leaves the others; an explicit null is sent as null. */
  update(id: string, body: CheckoutSessionUpdate, options?: DocumentOptions): Promise<CheckoutSession>;
};

/** Binds the checkout sessions' operations to a client's connections and settings. */
export function createCheckoutSessions(context: RequestContext): CheckoutSessions {
  const { getCheckoutSession, updateCheckoutSession } = operations;
  const at = (id: string) => ({ path: { checkout_session_id: id } });
  return {
    get: (id, options) => callDocument(context, { operation: getCheckoutSession, ...at(id), ...options }),
    update: (id, body, options) =>
      callDocument(context, { operation: updateCheckoutSession, ...at(id), body, ...options }),
  };
}
