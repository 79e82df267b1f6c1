import { importDescription } from '../descriptions/import-description.ts';
import type { ImportedOperation, ImportIssue } from '../descriptions/imported-operation.ts';
import { UsageError } from '../errors.ts';
import { quote } from '../text/format.ts';
import { suggest } from '../text/suggest.ts';
import type { RequestContext, RequestOptions } from './call.ts';
import { createEnvelopeResource } from './envelope.ts';
import {
  createPagedResource,
  type ListCall,
  type ListOptions,
  type PagedResource,
  type PageQuery,
} from './paging.ts';
import type { Received } from './response.ts';
import { send } from './send.ts';

/** The operations of an OpenAPI description, to be called by their ids. */
export type DescribedClient = {
  /** By their operation ids, or as `METHOD PATH` where they have none. */
  readonly operations: ReadonlyMap<string, ImportedOperation>;
  /** What the description says and this client does not run, or knows less of. */
  readonly issues: readonly ImportIssue[];
  /** As `client.request`. @throws UsageError `unknown_operation` */
  request(id: string, call?: RequestOptions): Promise<object & Received>;
  /** As `client.list`. @throws UsageError `unknown_operation` */
  list(id: string, call?: Omit<ListCall, 'acceptsAny'>): PagedResource<unknown, PageQuery>;
};

/** Reads a description, the document or its text, and binds its operations to the connections of a client. @throws UsageError as `importDescription` */
export async function describeClient(
  context: RequestContext,
  document: object | string,
): Promise<DescribedClient> {
  const text = typeof document === 'string' ? document : JSON.stringify(document);
  const { index, records } = await importDescription(text, { file: 'description' });
  const operations = new Map(records.map(({ operation }) => [operation.id, operation]));
  const find = (id: string): ImportedOperation => {
    const operation = operations.get(id);
    if (operation) return operation;
    const near = suggest(id, operations.keys());
    throw new UsageError('unknown_operation', `There is no operation ${quote(id)}`, {
      hint: near === undefined ? undefined : `Did you mean ${near}?`,
    });
  };
  return {
    operations,
    issues: index.issues,
    request: async (id, call) => {
      const operation = find(id);
      return await send(context, { contentType: operation.bodyType, ...call, operation, acceptsAny: true });
    },
    list: (id, call) => {
      const operation = find(id);
      const followsCursors = Object.hasOwn(operation.query, 'cursor');
      const own = { contentType: operation.bodyType, followsCursors, acceptsAny: true };
      const { envelope } = operation;
      if (envelope) {
        const request = (query: PageQuery, options: ListOptions) =>
          send(context, { ...own, ...call, ...options, operation, query });
        return createEnvelopeResource({ operation, envelope, request, followsCursors });
      }
      return createPagedResource(context, operation, { ...own, ...call });
    },
  };
}
