import type { NextPage } from '../../src/client/page.ts';
import type { Asked, Paging } from '../../src/client/paging/paging.ts';
import { fetchPage } from '../../src/client/paging/resource.ts';
import type { RawResponse } from '../../src/client/response.ts';

/** Fetches the page of a cursor, and gives what it was asked for with and what comes after it. */
export async function fetched(paging: Paging, answer: RawResponse, cursor?: string) {
  const asked: Asked[] = [];
  const send = async (one: Asked) => {
    asked.push(one);
    return { document: JSON.parse(answer.text), response: answer };
  };
  const page = await fetchPage(paging, { cursor }, { send });
  const next: NextPage = await paging.next(page.page, page.fetched);
  return { asked, next };
}
