import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { contentTypesOf } from '../../descriptions/body-forms.ts';
import type {
  ImportedDescription,
  ImportedOperation,
  ModelledOperation,
} from '../../descriptions/imported-operation.ts';
import { readIndex } from '../../descriptions/read-store.ts';
import { own } from '../../json/is-object.ts';
import { EndlessSchema } from '../../schemas/values/generate.ts';
import { type EmulatorResponse, errorBody, HttpError } from '../http/response.ts';
import { pathParametersOf, type Route } from '../http/router.ts';
import { Routes } from '../http/routes.ts';
import type { RouteContext } from '../resources/resource.ts';
import type { EmulatorDatabase } from '../store/database.ts';
import { type OperationRequest, withIds } from './call.ts';
import { inRecordNames, withDefaults } from './members.ts';
import { preparedFor } from './prepared.ts';
import { inWrapper, withRequired } from './present.ts';
import { readRequestBody } from './read-body.ts';
import { NotMadeYet, Records } from './records.ts';
import { asDescribed } from './refuse.ts';
import { respondTo } from './respond.ts';
import { respondWithFile } from './respond-with-file.ts';

/** The largest body with files, in bytes. */
const LARGEST_UPLOAD = 16 * 1024 * 1024;

/** Responds to the operations of an imported description from the records of an emulator. */
export class ImportedService {
  /** The index of the description. */
  readonly index: ImportedDescription;
  /** The query parameters that are API keys. */
  readonly keyParameters: ReadonlySet<string>;
  readonly records: Records;
  readonly #routes: Routes<ModelledOperation>;

  /**
   * Reads the import in a folder, which may be removed afterwards, and creates missing tables.
   * @throws UsageError `description_missing`, `description_damaged`
   */
  constructor(database: EmulatorDatabase, folder: string) {
    this.index = readIndex(folder);
    this.records = new Records(database, this.index, folder);
    const { operations } = this.records;
    const schemes = operations.flatMap(({ security = [] }) => security.flat());
    this.keyParameters = new Set(
      schemes.flatMap((one) => (one.type === 'apiKey' && one.in === 'query' ? [one.name] : [])),
    );
    this.#routes = new Routes(operations);
  }

  /**
   * Finds the operation of a method and the decoded segments of a path. Returns the methods of a path that does not have this one;
   * undefined if the description does not have the path.
   */
  find(
    method: string,
    segments: readonly string[],
  ): Route | { readonly methods: readonly string[] } | undefined {
    // Many SDKs end the path of a collection with a slash, and services take it.
    const isOpen = segments.length > 1 && segments.at(-1) === '';
    const found =
      this.#routes.find(segments) ?? (isOpen ? this.#routes.find(segments.slice(0, -1)) : undefined);
    if (!found) return undefined;
    const indexed = found.methods.get(method);
    if (!indexed) return { methods: [...found.methods.keys()] };
    const prepared = this.records.operation(indexed);
    const { operation } = prepared;
    return {
      operation,
      bodyTypes: contentTypesOf(operation),
      largestBody:
        (operation.bodyKind ?? operation.otherBodies?.find((one) => one.bodyKind)) && LARGEST_UPLOAD,
      isCommitted: true,
      asDescribed: (response) => asDescribed(response, prepared),
      pathParameters: pathParametersOf(operation, found.values),
      handler: async (context) => {
        const served = this.records.serve(indexed);
        requireHeaders(operation, context.headers);
        const sent = preparedFor(prepared, context.headers['content-type']);
        const given = withDefaults(await readRequestBody(sent, served, context), sent, served);
        const { kind } = served;
        const schema = (kind && this.records.layoutOf(this.records.canonical(kind))?.schema) ?? sent.response;
        const body = schema ? inRecordNames(given, schema) : given;
        try {
          const scope = { account: context.merchantAccount, ids: [] };
          const call = { records: this.records, served, prepared: sent, context, scope, body };
          return await afterOthers(() =>
            operation.downloadTypes ? this.#respondWithFile(withIds(call)) : this.#respond(withIds(call)),
          );
        } catch (error) {
          if (!(error instanceof EndlessSchema)) throw error;
          const message = `The emulator cannot respond to this operation: ${error.message}`;
          const body = errorBody({ type: 'error', code: 'not_implemented', status: 501, message });
          return { status: 501, body };
        }
      },
    };
  }

  /** Completes a successful response of payctl's own contract for an operation of the description at the same path. */
  complete(method: string, segments: readonly string[], response: EmulatorResponse): EmulatorResponse {
    const indexed = this.#routes.find(segments)?.methods.get(method);
    if (!indexed || response.status >= 300) return response;
    return withRequired(response, this.records.operation(indexed), this.records.endMs);
  }

  /** A change is made as for any other operation; its response is a file. */
  async #respondWithFile(call: OperationRequest): Promise<EmulatorResponse> {
    const file = respondWithFile(call);
    if (call.prepared.operation.method === 'GET') return file;
    const { status } = await this.#respond(call);
    return { ...file, status };
  }

  #respond(call: OperationRequest): EmulatorResponse | Promise<EmulatorResponse> {
    const { prepared, context } = call;
    const { method, idempotencyHeader, idempotencyMember } = prepared.operation;
    const respond = () => inWrapper(respondTo(call), call);
    if (method === 'GET' || call.served.action === 'search') return respond();
    // The first records that a change may need are stored before its transaction begins.
    const { kind, above } = call.served;
    for (const one of [kind, ...above, this.records.called('refund')])
      if (one) this.records.prepare(one, call.scope);
    return this.records.change(() => {
      const key = own(context.headers, idempotencyHeader) ?? own(call.body, idempotencyMember);
      const isKept = typeof key === 'string' && key !== '' && !context.forgetsKey;
      return isKept ? respondOnce(call, key, respond) : respond();
    });
  }
}

/** Runs work until the records that it needs are made. In between, other requests are handled. */
export async function afterOthers<T>(work: () => T | Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof NotMadeYet)) throw error;
      await setImmediate();
    }
  }
}

/** @throws HttpError `bad_request` that names each header that is missing */
function requireHeaders({ headers = {} }: ImportedOperation, given: RouteContext['headers']): void {
  const missing = { type: 'value_error.missing', message: 'is required', location: 'header' } as const;
  const details = Object.entries(headers).flatMap(([name, { required }]) =>
    required && own(given, name) === undefined ? [{ ...missing, pointer: `/${name}` }] : [],
  );
  if (details.length > 0) throw new HttpError('bad_request', { details });
}

/**
 * Responds to a request once per idempotency key: a repeated request gets the response of the first.
 * @throws HttpError `duplicate_record` if the key was used for another request
 */
function respondOnce(call: OperationRequest, key: string, respond: () => EmulatorResponse): EmulatorResponse {
  const { context, prepared, records } = call;
  const { method, path: template } = prepared.operation;
  const name = JSON.stringify([context.merchantAccount, method, template, key]);
  // The boundary of parts is another one in each request.
  const [, boundary = '\0'] = /boundary="?([^";]+)/i.exec(context.headers['content-type'] ?? '') ?? [];
  const sent = `${JSON.stringify(context.pathParameters)}\0${context.body.toString('latin1').replaceAll(boundary, '')}`;
  const digest = createHash('sha256').update(sent, 'latin1').digest('hex');
  const kept = records.tables.response(name);
  if (kept?.digest === digest) return kept;
  if (kept)
    throw new HttpError('duplicate_record', { message: 'The idempotency key was used for another request' });
  const response = respond();
  // A refusal is not kept: it changed nothing, and its reason may not hold for the next request.
  if (response.status < 400)
    records.tables.keepResponse(name, { ...response, digest, body: response.body.toString() });
  return response;
}
