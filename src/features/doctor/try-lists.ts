import type { Client } from '../../client/client.ts';
import { ApiError, ResponseError } from '../../client/errors.ts';
import type { PagedResource, PageQuery } from '../../client/paging.ts';
import { responseOf } from '../../client/response.ts';
import type { ListId } from '../../contract/generated/operations.ts';
import { AbortedError, PayctlError } from '../../errors.ts';

type ReadOnePage = Pick<PagedResource<unknown, PageQuery>, 'list'>;

/** What became of one call: the status of the answer where there was one, the error unless it was of use. */
export type Outcome = { readonly status: number | undefined; readonly error?: PayctlError };

/** Asks for one item of a list. @throws AbortedError */
export async function askList(client: Client, id: ListId, signal: AbortSignal): Promise<Outcome> {
  const listing: ReadOnePage = client.lists[id];
  try {
    const page = await listing.list({ limit: 1 }, { signal });
    return { status: responseOf(page)?.status };
  } catch (error) {
    if (error instanceof AbortedError || !(error instanceof PayctlError)) throw error;
    const hasStatus = error instanceof ApiError || error instanceof ResponseError;
    return { status: hasStatus ? error.status : undefined, error };
  }
}

const AT_ONCE = 3;

/** Asks for one item of each of these lists, a few at a time. @throws AbortedError */
export async function askLists(
  client: Client,
  ids: readonly ListId[],
  signal: AbortSignal,
): Promise<Map<ListId, Outcome>> {
  const outcomes = new Map<ListId, Outcome>();
  const waiting = ids.values();
  const work = async () => {
    for (const id of waiting) outcomes.set(id, await askList(client, id, signal));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return outcomes;
}
