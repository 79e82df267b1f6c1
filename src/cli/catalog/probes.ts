import type { Client } from '../../client/client.ts';
import { ApiError, ResponseError } from '../../client/errors.ts';
import type { PagedResource, PageQuery } from '../../client/paging.ts';
import { responseOf } from '../../client/response.ts';
import type { OperationId } from '../../contract/generated/operations.ts';
import { AbortedError, PayctlError } from '../../errors.ts';

type ReadOnePage = Pick<PagedResource<unknown, PageQuery>, 'list'>;

/**
 * The operations that can be called to try credentials out: they change nothing and need no id. Those that show little come
 * first, those that show buyers last.
 */
export const PROBES = {
  listRoles: (client) => client.roles,
  listDigitalWallets: (client) => client.digitalWallets,
  listWebhookSubscriptions: (client) => client.webhookSubscriptions,
  listAuditLogs: (client) => client.auditLogs,
  listApiLogs: (client) => client.apiLogs,
  listPaymentMethods: (client) => client.paymentMethods,
  listGiftCards: (client) => client.buyers.giftCards,
  listBuyers: (client) => client.buyers,
} as const satisfies Partial<Record<OperationId, (client: Client) => ReadOnePage>>;

/** An operation that can be called to try credentials out. */
export type ProbeId = keyof typeof PROBES;

/** All of them, in the order of `PROBES`. */
export const PROBE_IDS = Object.keys(PROBES) as readonly ProbeId[];

/** Whether a string names such an operation. */
export function isProbeId(id: string): id is ProbeId {
  return Object.hasOwn(PROBES, id);
}

/** What became of one call: the status of the response where there was one, and the error unless it succeeded. */
export type Outcome = { readonly status: number | undefined; readonly error?: PayctlError };

/** Calls one of them for at most one item. @throws AbortedError */
export async function callProbe(client: Client, id: ProbeId, signal: AbortSignal): Promise<Outcome> {
  const resource: ReadOnePage = PROBES[id](client);
  try {
    const page = await resource.list({ limit: 1 }, { signal });
    return { status: responseOf(page)?.status };
  } catch (error) {
    if (error instanceof AbortedError || !(error instanceof PayctlError)) throw error;
    const hasStatus = error instanceof ApiError || error instanceof ResponseError;
    return { status: hasStatus ? error.status : undefined, error };
  }
}

const AT_ONCE = 3;

/** Calls each of these for at most one item, a few at a time. @throws AbortedError */
export async function callProbes(
  client: Client,
  ids: readonly ProbeId[],
  signal: AbortSignal,
): Promise<Map<ProbeId, Outcome>> {
  const outcomes = new Map<ProbeId, Outcome>();
  const waiting = ids.values();
  const work = async () => {
    for (const id of waiting) outcomes.set(id, await callProbe(client, id, signal));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return outcomes;
}
