import { contentTypesOf, withContentType } from '../descriptions/body-forms.ts';
import { completeOperation } from '../descriptions/complete-operation.ts';
import { encoderOf } from '../descriptions/encode-body.ts';
import { importDescription } from '../descriptions/import-description.ts';
import type { ImportedOperation, ImportIssue } from '../descriptions/imported-operation.ts';
import { UsageError } from '../errors.ts';
import { quote } from '../text/format.ts';
import { isJsonType, mediaTypeOf } from '../text/media-type.ts';
import { suggest } from '../text/suggest.ts';
import type { RequestContext, RequestOptions } from './call.ts';
import type { PagedResource, PageQuery } from './page.ts';
import { createPagedResource, type ListCall } from './paging/resource.ts';
import { createReceiver } from './receive-body.ts';
import { type RawResponse, type Received, responseOf } from './response.ts';
import { send } from './send.ts';

/** The operations of an OpenAPI description, to be called by their ids. */
export type DescribedClient = {
  /** By their operation ids, or as `METHOD PATH` where they have none. */
  readonly operations: ReadonlyMap<string, ImportedOperation>;
  /** What the description says and this client does not run, or knows less of. */
  readonly issues: readonly ImportIssue[];
  /**
   * As `client.request`. The body of `multipart/form-data` is an object whose files are `Bytes`; a body that is sent unchanged is
   * `Bytes` or a text. Of several media types, `contentType` chooses one. A stream is sent once: the request is not repeated. @throws UsageError `unknown_operation`, `answer_not_json` for what `download` takes
   */
  request(id: string, call?: RequestOptions): Promise<object & Received>;
  /**
   * Sends a request of an operation whose response is not JSON, and gives the bytes of the response to `write`, the next piece when the
   * last one was taken. They are not held in memory, and the request is not repeated after the first. Resolves to the response,
   * whose `text` is empty unless it was JSON anyway. @throws UsageError `unknown_operation`, and what `write` throws
   */
  download(id: string, write: (piece: Uint8Array) => unknown, call?: RequestOptions): Promise<RawResponse>;
  /** As `client.list`. @throws UsageError `unknown_operation` */
  list(id: string, call?: Omit<ListCall, 'acceptsAny'>): PagedResource<unknown, PageQuery>;
};

/** Reads a description, the document or its text, and binds its operations to the connections of a client. @throws UsageError as `importDescription` */
export async function describeClient(
  context: RequestContext,
  document: object | string,
): Promise<DescribedClient> {
  const text = typeof document === 'string' ? document : JSON.stringify(document);
  const { index, records, definitions } = await importDescription(text, { file: 'description' });
  const operations = new Map(records.map(({ operation }) => [operation.id, operation]));
  const find = (id: string): ImportedOperation => {
    const operation = operations.get(id);
    if (operation) return operation;
    const near = suggest(id, operations.keys());
    throw new UsageError('unknown_operation', `There is no operation ${quote(id)}`, {
      hint: near === undefined ? undefined : `Did you mean ${near}?`,
    });
  };
  const sentAs = (operation: ImportedOperation, contentType = '') => {
    const isOther = contentTypesOf(operation).includes(contentType);
    const chosen = isOther ? withContentType(operation, contentType) : operation;
    const record = records.find((one) => one.operation === operation);
    if (chosen.bodyKind !== 'multipart' || !record) return encoderOf(chosen);
    const complete = completeOperation(record, (name) => definitions.get(name));
    return encoderOf(isOther ? withContentType(complete, contentType) : complete);
  };
  return {
    operations,
    issues: index.issues,
    request: async (id, call) => {
      const operation = find(id);
      if (operation.downloadTypes) throw notJson(operation);
      return await send(context, {
        ...sentAs(operation, call?.contentType),
        ...call,
        operation,
        acceptsAny: true,
      });
    },
    download: async (id, write, call) => {
      const operation = find(id);
      const receiver = createReceiver({
        takes: ({ headers }) => !isJsonType(mediaTypeOf(headers['content-type'])),
        begin: async () => {},
        write: async (piece) => void (await write(piece)),
        canBeginAgain: false,
      });
      const accept = operation.downloadTypes?.join(', ');
      const own = { ...sentAs(operation, call?.contentType), accept };
      return responseOf(await send(context, { ...own, ...call, receiver, operation, acceptsAny: true }));
    },
    list: (id, call) => {
      const operation = find(id);
      const described = {
        ...sentAs(operation, call?.contentType),
        ...call,
        pagedBy: 'description',
        acceptsAny: true,
      } as const;
      return createPagedResource(context, operation, described);
    },
  };
}

function notJson({ id, downloadTypes = [] }: ImportedOperation): UsageError {
  return new UsageError('answer_not_json', `${id} returns ${downloadTypes.join(' or ')}, not JSON`, {
    hint: 'Use download(id, write).',
  });
}
