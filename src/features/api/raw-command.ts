import type { Interfaces } from '@oclif/core';
import { BaseCommand } from '../../cli/base-command.ts';
import { argument } from '../../cli/flags/arguments.ts';
import { connectionFlags } from '../../cli/flags/global.ts';
import { amountsFlag, outputFlags, pagingFlags, sortFlag, watchFlag } from '../../cli/flags/list.ts';
import { textFlag } from '../../cli/flags/types.ts';
import { matchOperation } from '../../cli/routing/match-operation.ts';
import type { Runtime } from '../../cli/runtime.ts';
import { openDescription } from '../../cli/session/open-description.ts';
import { refuseChange } from '../../cli/session/read-only.ts';
import { cursorParameter } from '../../client/paging/cursor.ts';
import { sizeParameter, takesKey } from '../../contract/operation.ts';
import { withContentType } from '../../descriptions/body-forms.ts';
import type { IndexedOperation } from '../../descriptions/imported-operation.ts';
import { decodeComponent } from '../../text/decode.ts';
import { readScopes } from '../../tokens/scopes.ts';
import { readImportedBody, sentAs } from './body.ts';
import { readTypedHeaders } from './imported-command.ts';
import type { ImportedRun, ShownFlagValues } from './imported-run.ts';
import {
  type ChangeFlagValues,
  downloadFlags,
  headerFlag,
  importedBodyFlags,
  scopeFlag,
} from './operation-flags.ts';
import { ownOperations, type RunnableOperation } from './own-operations.ts';
import { parseRawPath, type RawPath, requireIntegers, valuesOfPath } from './raw-path.ts';
import { sendAndShow } from './send-and-show.ts';
import { showUndescribed } from './show-undescribed.ts';

type Method = RunnableOperation['method'];
type FlagValues = ShownFlagValues & ChangeFlagValues;

/** What `api get`, `api post` and the others declare. */
export type RawDeclaration = {
  readonly summary: string;
  readonly description: string;
  readonly examples: readonly { readonly description: string; readonly command: string }[];
};

/**
 * The command that sends a request with this method to any path below the base URL. The operation that the path is one of, of
 * the imported description or of payctl's own contract, lends it scopes, masks and the schema of the body.
 */
export function rawCommand(method: Method, declaration: RawDeclaration): typeof BaseCommand {
  return class RawCommand extends BaseCommand {
    static override readonly summary = declaration.summary;
    static override readonly description = declaration.description;
    static override readonly examples = [...declaration.examples];
    static override readonly args = {
      path: argument('Path below the base URL, with its query.'),
    };
    static override readonly flags = {
      ...scopeFlag(),
      ...headerFlag(),
      ...(method === 'GET' ? readingFlags() : rawFlags(method)),
      ...downloadFlags(),
      ...outputFlags({ personalData: {} }),
      ...connectionFlags(),
    } as Interfaces.FlagInput;

    async run(): Promise<number | undefined> {
      const { args, flags } = await this.parse(RawCommand);
      const values = flags as FlagValues;
      const path = parseRawPath(args.path);
      const found = await findOperation(method, path, { argv: this.argv, runtime: this.runtime });
      const described = found.operation ?? found.near;
      if (described) requireIntegers(path, described);
      if (values.example) {
        const { exampleBody } = await import('./example-body.ts');
        const shown = found.operation ?? { id: `${method} ${args.path}`, method, path: args.path };
        await this.showExample(() => exampleBody(shown));
        return undefined;
      }
      const { run: usual, paging } = runOf(method, path, { ...found, values });
      const run = { ...usual, operation: withContentType(usual.operation, values['content-type']) };
      const shown = { ...paging, ...values };
      const scopeNeeded = found.operation
        ? undefined
        : await unknownRequest(method, path, { described: found.described, argv: this.argv });
      const { merchantHeader } = found;
      const typed = await readTypedHeaders(values.header, {
        operation: run.operation,
        merchantHeader,
        runtime: this.runtime,
      });
      const session = this.openSession(values, {
        merchantHeader,
        scopeNeeded,
        takesOtherCredentials: run.operation.security !== undefined,
        secretHeaders: typed?.secrets,
      });
      if (method !== 'GET' && !values['dry-run']) refuseChange(session.settings);
      const body = await readImportedBody(values, run.operation, {
        session,
        runtime: this.runtime,
        path: () => path.path,
        query: Object.fromEntries(new URLSearchParams(path.pairs.join('&'))),
      });
      const { 'idempotency-key': idempotencyKey } = values;
      const scopes = values.scope && readScopes(values.scope);
      // The path is written out; whoever judges the request needs to know what its parts mean.
      const written = Object.fromEntries(valuesOfPath(path.path, found.operation?.path ?? ''));
      const asked = {
        query: {},
        path: written,
        headers: typed?.headers,
        body,
        scopes,
        idempotencyKey,
        ...(await sentAs(run.operation)),
      };
      const sending = { flags: shown, argv: this.argv, filters: {}, asked };
      if (found.operation) return await sendAndShow(session, run, sending);
      await showUndescribed(session, run, sending);
      return undefined;
    }
  };
}

/** Flags for a response that may be a list. */
function readingFlags() {
  return { ...pagingFlags(), ...amountsFlag(), ...sortFlag(), ...watchFlag() };
}

/** Any method may have a body, and a key where the service knows one. */
function rawFlags(method: Method) {
  const contentType = textFlag({
    summary: 'Media type of the body, where the description has several.',
    helpGroup: 'BODY',
    helpValue: 'TYPE',
  });
  const flags = importedBodyFlags({ method, hasBody: true, idempotencyHeader: KEY_HEADER });
  return { 'content-type': contentType, ...flags };
}

const KEY_HEADER = 'idempotency-key';

type Found = {
  readonly operation: RunnableOperation | undefined;
  /** Without an operation: one whose path differs only in slashes and case, by which the body is checked. */
  readonly near?: RunnableOperation | undefined;
  readonly merchantHeader?: string | undefined;
  /** The operations of the imported description, where there is one. */
  readonly described?: readonly IndexedOperation[] | undefined;
};

async function unknownRequest(
  method: Method,
  { path }: RawPath,
  { described, argv }: Pick<Found, 'described'> & { readonly argv: readonly string[] },
) {
  const { unknownPath } = await import('./unknown-path.ts');
  const { importCommand } = await import('../../cli/routing/suggest-command.ts');
  const operations = [...(described ?? []), ...ownOperations()];
  const source = described ? 'The API description' : 'The contract of payctl';
  return unknownPath({
    method,
    path,
    operations,
    source,
    importsWith: described ? undefined : importCommand(argv),
  });
}

/** The operation that a request is one of: of the imported description, else of payctl's own contract. */
async function findOperation(
  method: Method,
  { path }: RawPath,
  { argv, runtime }: { readonly argv: readonly string[]; readonly runtime: Runtime },
): Promise<Found> {
  const description = await openDescription(argv, runtime.environment);
  const indexed = description && matchOperation(method, path, description.index.operations);
  if (description && indexed) {
    return {
      operation: await description.operation(indexed),
      merchantHeader: description.index.merchantHeader,
    };
  }
  const operation = matchOperation(method, path, ownOperations());
  if (operation) return { operation };
  const { index } = description ?? {};
  const near = index && nearOperation(method, path, index.operations);
  return {
    operation,
    near: near ? await description?.operation(near) : nearOperation(method, path, ownOperations()),
    merchantHeader: index?.merchantHeader,
    described: index?.operations,
  };
}

/** The operation that many services serve at a path with other slashes, or in another case. */
function nearOperation<T extends Pick<RunnableOperation, 'method' | 'path'>>(
  method: Method,
  path: string,
  operations: readonly T[],
): T | undefined {
  const plain = (one: string) =>
    one
      .replace(/\/{2,}/g, '/')
      .replace(/\/$/, '')
      .toLowerCase();
  const known = operations.map((operation) => ({
    method: operation.method,
    path: plain(operation.path),
    operation,
  }));
  return matchOperation(method, plain(decodeComponent(path)), known)?.operation;
}

/** The operation as this path asks for it. Parameters of paging become flags, so that pages can be followed. */
function runOf(
  method: Method,
  { path, pairs }: RawPath,
  { operation, near, described, values }: Omit<Found, 'merchantHeader'> & { readonly values: FlagValues },
) {
  const isPaged = operation?.listShape !== undefined || asksForPages(values);
  const paging: Record<string, unknown> = {};
  const names = pagingNames(operation);
  const kept = pairs.filter((pair) => {
    const [key = '', value = ''] = pair.split('=', 2);
    const name = decodeURIComponent(key);
    const isSize = name === names.size && /^[1-9]\d{0,8}$/.test(value);
    const isPaging = isPaged && (name === names.cursor || isSize);
    if (isPaging) paging[isSize ? 'limit' : 'cursor'] ??= isSize ? Number(value) : decodeURIComponent(value);
    return !isPaging;
  });
  const literal = path + (kept.length === 0 ? '' : `?${kept.join('&')}`);
  // Its scopes do not count: nobody knows that the service serves it here.
  const unknown = { ...unknownOperation(method, path, isPaged), ...commonSecurity(described) };
  const base = operation ?? (near?.hasBody ? { ...near, scopes: [] } : unknown);
  const header = values['idempotency-key'] === undefined ? undefined : KEY_HEADER;
  const idempotencyHeader = takesKey(base) ? base.idempotencyHeader : header;
  const run: ImportedRun = {
    operation: {
      ...base,
      path: literal,
      pathParameters: [],
      ...(idempotencyHeader ? { idempotencyHeader } : {}),
    },
    words: `api ${method.toLowerCase()}`,
  };
  return { run, paging: paging as Pick<ShownFlagValues, 'cursor' | 'limit'> };
}

/** The credentials of all operations of a description, if they are the same. */
function commonSecurity(described: Found['described']): Pick<RunnableOperation, 'security'> {
  const [first] = described ?? [];
  const text = JSON.stringify(first?.security);
  const isCommon = described?.every(({ security }) => JSON.stringify(security) === text);
  return first?.security && isCommon ? { security: first.security } : {};
}

/** The parameters of paging in the path: the one that says where a page begins, and that of its size. */
function pagingNames(operation: RunnableOperation | undefined) {
  const { paging, query = {} } = operation ?? {};
  return {
    cursor: paging?.counted?.parameter ?? (operation ? cursorParameter(operation) : 'cursor'),
    size: sizeParameter({ query, paging }) ?? 'limit',
  };
}

function asksForPages({ all, limit, cursor, 'max-items': maxItems }: FlagValues): boolean {
  return all === true || limit !== undefined || cursor !== undefined || maxItems !== undefined;
}

/** What is assumed of a request that no description names. */
function unknownOperation(method: Method, path: string, isPaged: boolean): RunnableOperation {
  return {
    id: `${method} ${path}`,
    method,
    path,
    summary: '',
    command: '',
    scopes: [],
    merchantAccount: true,
    isList: false,
    paginated: isPaged,
    ...(isPaged ? { listShape: 'envelope' } : {}),
    pathParameters: [],
    pathValues: {},
    query: isPaged ? { cursor: { type: 'string' }, limit: { type: 'integer' } } : {},
    hasBody: method !== 'GET',
    successStatus: 200,
    responseSchema: '',
    personalByName: true,
    columns: [],
    fields: [],
    errors: [],
  };
}
