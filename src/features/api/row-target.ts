import type { Interfaces } from '@oclif/core';
import { optionalArgument } from '../../cli/flags/arguments.ts';
import { kebabCase, parameterFlags, readParameters } from '../../cli/flags/parameters.ts';
import { textFlag } from '../../cli/flags/types.ts';
import type { ReadRecord } from '../../cli/money/record.ts';
import { readJson } from '../../cli/read-body.ts';
import type { Runtime } from '../../cli/runtime.ts';
import type { Display } from '../../cli/show/display.ts';
import { fillPath, queryString } from '../../client/send.ts';
import { plainName } from '../../contract/operation.ts';
import { isSecretName } from '../../contract/secret-names.ts';
import { withContentType } from '../../descriptions/body-forms.ts';
import { UsageError } from '../../errors.ts';
import { isObject, own } from '../../json/is-object.ts';
import type { PlainCheck } from '../../schemas/plain-check.ts';
import { memberSchemas, partsOf } from '../../schemas/schema-at.ts';
import { FORM_TYPE, listValues, quote } from '../../text/format.ts';
import { readScopes } from '../../tokens/scopes.ts';
import { readyBody, sentAs } from './body.ts';
import { type Called, findCalled } from './called-operation.ts';
import {
  changeableCopy,
  type FieldSetter,
  fieldSetter,
  isDescribedField,
  withConstants,
  withFields,
} from './fields.ts';
import { pathOf, readDescribedHeaders, readTypedHeaders } from './imported-command.ts';
import { type ChangeFlagValues, headerFlag, importedBodyFlags, scopeFlag } from './operation-flags.ts';
import type { RunnableOperation } from './own-operations.ts';

/** A request of a row before it is checked. */
type Draft = { readonly path: Record<string, string>; readonly query: Record<string, string>; body: unknown };

type FlagValues = Readonly<Record<string, unknown>> & ChangeFlagValues;

/** The operation of a command that changes something, and the flags that its rows can share. */
export type RowOperation = {
  readonly called: Called;
  readonly operation: RunnableOperation;
  readonly flags: Interfaces.FlagInput;
  readonly args: Interfaces.ArgInput;
};

/**
 * Finds the operation that the first words name.
 * @throws UsageError `unknown_operation`, `not_runnable`; `not_a_change` for one that only reads; `not_for_rows` for one that sends a file
 */
export async function findRowOperation(argv: readonly string[], runtime: Runtime): Promise<RowOperation> {
  const called = await findCalled(argv, runtime);
  if (!called) {
    throw new UsageError('missing_argument', 'Missing the command to run for each row', {
      hint: 'For example: payctl bulk plan transactions refunds create --from refunds.csv --out refunds.plan',
    });
  }
  const { operation, name } = called;
  if (operation.method === 'GET') {
    throw new UsageError('not_a_change', `${quote(name)} changes nothing`, {
      hint: 'Use a command that creates, updates or deletes something.',
    });
  }
  if (operation.bodyKind !== undefined) {
    throw new UsageError('not_for_rows', `${quote(name)} sends files, which a table cannot contain`, {
      hint: 'Run the command once for each file.',
    });
  }
  return { called, operation, ...inputsOf(operation) };
}

/**
 * Finds the operation of a plan, whose header has the words of its command. `profile` is the one that `--profile` names.
 * @throws UsageError as `findRowOperation`
 */
export async function findPlannedOperation(
  { command }: { readonly command: string },
  { profile, runtime }: { readonly profile: string | undefined; readonly runtime: Runtime },
): Promise<RowOperation> {
  const flags = profile === undefined ? [] : ['--profile', profile];
  return await findRowOperation([...command.split(' '), ...flags], runtime);
}

/** What a session that sends rows is opened with. */
export function sessionForRows({ called, operation }: RowOperation) {
  return {
    merchantHeader: called.merchantHeader,
    takesOtherCredentials: operation.security !== undefined,
  };
}

/** The flags and arguments that rows can share: all of the command, except those for a single request and for output. */
function inputsOf(operation: RunnableOperation): Pick<RowOperation, 'flags' | 'args'> {
  const {
    'dry-run': _dryRun,
    yes: _yes,
    example: _example,
    'idempotency-key': _key,
    ...body
  } = importedBodyFlags(operation) as Interfaces.FlagInput;
  const shared = { ...body, ...headerFlag(), ...(operation.scopes.length === 0 ? scopeFlag() : {}) };
  const { flags } = parameterFlags(operation.query, Object.keys(shared));
  const described = parameterFlags(operation.headers ?? {}, [...Object.keys(shared), ...Object.keys(flags)]);
  const own = operation.isOwn ? ownFieldFlags(operation) : {};
  const optional = Object.entries({ ...flags, ...described.flags }).map(([name, flag]) => [
    name,
    Object.assign(flag, { isDemanded: false, required: false }),
  ]);
  return {
    flags: { ...own, ...Object.fromEntries(optional), ...shared },
    args: Object.fromEntries(operation.pathParameters.map((name) => [kebabCase(name), optionalArgument()])),
  };
}

/** payctl's own commands have a flag for each string in their bodies. */
function ownFieldFlags({ requestSchema }: RunnableOperation): Interfaces.FlagInput {
  return Object.fromEntries(
    [...ownFields(requestSchema).keys()].map((name) => [name, textFlag({ helpGroup: 'BODY' })]),
  );
}

/** The paths of the texts in a body, by the names of their flags: `--city` is `address.city`. */
function ownFields(schema: unknown): ReadonlyMap<string, string> {
  const members = (parts: readonly unknown[]) =>
    partsOf({ allOf: parts }, schema).flatMap(({ properties }) =>
      isObject(properties) ? Object.keys(properties) : [],
    );
  const top = members([schema]);
  const inner = top.flatMap((name) => {
    const below = memberSchemas(partsOf(schema, schema), name).flatMap((one) => partsOf(one, schema));
    return members(below).map((member) => `${name}.${member}`);
  });
  return new Map([...inner, ...top].map((path) => [kebabCase(path.slice(path.lastIndexOf('.') + 1)), path]));
}

/** What a target is made with. */
export type RowTargetParts = {
  readonly args: Readonly<Record<string, unknown>>;
  readonly flags: FlagValues;
  readonly runtime: Runtime;
  readonly display: Pick<Display, 'warn' | 'info'>;
};

/**
 * Makes the command ready for rows: what arguments and flags give is the same for each row, and columns set the rest.
 * @throws UsageError as the command itself does for its flags; `secret_in_plan` for a header that is a secret
 */
export async function openRowTarget({ called, operation: found }: RowOperation, parts: RowTargetParts) {
  const { args, flags, runtime, display } = parts;
  const operation = withContentType(found, flags['content-type']);
  const { query = {}, headers: sent = {}, requestSchema: schema, record: place } = operation;
  const { names } = parameterFlags(query, []);
  const sentNames = parameterFlags(sent, [...names.values()]);
  const typed = await readTypedHeaders(flags.header, {
    operation,
    flags: sentNames.names,
    merchantHeader: called.merchantHeader,
    runtime,
  });
  if (typed?.secrets && Object.keys(typed.secrets).length > 0) {
    throw new UsageError('secret_in_plan', '--header gives a secret, and a plan must not contain secrets', {
      hint: 'To store it in the profile: payctl auth login --help',
    });
  }
  const headers = {
    ...(await readDescribedHeaders(flags, { names: sentNames.names, query: sent }, runtime)),
    ...typed?.headers,
  };
  const record = place?.request;
  const ownPaths = operation.isOwn ? ownFields(schema) : new Map<string, string>();
  const isPlain = await plainCheckOf(operation);
  const { checkValue } = await import('../../cli/flags/parameter-values.ts');
  const template = await templateOf();

  return {
    command: called.name,
    operation,
    description: operation.isOwn ? undefined : called.description?.index.hash,
    merchantHeader: called.merchantHeader,
    shared: {
      headers,
      scopes: flags.scope && readScopes(flags.scope),
      ...(operation.hasBody ? await sentAs(operation) : {}),
    },
    columnNames: [
      ...operation.pathParameters.map(kebabCase),
      ...names.values(),
      ...(schema === undefined ? [] : ownFields(schema).values()),
    ],
    column,
    arguments: argumentsOf,
    draft: (): Draft => ({
      path: { ...template.path },
      query: { ...template.query },
      body: changeableCopy(template.body),
    }),
    call,
  };

  /** The values of arguments, --data, -F and other flags. */
  async function templateOf(): Promise<Draft> {
    const data = flags.data === undefined ? undefined : await readJson(flags.data, '--data', runtime);
    const body =
      flags.field === undefined ? data : await withFields(data, flags.field, { schema, runtime, record });
    const { idempotencyMember: key } = operation;
    if (key !== undefined && isObject(body) && Object.hasOwn(body, key)) {
      const problem = `The rows would all have the same ${key}, so the service would carry out only one`;
      const hint = 'Leave it out: payctl gives each row a key of its own. A column can give them, too.';
      throw new UsageError('bad_field', problem, { hint });
    }
    const draft: Draft = { path: {}, query: {}, body: changeableCopy(body) };
    for (const name of operation.pathParameters) {
      const value = args[kebabCase(name)];
      if (typeof value === 'string') draft.path[name] = value;
    }
    const flagNames = [...names.values(), ...ownPaths.keys()];
    for (const flag of flagNames) {
      const value = flags[flag];
      if (typeof value === 'string') column(flag)?.set(draft, value, undefined);
    }
    return draft;
  }

  function column(name: string) {
    const plain = plainName(name);
    const argument = operation.pathParameters.find((one) => plainName(one) === plain);
    if (argument !== undefined) return settingArgument(argument);
    const isDescribed = operation.hasBody && isDescribedField(name, { schema, record });
    const last = operation.pathParameters.at(-1);
    if (plain === 'id' && last !== undefined && (schema === undefined || !isDescribed))
      return settingArgument(last);
    const parameter = Object.keys(query).find((one) => plainName(one) === plain);
    if (parameter !== undefined && (schema === undefined || !isDescribed)) {
      if (isSecretName(parameter))
        throw new UsageError(
          'secret_in_plan',
          `The column ${quote(name)} is a secret, and a plan must not contain secrets`,
        );
      return {
        ...{ sets: `query/${parameter}`, kind: 'text' as const, plain: undefined },
        set: (draft: Draft, value: unknown) => (draft.query[parameter] = String(value)),
      };
    }
    if (!operation.hasBody) return undefined;
    const own = ownPaths.get(kebabCase(name));
    if (!isDescribed && own === undefined) return undefined;
    const setter = fieldSetter(isDescribed ? name : (own ?? name), { schema, record });
    return {
      sets: `body${setter.pointer}`,
      kind: setter.kind,
      plain: plainTextsOf(setter, isPlain),
      set(draft: Draft, value: unknown, currency: string | undefined) {
        draft.body = setter.set(draft.body, value, currency);
      },
    };
  }

  function settingArgument(name: string) {
    if (args[kebabCase(name)] !== undefined) {
      throw new UsageError('duplicate_column', `The command line and a column both give the ${name}`, {
        hint: 'Leave one of them out. To ignore a column: --ignore-column NAME',
      });
    }
    const parameter = own(operation.pathValues, name) ?? { type: 'string', multiple: true };
    const accepts = (text: string) => {
      if (parameter.multiple) return false;
      try {
        checkValue(name, text, parameter);
        return true;
      } catch {
        return false;
      }
    };
    return {
      ...{ sets: `path/${name}`, kind: 'text' as const },
      plain: { part: 'path' as const, names: [name], isNumber: false, accepts },
      set: (draft: Draft, value: unknown) => (draft.path[name] = String(value)),
    };
  }

  function argumentsOf(given: Readonly<Record<string, unknown>>) {
    const kebab = Object.entries(given).map(([name, value]) => [kebabCase(name), value]);
    return pathOf(operation, Object.fromEntries(kebab));
  }

  async function call({ path: given, query: texts, body: written }: Draft, read: ReadRecord) {
    const missing = operation.pathParameters.filter((name) => !given[name]);
    if (missing.length > 0) throw new UsageError('missing_value', `${listValues(missing)} must have a value`);
    const path = await argumentsOf(given);
    const flagged = Object.fromEntries(Object.entries(texts).map(([name, text]) => [names.get(name), text]));
    const parameters = names.size === 0 ? {} : await readParameters(flagged, { names }, { query, runtime });
    const filled = operation.path.includes('{') ? fillPath(operation.path, path) : operation.path;
    const body = operation.hasBody ? await bodyOf(written, { path: filled, parameters, read }) : undefined;
    return {
      path,
      query: parameters,
      ...(body ?? { body, isPlain: true }),
      target: names.size === 0 ? filled : filled + queryString(parameters, query),
    };
  }

  async function bodyOf(
    written: unknown,
    {
      path,
      parameters,
      read,
    }: {
      readonly path: string;
      readonly parameters: Readonly<Record<string, unknown>>;
      readonly read: ReadRecord;
    },
  ): Promise<{ readonly body: unknown; readonly isPlain: boolean } | undefined> {
    const whole =
      record === undefined || written === undefined ? written : withConstants(written, schema, record);
    if (whole === undefined && !operation.bodyRequired) return undefined;
    const body = await readyBody(whole ?? {}, operation, {
      session: { display: { warn: display.warn, info: () => {} }, record: read },
      path: () => path,
      query: parameters,
      isUnchecked: flags['no-validate'],
      isPlain,
    });
    return { body, isPlain: isPlain?.(whole) === true };
  }
}

/** An integer that is written as JavaScript writes it. */
const SHORT_INTEGER = /^(?:0|-?[1-9]\d{0,14})$/;

/** The fast check of bodies that are sent as JSON. */
async function plainCheckOf({ bodyType, bodyKind, requestSchema }: RunnableOperation) {
  if (bodyType === FORM_TYPE || bodyKind !== undefined || requestSchema === undefined) return undefined;
  const { plainCheck } = await import('../../schemas/plain-check.ts');
  return plainCheck(requestSchema);
}

/** The texts that a body takes in a field whatever else is in it: those whose value has a check of its own. */
function plainTextsOf({ kind, names, types }: FieldSetter, isPlain: PlainCheck | undefined) {
  const check = names?.reduce<PlainCheck | undefined>((above, name) => above?.member?.(name), isPlain);
  if (!names || !check || kind === 'other' || types.size === 0) return undefined;
  const isNumber = kind !== 'text';
  const accepts = isNumber
    ? (text: string) => (SHORT_INTEGER.test(text) || String(Number(text)) === text) && check(Number(text))
    : (text: string) => text !== 'null' && check(text);
  return { part: 'body' as const, names, isNumber, accepts };
}
