import { grants } from '../../auth/scopes.ts';
import type { Client } from '../../client/client.ts';
import { ApiError } from '../../client/errors.ts';
import type { Session } from '../session.ts';

type HarmlessCall = (client: Client, signal: AbortSignal) => Promise<unknown>;

/** Calls that change nothing and show little, by the scope that each needs. The first is for whoever may ask for any. */
const HARMLESS_CALLS: readonly (readonly [scope: string, call: HarmlessCall])[] = [
  ['roles.read', (client, signal) => client.roles.list({ limit: 1 }, { signal })],
  ['digital-wallets.read', (client, signal) => client.digitalWallets.list({}, { signal })],
  [
    'webhook-subscriptions.read',
    (client, signal) => client.webhookSubscriptions.list({ limit: 1 }, { signal }),
  ],
  ['audit-logs.read', (client, signal) => client.auditLogs.list({ limit: 1 }, { signal })],
  ['payment-methods.read', (client, signal) => client.paymentMethods.list({ limit: 1 }, { signal })],
  ['buyers.read', (client, signal) => client.buyers.list({ limit: 1 }, { signal })],
];

/**
 * Makes one harmless call with credentials, and gives a sentence about how the service took them.
 * @throws ApiError unless the service accepted them; ConnectionError and ResponseError where it gave no answer
 */
export async function verifyWithService(
  session: Session,
  scopes: readonly string[] | undefined,
): Promise<string> {
  const [, call] =
    HARMLESS_CALLS.find(([scope]) => scopes === undefined || grants(scopes, scope)) ??
    HARMLESS_CALLS[0] ??
    [];
  try {
    await call?.(await session.client(), session.signal);
    return 'The service accepted it.';
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 403) throw error;
    return 'The service accepted it, but it may not even list roles.';
  }
}
