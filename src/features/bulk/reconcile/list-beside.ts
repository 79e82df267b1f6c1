import { COMMAND_OPERATIONS } from '../../../cli/routing/catalog/operations.ts';
import { type DescriptionInputs, descriptionInUse } from '../../../cli/session/description-in-use.ts';
import type { Client } from '../../../client/client.ts';
import type { NextPage } from '../../../client/page.ts';
import { takesCursor } from '../../../client/paging/cursor.ts';
import type { PagedOperation } from '../../../client/paging/paging.ts';
import { isPaged, type Operation, otherPaging, sizeParameter } from '../../../contract/operation.ts';
import type { ImportedOperation } from '../../../descriptions/imported-operation.ts';
import { readOperation } from '../../../descriptions/read-store.ts';
import { isObject, memberAt } from '../../../json/is-object.ts';
import type { Target } from '../target.ts';
import { type Offset, offsetBy } from './service-clock.ts';

/** The list of the records that an operation makes. */
export type ListBeside = Operation & PagedOperation & Pick<ImportedOperation, 'record'>;

/** Finds the list at the path of an operation that makes records; undefined if the description has none, or if it has required parameters. */
export async function listBeside(
  { operation, description }: Pick<Target, 'operation' | 'description'>,
  inputs: DescriptionInputs,
): Promise<ListBeside | undefined> {
  if (operation.method !== 'POST' || operation.key !== undefined) return undefined;
  const isBeside = ({ method, path, isList }: Pick<Operation, 'method' | 'path'> & { isList?: boolean }) =>
    method === 'GET' && isList === true && path === operation.path;
  const own = Object.values<Operation>(COMMAND_OPERATIONS);
  const imported = description === undefined ? undefined : await descriptionInUse(inputs);
  const indexed = imported?.index.operations.find(isBeside);
  const described = imported && indexed && readOperation(imported.folder, indexed, { request: false });
  const found: ListBeside | undefined = description === undefined ? own.find(isBeside) : described;
  return found && Object.values(found.query).some(({ required }) => required) ? undefined : found;
}

/** What was read of a list. */
export type ReadList = {
  /** Whether it was read to its end, as far as its pages and its description say. */
  readonly isWhole: boolean;
  /** When the first page was written, by the clock of the service, at the earliest; undefined without a date. */
  readonly beganMs: number | undefined;
  readonly offset: Offset | undefined;
};

/** How a list is read. */
export type ListParts = {
  readonly client: Pick<Client, 'list'>;
  readonly path: Readonly<Record<string, string | readonly string[]>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly isOwn: boolean;
  readonly signal: AbortSignal;
};

/** Passes each item of a list to `onItem`, which may get one twice. @throws PayctlError as the client does */
export async function readList(
  list: ListBeside,
  { client, path, headers, isOwn, signal }: ListParts,
  onRecord: (record: Readonly<Record<string, unknown>>) => void,
): Promise<ReadList> {
  const pagedBy = isOwn ? undefined : 'description';
  // A cached response may lack the newest records.
  const asked = { ...headers, 'cache-control': 'no-cache' };
  const place = list.record?.item?.split('.') ?? [];
  let isReadable = true;
  let clock: Pick<ReadList, 'beganMs' | 'offset'> | undefined;
  // What is deleted while pages are counted moves another item to a page that was read before: then the list is read twice.
  for (let round = 1; ; round += 1) {
    const source = client.list(list, { path, headers: asked, pagedBy });
    const sentMs = Date.now();
    let [pages, items] = [0, 0];
    let next: NextPage | undefined;
    for await (const page of source.fetch({}, { signal })) {
      clock ??= clockOf(page.response.headers.date, sentMs);
      pages += 1;
      items += page.count;
      next = page.next;
      for (const item of page.items()) {
        const record = memberAt(item, place);
        if (isObject(record)) onRecord(record);
        else isReadable = false;
      }
    }
    const isWhole = isReadable && isAtEnd(list, { isOwn, next, pages, items });
    const isCounted = list.paging?.counted !== undefined && pages > 1;
    if (round > 1 || !isCounted || !isWhole)
      return { isWhole, beganMs: clock?.beganMs, offset: clock?.offset };
  }
}

function clockOf(date: string | undefined, sentMs: number): Pick<ReadList, 'beganMs' | 'offset'> {
  const receivedMs = Date.now();
  const offset = offsetBy(date, { sentMs, receivedMs });
  return { offset, beganMs: offset && offset.least + receivedMs };
}

type End = {
  readonly isOwn: boolean;
  readonly next: NextPage | undefined;
  readonly pages: number;
  readonly items: number;
};

/** Whether there is nothing after the last page. */
function isAtEnd(list: ListBeside, { isOwn, next, pages, items }: End): boolean {
  if (next?.cursor || next?.mayHaveMore || next?.endedEarly || next?.refused) return false;
  if (isOwn || next?.hasEnded || isPaged(list) || takesCursor(list) || pages > 1 || items === 0) return true;
  const size = sizeParameter(list);
  const most = size === undefined ? undefined : list.query[size]?.maximum;
  if (most !== undefined) return items < most;
  if (size !== undefined || otherPaging(list.query) !== undefined) return false;
  // A list without pages may be limited to the newest items, usually a multiple of 10, or 25.
  return items % 10 !== 0 && items !== 25;
}
