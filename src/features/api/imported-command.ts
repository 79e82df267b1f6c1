import type { Interfaces } from '@oclif/core';
import { BaseCommand } from '../../cli/base-command.ts';
import type { KnownFlags } from '../../cli/failure/usage-error.ts';
import { argument } from '../../cli/flags/arguments.ts';
import { connectionFlags } from '../../cli/flags/global.ts';
import {
  amountsFlag,
  filtersOf,
  listFileFlags,
  outputFlags,
  sortFlag,
  watchFlag,
} from '../../cli/flags/list.ts';
import { type MeantValue, meantArguments } from '../../cli/flags/meant-values.ts';
import {
  isShortIdOf,
  kebabCase,
  parameterFlags,
  readParameters,
  requireValue,
} from '../../cli/flags/parameters.ts';
import { FlagError } from '../../cli/flags/types.ts';
import type { Runtime } from '../../cli/runtime.ts';
import { refuseChange } from '../../cli/session/read-only.ts';
import type { Session } from '../../cli/session/session.ts';
import type { Call } from '../../client/call.ts';
import { ApiError } from '../../client/errors.ts';
import { type Operation, type QueryParameter, takesToken } from '../../contract/operation.ts';
import { withContentType } from '../../descriptions/body-forms.ts';
import type { ImportedOperation } from '../../descriptions/imported-operation.ts';
import { onlyReads } from '../../descriptions/reads.ts';
import { own } from '../../json/is-object.ts';
import { isAmountPath } from '../../text/amount-names.ts';
import { argumentName, isShortId } from '../../text/format.ts';
import { readScopes } from '../../tokens/scopes.ts';
import type { PathValues } from './imported-ids.ts';
import type { ImportedRun, ShownFlagValues } from './imported-run.ts';
import { columnsOf } from './list-look.ts';
import {
  type ChangeFlagValues,
  downloadFlags,
  headerFlag,
  importedBodyFlags,
  importedPagingFlags,
  refusedFlags,
  scopeFlag,
} from './operation-flags.ts';
import { sendAndShow } from './send-and-show.ts';
import type { TypedHeaderParts, TypedHeaders } from './typed-headers.ts';

type FlagValues = ShownFlagValues & ChangeFlagValues;

/**
 * The command of an operation of an imported description: its path parameters are arguments, its query parameters flags, and
 * everything else is as in the commands that payctl has itself.
 */
export function importedCommand(imported: ImportedRun): typeof BaseCommand {
  const { operation } = imported;
  const { flags: shared, parameters, headers: sentHeaders } = flagsOf(operation);
  return class ImportedCommand extends BaseCommand {
    static override readonly summary = operation.summary;
    static override readonly description = operation.description;
    static override readonly operation = operation;
    static override readonly columns = columnsOf(operation);
    static override readonly fields = operation.fields;
    static override readonly args = argumentsOf(operation);
    static override readonly flags = shared;

    async run(): Promise<number | undefined> {
      const { args, flags } = await this.parse(ImportedCommand).catch(async (error: unknown) => {
        const { withSibling } = await import('./argument-siblings.ts');
        throw withSibling(error, imported, { argv: this.argv, flags: shared as KnownFlags });
      });
      const values = flags as FlagValues;
      const typedPath = await pathOf(operation, args);
      const { query: parametersOfQuery } = parameters;
      const converted: MeantValue[] = [];
      const query = await readParameters(flags, parameters, {
        query: parametersOfQuery,
        runtime: this.runtime,
        onMeant: (value) => converted.push(value),
      });
      const described = await readDescribedHeaders(flags, sentHeaders, this.runtime);
      const typed = await readTypedHeaders(values.header, {
        operation,
        flags: sentHeaders.names,
        merchantHeader: imported.merchantHeader,
        runtime: this.runtime,
      });
      const headers = { ...described, ...typed?.headers };
      const session = this.openSession(values, {
        merchantHeader: imported.merchantHeader,
        takesOtherCredentials: operation.security !== undefined,
        secretHeaders: typed?.secrets,
      });
      const {
        path,
        query: wholeQuery,
        ...ids
      } = await withIds(session, imported, {
        path: typedPath,
        query,
        flags: parameters.names,
      });
      for (const { flag, typed, meant } of converted) session.display.info(`${flag} ${typed} is ${meant}.`);
      if (operation.method !== 'GET' && !values['dry-run']) refuseChange(session.settings);
      const body = await this.readBody(values, session, { path, query });
      const { 'idempotency-key': idempotencyKey } = values;
      const scopes = values.scope && readScopes(values.scope);
      const asked = { query: wholeQuery, headers, ...body, scopes, idempotencyKey };
      const filters = Object.entries(wholeQuery).map(([name, value]) => [parameters.names.get(name), value]);
      const sending = {
        flags: 'sort' in parametersOfQuery ? { ...values, sort: undefined } : values,
        argv: meantArguments(this.argv, [...converted, ...ids.meant]),
        filters: Object.fromEntries(filters),
      };
      const send = (one: PathValues) =>
        sendAndShow(
          session,
          { ...imported, takesListFile: true },
          { ...sending, asked: { ...asked, path: one } },
        );
      return await send(path).catch(async (error: unknown) => {
        const otherwise =
          error instanceof ApiError && error.status === 404 ? await ids.otherwise() : undefined;
        if (!otherwise) throw error;
        return await send(otherwise);
      });
    }

    protected override async example(): Promise<unknown> {
      const { exampleBody } = await import('./example-body.ts');
      return await exampleBody(withContentType(operation, valueIn(this.argv, '--content-type')));
    }

    private async readBody(
      flags: FlagValues,
      session: Session,
      { path, query }: Pick<Call, 'path' | 'query'>,
    ): Promise<Pick<Call, 'body' | 'contentType'>> {
      if (!operation.hasBody) return { body: undefined, contentType: operation.bodyType };
      const { readImportedBody, sentAs } = await import('./body.ts');
      const sent = withContentType(operation, flags['content-type']);
      const body = await readImportedBody(flags, sent, {
        session,
        runtime: this.runtime,
        path: async () => (await import('../../client/send.ts')).fillPath(operation.path, path),
        query,
      });
      return { body, ...(await sentAs(sent)) };
    }
  };
}

/** The value of a flag among words that are not parsed. */
function valueIn(argv: readonly string[], flag: string): string | undefined {
  const at = argv.findIndex((word) => word === flag || word.startsWith(`${flag}=`));
  return argv[at] === flag ? argv[at + 1] : argv[at]?.slice(flag.length + 1);
}

/** The headers of `--header`. The code that reads them is loaded on first use. */
export async function readTypedHeaders(
  given: readonly string[] | undefined,
  parts: Omit<TypedHeaderParts, 'given'>,
): Promise<TypedHeaders | undefined> {
  if (!given) return undefined;
  const { typedHeaders } = await import('./typed-headers.ts');
  return await typedHeaders({ ...parts, given });
}

type Typed = {
  readonly path: PathValues;
  readonly query: Awaited<ReturnType<typeof readParameters>>;
  /** The flags of the query, without dashes. */
  readonly flags: ReadonlyMap<string, string>;
};

/**
 * The path and the query of a request that only reads, with whole IDs. What may be a short ID, or a whole one of another kind, is
 * first sent as it is, and `otherwise` has the path for where there is no such record. What looks IDs up is loaded for the first short one.
 */
async function withIds(session: Session, run: ImportedRun, { path, query, flags }: Typed) {
  const isShort = (value: unknown) => typeof value === 'string' && isShortId(value);
  if (run.operation.method !== 'GET' || ![...Object.values(path), ...Object.values(query)].some(isShort))
    return { path, query, meant: [], otherwise: async () => undefined };
  const { withWholePath, withWholeQuery } = await import('./imported-ids.ts');
  const sure = await withWholePath(session, run, { path, isSure: true });
  const whole = await withWholeQuery(session, run, { query, flags });
  const meant = Object.entries(query).flatMap(([name, typed]) =>
    typed === whole[name]
      ? []
      : [{ flag: `--${flags.get(name)}`, typed: String(typed), meant: String(whole[name]) }],
  );
  const otherwise = async () => {
    const found = await withWholePath(session, run, { path: sure, isSure: false });
    return Object.keys(sure).some((name) => sure[name] !== found[name]) ? found : undefined;
  };
  return { path: sure, query: whole, meant, otherwise };
}

/** The flags of an operation; a query parameter whose name one of the others has becomes `--param-NAME`. */
function flagsOf(operation: ImportedOperation) {
  const isGet = operation.method === 'GET';
  const isPaged = operation.listShape !== undefined && onlyReads(operation);
  const hasPersonalData = operation.personalData ?? (operation.personalByName ? {} : undefined);
  const others: Interfaces.FlagInput = {
    ...(isPaged ? importedPagingFlags(operation) : {}),
    ...(operation.listShape && operation.fields.some(isAmountPath) ? amountsFlag() : {}),
    // A service that sorts by a parameter of this name sorts better.
    ...(operation.listShape && !('sort' in operation.query) ? sortFlag() : {}),
    ...(isGet && !operation.downloadTypes && !('watch' in operation.query) ? watchFlag() : {}),
    ...(isGet ? {} : importedBodyFlags(operation)),
    ...(operation.scopes.length === 0 && takesToken(operation) ? scopeFlag() : {}),
    ...headerFlag(),
    ...(operation.listShape && !operation.downloadTypes ? listFileFlags() : {}),
    ...(operation.downloadTypes
      ? { ...downloadFlags(operation.downloadTypes), ...refusedFlags() }
      : outputFlags(hasPersonalData ? { personalData: hasPersonalData } : {})),
    ...(operation.isUndescribed ? downloadFlags() : {}),
    ...connectionFlags(),
  };
  const query = isPaged ? filtersOf(operation) : operation.query;
  const taken = [...Object.keys(others), ...Object.keys(BaseCommand.baseFlags), 'help', 'version'];
  const { flags, names } = parameterFlags(query, taken, { takesShortIds: isGet });
  const { headers: sent = {} } = operation;
  const headers = parameterFlags(sent, [...taken, ...names.values()]);
  return {
    flags: { ...flags, ...headers.flags, ...others },
    parameters: { names, query },
    headers: { names: headers.names, query: sent },
  };
}

/** What every server takes in a header: other characters are changed or refused on the way, and blanks at the ends are cut off. */
const HEADER_VALUE = /^[!-~](?:[ -~]{0,8000}[!-~])?$/;

/** @throws FlagError for a value that no header can have, and as `readParameters` */
export async function readDescribedHeaders(
  flags: Readonly<Record<string, unknown>>,
  { names, query }: { readonly names: ReadonlyMap<string, string>; readonly query: Operation['query'] },
  runtime: Runtime,
): Promise<Record<string, string>> {
  const given = await readParameters(flags, { names }, { query, runtime });
  const texts = Object.entries(given).map(([name, value]) => [name, [value].flat().join(',')] as const);
  for (const [name, text] of texts) {
    if (HEADER_VALUE.test(text)) continue;
    throw new FlagError(
      `--${names.get(name)} must be 1 to 8000 printable ASCII characters without blanks at its ends`,
      `Its value is sent in the header ${name}.`,
    );
  }
  return Object.fromEntries(texts);
}

/** The parameters of an operation's query and headers, each with its flag as it is typed. */
export function parametersWithFlags(operation: ImportedOperation) {
  const { parameters, headers } = flagsOf(operation);
  const withFlags = (described: Operation['query'], names: ReadonlyMap<string, string>) =>
    Object.entries(described).map(([name, parameter]) => {
      return { flag: `--${names.get(name) ?? name}`, name, parameter };
    });
  return {
    query: withFlags(operation.query, parameters.names),
    headers: withFlags(operation.headers ?? {}, headers.names),
  };
}

/** One of them. */
export type ParameterWithFlag = ReturnType<typeof parametersWithFlags>['query'][number];

function argumentsOf({ pathParameters, pathValues }: ImportedOperation): Interfaces.ArgInput {
  return Object.fromEntries(
    pathParameters.map((name) => {
      const {
        summary = `Parameter ${name} of the path.`,
        enum: options,
        multiple,
      } = own(pathValues, name) ?? {};
      // What the parser of oclif says about a value that is not one of its options has no hint; `requireValue` says it.
      const values = options ? `One of ${options.join(', ')}.` : '';
      const several = multiple ? 'Separate several values by commas.' : '';
      const description = [summary, values, several].filter(Boolean).join(' ');
      return [kebabCase(name), argument(description)];
    }),
  );
}

/** @throws FlagError for a value that the description does not allow */
export async function pathOf(
  operation: ImportedOperation,
  args: Readonly<Record<string, unknown>>,
): Promise<Record<string, string | readonly string[]>> {
  // A parameter may have the name `__proto__`.
  const values: Record<string, string | readonly string[]> = Object.create(null);
  for (const name of operation.pathParameters) {
    const value = String(own(args, kebabCase(name)) ?? '');
    const parameter = own(operation.pathValues, name);
    const elements = parameter?.multiple ? value.split(',') : [value];
    for (const element of parameter ? elements : []) {
      if (parameter && operation.method === 'GET' && isShortIdOf(parameter, element)) continue;
      await requireValue(argumentName(kebabCase(name)), element, parameter as QueryParameter);
    }
    values[name] = parameter?.multiple ? elements : value;
  }
  return values;
}
