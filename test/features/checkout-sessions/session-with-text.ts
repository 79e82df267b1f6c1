import type { CheckoutSession } from '../../../src/client/client.ts';
import { withResponse } from '../../../src/client/response.ts';

const request = { method: 'GET', path: '/checkout/sessions/s-1', origin: 'https://api.example.com' };

/** A session that was read with this text. */
export function sessionWithText(text: string): CheckoutSession {
  const response = { text, status: 200, requestId: undefined, headers: {}, request, attempts: 1 };
  return withResponse({ type: 'checkout-session' as const, id: 's-1' }, response);
}
