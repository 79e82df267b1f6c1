import type { Converted } from '../../cli/money/convert.ts';
import { exceptNulls, invalidBody, misspeltMembers, readJson, warnOfMembers } from '../../cli/read-body.ts';
import type { Runtime } from '../../cli/runtime.ts';
import type { Session } from '../../cli/session/session.ts';
import type { Display } from '../../cli/show/display.ts';
import type { Call } from '../../client/call.ts';
import type { encoderOf } from '../../descriptions/encode-body.ts';
import type { ImportedOperation } from '../../descriptions/imported-operation.ts';
import { onlyReads } from '../../descriptions/reads.ts';
import { bodyRefused, UsageError } from '../../errors.ts';
import { copyForValidation } from '../../json/exact.ts';
import { integerProblem } from '../../json/integers.ts';
import { isObject } from '../../json/is-object.ts';
import type { PlainCheck } from '../../schemas/plain-check.ts';
import { requiredMembers } from '../../schemas/schema-at.ts';
import type { UnknownMember } from '../../schemas/unknown-members.ts';
import type { BodyProblem } from '../../schemas/validator.ts';
import { currencyIn } from '../../text/amount-names.ts';
import { FORM_TYPE, listValues, quote } from '../../text/format.ts';
import { inShell } from '../../text/shell.ts';
import { suggest } from '../../text/suggest.ts';
import { withFields } from './fields.ts';
import type { ChangeFlagValues } from './operation-flags.ts';

/** What the schema of a body is known by: that of a description, or one of payctl's own contract. */
export type DescribedBody = Pick<
  ImportedOperation,
  | 'id'
  | 'method'
  | 'requestSchema'
  | 'bodyRequired'
  | 'bodyType'
  | 'bodyKind'
  | 'bodyTypes'
  | 'bodyValue'
  | 'idempotencyMember'
  | 'record'
  | 'payments'
> & {
  /** It is the body of payctl's own contract: nulls, and members that are not in it, are left to the service. */
  readonly isOwn?: boolean | undefined;
  readonly path?: string | undefined;
};

type Context = {
  readonly session: { readonly display: Pick<Display, 'warn' | 'info'>; readonly record: Session['record'] };
  readonly runtime: Runtime;
  /** The path of the request below the base URL. @throws UsageError */
  readonly path: () => string | Promise<string>;
  /** The parameters of the request, next to its body. */
  readonly query?: Readonly<Record<string, unknown>> | undefined;
};

/**
 * The body that `--data` and `-F` give, compared with its schema; undefined where there is none. Amounts with their currency are
 * integers of minor units in it, for which the record that the request changes may be read.
 * @throws UsageError `no_body`, `bad_body`, `bad_field`, `bad_json`, `unreadable_file`; AbortedError
 */
export async function readImportedBody(
  flags: ChangeFlagValues,
  described: DescribedBody,
  context: Context,
): Promise<unknown> {
  const { runtime, query } = context;
  if (described.bodyKind === 'bytes') {
    const { readUnchanged } = await import('./upload-body.ts');
    const bytes = await readUnchanged(flags, described, runtime);
    if (bytes === undefined && !flags['no-validate']) requireBody(described);
    return bytes;
  }
  const { data, field = [] } = flags;
  const given = data === undefined ? undefined : await readData(data, described, runtime);
  const { requestSchema: schema, record } = described;
  const currency = currencyIn(query, 'amount');
  const openFile = described.bodyKind === 'multipart' ? fileOpener(runtime) : undefined;
  const mayBeReadOnly = flags['no-validate'];
  const written =
    field.length === 0
      ? given
      : await withFields(given, field, {
          ...{ schema, runtime, mayBeReadOnly, openFile, currency },
          record: record?.request,
        });
  const body = withGivenKey(written, flags, described);
  if (body === undefined) {
    if (isQuestionWithoutFields(described)) return {};
    if (!flags['no-validate']) requireBody(described);
    return undefined;
  }
  return await readyBody(body, described, { ...context, isUnchecked: flags['no-validate'] });
}

/** The body with the key of `--idempotency-key`, which may be all that it has. A key that the schema requires is never missing. */
function withGivenKey(
  written: unknown,
  { 'idempotency-key': key }: ChangeFlagValues,
  { idempotencyMember: member, requestSchema: schema }: DescribedBody,
): unknown {
  if (member === undefined) return written;
  const required = requiredMembers(schema, schema);
  const body = written ?? (required.length === 1 && required[0] === member ? {} : undefined);
  return key !== undefined && isObject(body) ? { ...body, [member]: key } : body;
}

/**
 * A body that was put together, compared with its schema, with its amounts in minor units. It need not have an idempotency key: the
 * client adds it.
 * @throws UsageError `bad_body`, `body_not_checked`
 */
export async function readyBody(
  written: unknown,
  described: DescribedBody,
  context: Omit<Context, 'runtime'> & {
    readonly isUnchecked?: boolean | undefined;
    /** A fast check of bodies whose amounts are integers; what it does not accept is checked in full. */
    readonly isPlain?: PlainCheck | undefined;
  },
): Promise<unknown> {
  const { session, query, isUnchecked = false, isPlain } = context;
  const { idempotencyMember: member } = described;
  // The client adds the key later. The checks need one where the schema requires it.
  const key = member === undefined ? {} : { [member]: globalThis.crypto.randomUUID() };
  const withKey = (body: unknown) => (member !== undefined && isObject(body) ? { ...key, ...body } : body);
  if (isPlain?.(withKey(written))) return written;
  const currency = currencyIn(query, 'amount');
  const { body, requireCurrency } = await convert(written, described, context);
  if (isPlain?.(withKey(body))) {
    await requireCurrency();
    return body;
  }
  if (isUnchecked || described.requestSchema === undefined)
    await refuseProblems(body, { numbers: await integerProblems(body, described), currency }, described);
  else await requireDescribedBody(withKey(body), described, { display: session.display, currency });
  await requireCurrency();
  return body;
}

/** The body with its amounts in minor units. @throws UsageError `bad_body` */
async function convert(
  body: unknown,
  operation: DescribedBody,
  { session, path, query }: Omit<Context, 'runtime'>,
): Promise<Converted> {
  const { inMinorUnits } = await import('../../cli/money/convert.ts');
  return inMinorUnits(body, {
    schema: operation.requestSchema,
    currency: currencyIn(query, 'amount'),
    record: async () => await session.record({ path: await path(), call: { operation, body } }),
    say: session.display.info,
  });
}

/** Of a body of parts, `--data` takes the fields, and a file is easily given in their place. */
async function readData(data: string, { bodyKind }: DescribedBody, runtime: Runtime): Promise<unknown> {
  try {
    return await readJson(data, '--data', runtime);
  } catch (error) {
    if (!(error instanceof UsageError) || bodyKind !== 'multipart') throw error;
    const hint = '--data takes fields as JSON. Send a file with: -F FIELD=@FILE';
    throw new UsageError(error.code, error.problem, { hint });
  }
}

function fileOpener(runtime: Runtime) {
  return async (given: string, flag: string) => {
    const { readBytes } = await import('./upload-body.ts');
    return await readBytes(given, flag, runtime);
  };
}

/** Whether a POST that only reads requires a body, but no member of it. */
function isQuestionWithoutFields({
  method,
  path = '',
  bodyRequired,
  bodyKind,
  requestSchema: schema,
}: DescribedBody): boolean {
  const isNeeded = bodyRequired === true && bodyKind === undefined && onlyReads({ method, path });
  return isNeeded && requiredMembers(schema, schema).length === 0;
}

/** A body that may be left out is mostly left out by mistake where its schema requires members. */
function requireBody({ bodyRequired, bodyKind, method, requestSchema: schema }: DescribedBody): void {
  const required = listValues(requiredMembers(schema, schema));
  const isFile = bodyKind === 'bytes';
  const flags = isFile ? inShell('--data @FILE') : '-F PATH=VALUE or --data';
  if (bodyRequired) {
    throw new UsageError('no_body', 'The request needs a body', {
      hint: `Nothing was sent. Add ${flags}.${required ? ` Required: ${required}.` : ''}`,
    });
  }
  if (method === 'DELETE' || (required === '' && !isFile)) return;
  const why = isFile ? 'which the description has for it' : `in which the description requires ${required}`;
  throw new UsageError('no_body', `The request has no body, ${why}`, {
    hint: `Nothing was sent. Add ${flags}, or --no-validate to send the request without a body.`,
  });
}

/**
 * A member that is almost one of the description is misspelt. It must not be sent: a capture whose amount is misspelt is a
 * capture of all that is left.
 */
function refuseMisspelt(members: readonly UnknownMember[]): void {
  for (const { pointer, name, known } of members) {
    const meant = suggest(name, known);
    if (meant === undefined) continue;
    throw bodyRefused(
      `The request body has the field ${pointer}, which is not in the description`,
      `Did you mean ${meant}? --no-validate sends it anyway.`,
    );
  }
}

/** How the body of an operation is written: as JSON, unless the description has another type. */
export async function sentAs(
  operation: Parameters<typeof encoderOf>[0],
): Promise<Pick<Call, 'contentType' | 'encode'>> {
  const { bodyType, bodyKind } = operation;
  if (bodyType !== FORM_TYPE && bodyKind === undefined) return { contentType: bodyType };
  return (await import('../../descriptions/encode-body.ts')).encoderOf(operation);
}

type Checks = {
  /** The body as its schema can check it. */
  readonly checked: unknown;
  /** The problems to report, of those that the check found. */
  readonly problems: (found: readonly BodyProblem[]) => readonly BodyProblem[];
};

/** The values of a form are texts, and those of parts are files, too. */
async function checksOf(
  body: unknown,
  { requestSchema, bodyType, bodyKind }: DescribedBody,
): Promise<Checks> {
  const problems: Checks['problems'] = (found) => found;
  if (bodyKind !== 'multipart' && bodyType !== FORM_TYPE) return { checked: body, problems };
  const { refuseWrittenNames, typedForm } = await import('../../descriptions/form-body.ts');
  refuseWrittenNames(body, requestSchema);
  if (bodyKind === 'multipart') {
    const { checkableParts, problemsOfParts } = await import('../../descriptions/check-parts.ts');
    const checked = checkableParts(body, requestSchema);
    return { checked, problems: (found) => problemsOfParts(body, requestSchema, found) };
  }
  return { checked: typedForm(body, requestSchema), problems };
}

/** Whether `--data` takes a body without a complaint. */
export async function isAccepted(body: unknown, described: DescribedBody): Promise<boolean> {
  let isComplete = true;
  const warn = () => {
    isComplete = false;
  };
  try {
    await requireDescribedBody(body, described, { display: { warn } });
    return isComplete;
  } catch (error) {
    if (error instanceof UsageError) return false;
    throw error;
  }
}

async function requireDescribedBody(
  body: unknown,
  described: DescribedBody,
  { display, currency }: { readonly display: Pick<Display, 'warn'>; readonly currency?: string | undefined },
) {
  const { isOwn, requestSchema: schema } = described;
  if (schema === undefined) return;
  const { checkBody } = await import('../../schemas/check-body.ts');
  const checks = await checksOf(body, described);
  const copy = copyForValidation(checks.checked);
  const found = checkBody(schema, copy);
  if (!found) throw notChecked();
  const { undescribedMembers } = await import('../../schemas/unknown-members.ts');
  const numbers = await integerProblems(body, described);
  const others = checks.problems(isOwn ? exceptNulls(found.problems, copy) : found.problems);
  const members = undescribedMembers(schema, checks.checked);
  const source = isOwn ? 'the contract' : 'the description';
  if (numbers.length + others.length > 0) {
    // What is misspelt is why another member is missing, or why a branch of a union does not fit.
    const misspelt = misspeltMembers(members, source);
    await refuseProblems(body, { numbers, others: [misspelt, others], currency }, described);
  }
  if (!isOwn) refuseMisspelt(members);
  if (found.unchecked) throw notChecked(found.unchecked);
  warnOfMembers(members, { warn: display.warn, source });
}

/** A body that could not be checked, or only without a keyword of its schema, is sent only with --no-validate. */
function notChecked(keyword?: string): UsageError {
  const why =
    keyword === '$ref' ? 'refers to nothing, or to a schema that is too large' : 'takes too long to evaluate';
  const problem = keyword
    ? `The request body could not be checked completely: a ${quote(keyword)} in its schema ${why}; the rest of the body is valid`
    : 'The request body could not be checked: its schema in the description is broken, or takes too long to evaluate';
  return new UsageError('body_not_checked', problem, {
    hint: 'Nothing was sent. To send the body unchecked, add --no-validate',
  });
}

/**
 * The numbers that are in another form than an integer has where the schema takes only integers: `5.00` would be five cents; and amounts
 * in such a form that have to be integers. They are refused with --no-validate, too.
 */
async function integerProblems(body: unknown, described: DescribedBody): Promise<readonly BodyProblem[]> {
  const { requestSchema: schema } = described;
  const { amountsToRefuse } = await import('../../cli/money/amounts.ts');
  const unit = schema === undefined ? ': no description says in which unit the service takes it' : '';
  const problemsOf = (checked: unknown) =>
    amountsToRefuse(schema, checked).map(({ pointer, value }) => {
      return { pointer, message: `${integerProblem(value)}${unit}` };
    });
  if (schema === undefined) return problemsOf(body);
  const { checkIntegers, inTime } = await import('../../schemas/check-body.ts');
  const { checked } = await checksOf(body, described);
  const found = checkIntegers(schema, checked, (check) => inTime(check));
  const isNew = ({ pointer }: BodyProblem) => !found.some((one) => one.pointer === pointer);
  return [...found, ...problemsOf(checked).filter(isNew)];
}

/** The problems of a body; those of `numbers` cannot be sent with --no-validate either. */
type Problems = {
  readonly numbers: readonly BodyProblem[];
  readonly others?: readonly (readonly BodyProblem[])[];
  /** The currency that the request names outside of its body. */
  readonly currency?: string | undefined;
};

/** @throws UsageError `bad_body` with every problem */
async function refuseProblems(
  body: unknown,
  { numbers, others = [], currency }: Problems,
  { id, requestSchema: schema }: DescribedBody,
): Promise<void> {
  const checks = [numbers, ...others];
  if (checks.flat().length === 0) return;
  const { hintForAmount } = await import('../../cli/money/amounts.ts');
  const isDescribed = schema !== undefined;
  const amounts = hintForAmount(body, numbers, { currency, isConverted: isDescribed });
  const advice = [
    numbers.length === 0 && '--no-validate sends it anyway.',
    amounts,
    isDescribed && `To see what the body can hold: payctl api show ${id}`,
  ];
  throw invalidBody(checks, { advice: advice.filter(Boolean).join(' ') || undefined });
}
