import type { Client } from '../../../client/client.ts';
import { ApiError, ResponseError } from '../../../client/errors.ts';
import type { PagedResource, PageQuery } from '../../../client/page.ts';
import { responseOf } from '../../../client/response.ts';
import { type ListId, type Operation, operations } from '../../../contract/generated/operations.ts';
import { AbortedError, PayctlError } from '../../../errors.ts';

/** An operation that can be called to try credentials out: it changes nothing and needs no ID. */
export type ProbeId = ListId;

/**
 * All of them. Those that show little come first: what belongs to no merchant account, then what holds no personal data
 * and has few filters.
 */
export const PROBE_IDS: readonly ProbeId[] = Object.keys(operations)
  .filter(isProbeId)
  .sort((first, second) => sensitivity(operations[first]) - sensitivity(operations[second]));

/** Whether a string names such an operation. */
export function isProbeId(id: string): id is ProbeId {
  const known: Readonly<Record<string, Operation>> = operations;
  return Object.hasOwn(known, id) && known[id]?.isList === true;
}

function sensitivity({ merchantAccount, piiScope, query }: Operation): number {
  return (piiScope ? 200 : 0) + (merchantAccount ? 100 : 0) + Object.keys(query).length;
}

/** The result of one request: the status of the response, if there was one, and the error unless it succeeded. */
export type Outcome = { readonly status: number | undefined; readonly error?: PayctlError };

/** Calls one of them for at most one item. @throws AbortedError */
export async function callProbe(client: Client, id: ProbeId, signal: AbortSignal): Promise<Outcome> {
  const list: PagedResource<unknown, PageQuery> = client.lists[id];
  return await outcomeOf(() => list.list({ limit: 1 }, { signal }));
}

/** The outcome of a request. @throws AbortedError, and errors that are not payctl's */
export async function outcomeOf(send: () => Promise<object>): Promise<Outcome> {
  try {
    return { status: responseOf(await send())?.status };
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
