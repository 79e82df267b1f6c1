import { misspeltMembers, readJson, requireValidBody, warnOfMembers } from '../../cli/read-body.ts';
import type { Runtime } from '../../cli/runtime.ts';
import type { Session } from '../../cli/session.ts';
import type { Call } from '../../client/call.ts';
import type { Schemas } from '../../contract/generated/types.ts';
import type { UnknownMember } from '../../contract/unknown-members.ts';
import type { BodyProblem } from '../../descriptions/check-body.ts';
import type { ImportedOperation } from '../../descriptions/imported-operation.ts';
import { requiredMembers } from '../../descriptions/schema-at.ts';
import { UsageError } from '../../errors.ts';
import { copyForValidation } from '../../json/exact.ts';
import { isObject } from '../../json/is-object.ts';
import { FORM_TYPE, listValues } from '../../text/format.ts';
import { suggest } from '../../text/suggest.ts';
import { withFields } from './fields.ts';

/** What the flags of a body and of a change parse to. */
export type ImportedBodyFlagValues = {
  readonly data?: string | undefined;
  readonly field?: readonly string[] | undefined;
  readonly 'no-validate'?: boolean | undefined;
  readonly 'idempotency-key'?: string | undefined;
  readonly 'dry-run'?: boolean | undefined;
  readonly yes?: boolean | undefined;
};

/** What the schema of a body is known by: that of a description, or one of payctl's own contract. */
export type DescribedBody = Pick<
  ImportedOperation,
  'id' | 'method' | 'requestSchema' | 'bodyRequired' | 'bodySchema' | 'bodyType'
> & {
  readonly isOwn?: boolean | undefined;
};

type Circumstances = { readonly session: Pick<Session, 'display'>; readonly runtime: Runtime };

/**
 * The body that `--data` and `-F` give, compared with its schema; undefined where there is none.
 * @throws UsageError `no_body`, `bad_body`, `bad_field`, `bad_json`, `unreadable_file`; AbortedError
 */
export async function readImportedBody(
  flags: ImportedBodyFlagValues,
  described: DescribedBody,
  { session, runtime }: Circumstances,
): Promise<unknown> {
  const { data, field = [] } = flags;
  const given = data === undefined ? undefined : await readJson(data, '--data', runtime);
  const { requestSchema: schema } = described;
  const body =
    field.length === 0
      ? given
      : await withFields(given ?? {}, field, { schema, runtime, mayBeReadOnly: flags['no-validate'] });
  if (body === undefined) {
    if (!flags['no-validate']) requireBody(described);
    return undefined;
  }
  if (!flags['no-validate']) await requireDescribedBody(body, described, session);
  return body;
}

/** A body that may be left out is mostly left out by mistake where its schema requires members. */
function requireBody({ bodyRequired, method, requestSchema: schema }: DescribedBody): void {
  const required = listValues(requiredMembers(schema, schema));
  if (bodyRequired) {
    throw new UsageError('no_body', 'The request needs a body', {
      hint: `Add -F PATH=VALUE or --data.${required ? ` Required: ${required}.` : ''}`,
    });
  }
  if (required === '' || method === 'DELETE') return;
  throw new UsageError('no_body', `The request has no body, in which the description requires ${required}`, {
    hint: 'Add -F PATH=VALUE or --data, or --no-validate to send the request without a body.',
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
    throw new UsageError(
      'bad_body',
      `The request body has the field ${pointer}, which is not in the description`,
      { hint: `Did you mean ${meant}? Nothing was sent. --no-validate sends it anyway.` },
    );
  }
}

/** What is misspelt comes first: it is why another member is missing, or why a branch of a union does not fit. */
function withMisspelt(
  members: readonly UnknownMember[],
  problems: readonly BodyProblem[],
): readonly BodyProblem[] {
  const misspelt = misspeltMembers(members, 'the description');
  const isNamed = ({ pointer }: BodyProblem) => misspelt.some((one) => one.pointer === pointer);
  return [...misspelt, ...problems.filter((problem) => !isNamed(problem))];
}

async function typedAsForm(body: unknown, { requestSchema }: DescribedBody): Promise<unknown> {
  return (await import('../../descriptions/form-body.ts')).typedForm(body, requestSchema);
}

/** How the body of an operation is written: as JSON, unless it takes a form. */
export async function sentAs({
  bodyType,
  bodyEncoding,
}: Pick<ImportedOperation, 'bodyType' | 'bodyEncoding'>): Promise<Pick<Call, 'contentType' | 'encode'>> {
  if (bodyType !== FORM_TYPE) return { contentType: bodyType };
  const { encodeForm } = await import('../../descriptions/form-body.ts');
  return { contentType: bodyType, encode: (body) => encodeForm(body, bodyEncoding) };
}

async function requireDescribedBody(
  body: unknown,
  described: DescribedBody,
  { display }: Circumstances['session'],
) {
  if (described.isOwn) {
    if (isObject(body)) return await requireValidBody(described.bodySchema as keyof Schemas, body);
    throw new UsageError('bad_body', 'The request body is not valid: the body must be an object');
  }
  if (described.requestSchema === undefined) return;
  const { checkBody } = await import('../../descriptions/check-body.ts');
  const checked = described.bodyType === FORM_TYPE ? await typedAsForm(body, described) : body;
  const problems = checkBody(described.requestSchema, copyForValidation(checked));
  if (problems === undefined) {
    display.warn(
      'body_not_checked',
      'The body could not be checked against the description; it is sent as is',
    );
    return;
  }
  const { undescribedMembers } = await import('../../descriptions/unknown-members.ts');
  const members = undescribedMembers(described.requestSchema, body);
  if (problems.length === 0) {
    refuseMisspelt(members);
    warnOfMembers(members, { warn: display.warn, source: 'the description' });
    return;
  }
  const texts = withMisspelt(members, problems).map(({ pointer, message, branch }) => {
    return `${pointer || 'the body'} ${message}${branch === undefined ? '' : ` (as ${branch})`}`;
  });
  throw new UsageError('bad_body', `The request body is not valid: ${texts.join('; ')}`, {
    hint: `Nothing was sent; --no-validate sends it anyway. To see what the body can hold: payctl api show ${described.id}`,
  });
}
