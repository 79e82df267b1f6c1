import type { Client } from '../../client/client.ts';
import { ApiError, ResponseError } from '../../client/errors.ts';
import { responseOf } from '../../client/response.ts';
import { fillPath } from '../../client/send.ts';
import type { Operation } from '../../contract/operation.ts';
import type { ImportedOperation } from '../../descriptions/imported-operation.ts';
import { readOperation } from '../../descriptions/read-store.ts';
import { AbortedError, PayctlError } from '../../errors.ts';
import { parseKeepingNumbers, plainNumber, stringifyExactJson } from '../../json/exact.ts';
import { isObject, memberAt, own } from '../../json/is-object.ts';
import { schemaBelow } from '../../schemas/schema-at.ts';
import { decodeComponent } from '../../text/decode.ts';
import { isOtherId, mayBeId, quote } from '../../text/format.ts';
import { COMMAND_OPERATIONS } from '../routing/catalog/operations.ts';
import { matchOperation } from '../routing/match-operation.ts';
import { type DescriptionInputs, descriptionInUse } from '../session/description-in-use.ts';

/** The record that a change concerns. */
export type ConcernedRecord =
  /** The change concerns no record that exists, such as one that creates a record. */
  | { readonly state: 'none' }
  /** No description has its GET, or the service did not show it. */
  | {
      readonly state: 'not_read';
      readonly id: string;
      /** In a few words. */
      readonly why?: string;
    }
  | {
      readonly state: 'read';
      readonly id: string;
      /** Its numbers as they were sent: those that JavaScript would write differently are what `parseKeepingNumbers` gives. */
      readonly value: Readonly<Record<string, unknown>>;
      /** What the imported description says about it. */
      readonly schema?: unknown;
      readonly personalData: Operation['personalData'];
      /** Its version (RFC 9110, 8.8.3), where the service sent one. */
      readonly etag?: string | undefined;
      /** When the service sent it, as HTTP writes a date. */
      readonly date?: string | undefined;
    };

/** A record that was read. */
export type ShownRecord = Extract<ConcernedRecord, { readonly state: 'read' }>;

/** A call whose body may name a payment. */
type NamingPayment = {
  readonly operation: Pick<ImportedOperation, 'payments' | 'method'>;
  readonly body?: unknown;
};

/** What says which record a change concerns. */
type Concerning = {
  /** Below the base URL, percent-encoded; its query does not count. */
  readonly path: string;
  readonly call: NamingPayment;
};

/** The payment that the body of a capture or a refund names, by the first member that does; undefined for any other change. */
export function namedPayment({ operation: { payments = [] }, body }: NamingPayment) {
  for (const payment of payments) {
    const value = isObject(body) ? own(body, payment.member) : undefined;
    const id = plainNumber(value) === undefined ? value : stringifyExactJson(value);
    if (typeof id === 'string' && id !== '') return { ...payment, id };
  }
  return undefined;
}

/** The path of the record that a change concerns: that of the payment that its body names, else its own. @throws UsageError `bad_path_value` */
function recordPath({ path, call }: Concerning): string {
  const named = namedPayment(call);
  if (!named) return path.replace(/\?.*/s, '');
  return fillPath(`${named.collection}/{${named.member}}`, { [named.member]: named.id });
}

/**
 * Reads the record that a change concerns: the payment that its body names, else that of its path, such as `GET /transactions/{id}` for
 * `PUT /transactions/{id}`, `POST /transactions/{id}/capture` and `POST /transactions/{id}:capture`. A record that cannot be read is
 * `not_read`. It is read with a token that allows to read it and nothing else.
 * @throws AbortedError; UsageError `bad_path_value`
 */
export type ReadRecord = (change: Concerning) => Promise<ConcernedRecord>;

/** Reads each record once. */
export type KeptRecords = {
  readonly read: ReadRecord;
  /** What was read of a record before; undefined where nothing was. */
  readonly known: (change: Concerning) => Promise<ConcernedRecord> | undefined;
};

/** How many records that were read are kept, for the next changes of the same. */
const MOST_KEPT = 1000;

/** Reads each record once, unless many others came between. */
export function readOnce(read: ReadRecord): KeptRecords {
  const kept = new Map<string, Promise<ConcernedRecord>>();
  return {
    async read(change) {
      const path = recordPath(change);
      const found = kept.get(path) ?? read(change);
      kept.set(path, found);
      if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value ?? '');
      return await found;
    },
    known: (change) => kept.get(recordPath(change)),
  };
}

/** What records are read with. */
export type RecordReaderParts = {
  readonly description: DescriptionInputs;
  readonly signal: AbortSignal;
  /** A client that only reads. @throws PayctlError */
  readonly client: () => Promise<Pick<Client, 'request'>>;
  /** Whether the credentials of the client are known to be refused for an operation. */
  readonly isRefused: (operation: Operation) => boolean;
};

/** Reads records as `ReadRecord` says, each time that it is asked; which operations can be read is found out once. */
export function recordReader(parts: RecordReaderParts): ReadRecord {
  let operations: ReturnType<typeof readableOperations> | undefined;
  return async (change) =>
    await readRecord(recordPath(change), {
      ...parts,
      operations: () => {
        operations ??= readableOperations(parts.description);
        return operations;
      },
    });
}

type ReaderParts = RecordReaderParts & { readonly operations: () => ReturnType<typeof readableOperations> };

async function readRecord(path: string, parts: ReaderParts): Promise<ConcernedRecord> {
  const own = path.replace(/\/+$/, '');
  const places = [own, own.slice(0, own.lastIndexOf('/'))];
  const id = places.map(lastSegment).find(mayBeId);
  let why = 'no GET is described';
  try {
    const { find, isAction } = await parts.operations();
    const found = (isAction(own) ? [own.replace(/:[^:/]*$/, '')] : places).map((place) => {
      return { place, operation: find(place) };
    });
    // What ends with a parameter is a record; the rest may be a list whose description does not say so.
    const { place, operation } =
      found.find((one) => one.operation?.path.endsWith('}')) ?? found.find((one) => one.operation) ?? {};
    if (place !== undefined && operation)
      return (
        (await readAt(place, operation, parts)) ?? {
          state: 'not_read',
          id: lastSegment(place),
          why: 'refused',
        }
      );
  } catch (error) {
    if (error instanceof AbortedError || !(error instanceof PayctlError)) throw error;
    why = whyNotRead(error);
  }
  return id === undefined ? { state: 'none' } : { state: 'not_read', id, why };
}

function whyNotRead(error: PayctlError): string {
  if (error.code === 'timeout') return 'timed out';
  const status = error instanceof ApiError || error instanceof ResponseError ? error.status : undefined;
  if (status === 401 || status === 403) return 'refused';
  if (status === undefined || status < 400) return error.code.replaceAll('_', ' ');
  return status === 404 ? 'not found' : `status ${status}`;
}

type ReadOperation = Operation & Pick<ImportedOperation, 'responseBodySchema' | 'record' | 'recordId'>;

async function readAt(
  path: string,
  operation: ReadOperation,
  { client, signal, isRefused }: RecordReaderParts,
): Promise<ConcernedRecord | undefined> {
  const { request } = await client();
  if (isRefused(operation)) return undefined;
  const response = responseOf(await request({ ...operation, path, pathParameters: [] }, { signal }));
  const place = operation.record?.response;
  const document = response.text === '' ? undefined : parseKeepingNumbers(response.text);
  const value = memberAt(document, place?.split('.') ?? []);
  const id = lastSegment(path);
  const found = isObject(value) ? value[operation.recordId ?? 'id'] : undefined;
  if (typeof found === 'string' && isOtherId(id, found))
    return { state: 'not_read', id, why: `the service sent the record ${quote(found)}` };
  const { personalData, responseBodySchema } = operation;
  const schema = schemaBelow(responseBodySchema, place);
  const { etag, date } = response.headers;
  return isObject(value) ? { state: 'read', id, value, schema, personalData, etag, date } : undefined;
}

/**
 * Finds the GET of a single record: of the imported description, else of payctl's own contract; and paths that end with an action, such
 * as `/orders/{id}:capture`. @throws as `descriptionInUse`
 */
async function readableOperations(inputs: DescriptionInputs) {
  const imported = await descriptionInUse(inputs);
  const described = imported?.index.operations ?? [];
  const records = described.filter(({ isList }) => !isList);
  const own = Object.values<Operation>(COMMAND_OPERATIONS).filter(({ isList }) => !isList);
  return {
    find: (path: string): ReadOperation | undefined => {
      const indexed = matchOperation('GET', path, records);
      if (imported && indexed) return readOperation(imported.folder, indexed, { request: false });
      return matchOperation('GET', path, own);
    },
    isAction: (path: string) => /:[^/{}]+$/.test(matchOperation('POST', path, described)?.path ?? ''),
  };
}

function lastSegment(path: string): string {
  return decodeComponent(path.slice(path.lastIndexOf('/') + 1));
}
