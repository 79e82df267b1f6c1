import { existsSync } from 'node:fs';
import type { Runtime } from '../../cli/runtime.ts';
import type { QueryParameter } from '../../contract/operation.ts';
import { type ByteSource, bytesSource, typeOfSource } from '../../descriptions/byte-source.ts';
import type { ImportedOperation } from '../../descriptions/imported-operation.ts';
import { bodyNotValid, bodyRefused, UsageError } from '../../errors.ts';
import { gatherBytes, InputError, LIMITS } from '../../files/read-file.ts';
import { unreadableInput } from '../../files/read-input.ts';
import { openUpload } from '../../files/upload.ts';
import { isIntegerText, isOddInteger } from '../../json/integers.ts';
import { listValues } from '../../text/format.ts';
import { isInRange, isTextType } from '../../text/media-type.ts';
import { inShell, shellQuote } from '../../text/shell.ts';

/**
 * The bytes that `@FILE` names, or those of standard input for `-` and `@-`, of which there may be 16 MiB, because they are kept for a
 * retry. `flag` is the name that messages use. @throws UsageError `unreadable_file`, `bad_flag`; AbortedError
 */
export async function readBytes(given: string, flag: string, runtime: Runtime): Promise<ByteSource> {
  const isStdin = given === '-' || given === '@-';
  const path = given.slice(1);
  if (path === '' && !isStdin)
    throw new UsageError('bad_flag', `${flag} @ needs the path of a file after the @`);
  if (isStdin) requireUnread(runtime, flag);
  try {
    if (!isStdin) return openUpload(path);
    const gathered = gatherBytes(LIMITS.json);
    for await (const piece of runtime.streamStdin()) gathered.add(Uint8Array.from(piece));
    return bytesSource(gathered.bytes());
  } catch (error) {
    const hint = isStdin ? undefined : hintFor(error);
    throw unreadableInput(
      `${flag} cannot read ${isStdin ? 'standard input' : `the file ${path}`}`,
      error,
      hint,
    );
  }
}

function hintFor(error: unknown): string {
  return error instanceof InputError && error.problem === 'not_a_file'
    ? 'Nothing was sent. Use a regular file, or - for standard input.'
    : 'Nothing was sent. Check the path and your permission to read the file.';
}

/** The runs that have read standard input, which is empty afterwards. */
const read = new WeakSet<Runtime>();

function requireUnread(runtime: Runtime, flag: string): void {
  if (read.has(runtime))
    throw new UsageError('bad_field', `${flag} cannot read standard input, which another flag has read`);
  read.add(runtime);
}

/**
 * The body that is sent unchanged: the bytes that `--data` names, or its text where the type of the body is one of texts.
 * @throws UsageError `bad_field`, `bad_body`, and those of `readBytes`
 */
export async function readUnchanged(
  {
    data,
    field = [],
  }: { readonly data?: string | undefined; readonly field?: readonly string[] | undefined },
  {
    bodyTypes = [],
    bodyType = '',
    bodyValue,
  }: Pick<ImportedOperation, 'bodyTypes' | 'bodyType' | 'bodyValue'>,
  runtime: Runtime,
): Promise<ByteSource | string | undefined> {
  if (field.length > 0) {
    throw new UsageError('bad_field', `The body is ${bodyType}, which has no fields for --field`, {
      hint: inShell('Use --data @FILE, or --data - for standard input.'),
    });
  }
  if (data === undefined) return undefined;
  const isRead = data === '-' || data.startsWith('@');
  const source = isRead ? await readBytes(data, '--data', runtime) : undefined;
  if (!source) requireText(data, bodyTypes);
  if (bodyValue) await requireInteger(source ?? bytesSource(Buffer.from(data)), bodyValue);
  const body = source ?? data;
  requireKnownType(source ?? bytesSource(Buffer.from(data)), { bodyTypes, bodyType });
  return body;
}

/** More bytes than any integer of use has. */
const LONGEST_INTEGER = 100;

/** Requires a text in digits only, which a line end may follow. @throws UsageError `bad_body` */
async function requireInteger(
  source: ByteSource,
  { type, orInteger, enum: values }: QueryParameter,
): Promise<void> {
  const { size = Number.POSITIVE_INFINITY } = source;
  const pieces: Uint8Array[] = [];
  if (size <= LONGEST_INTEGER) for await (const piece of source.pieces()) pieces.push(piece);
  const text = Buffer.concat(pieces)
    .toString()
    .replace(/\r?\n$/, '');
  const isOdd = orInteger ? isOddInteger(text, { type, orInteger }) : !isIntegerText(text);
  if (size <= LONGEST_INTEGER && !isOdd && (!values || values.includes(text))) return;
  throw bodyNotValid(
    `the body must be an integer in digits only${values ? `, one of ${listValues(values)}` : ''}`,
  );
}

/** A text that names a file is most likely a file whose @ is missing. */
function requireText(data: string, types: readonly string[]): void {
  const isFile = existsSync(data);
  if (!isFile && types.some(isTextType)) return;
  throw bodyRefused(
    `--data must be @FILE or -, not ${isFile ? 'the name of a file' : 'a text'}`,
    isFile ? `To send the file, put an @ before its name: --data ${shellQuote(`@${data}`)}` : undefined,
  );
}

/** @throws UsageError `bad_body` where the description allows types such as `image/*`, and the file is of none that is known */
function requireKnownType(
  source: ByteSource,
  { bodyTypes = [], bodyType }: Pick<ImportedOperation, 'bodyTypes' | 'bodyType'>,
): void {
  const type = typeOfSource(source, bodyTypes);
  if (bodyTypes.some((range) => isInRange(type, range))) return;
  throw bodyRefused(
    `The file must be ${bodyType}, which its name does not say`,
    'Use a file whose name ends with .png, .jpg, .pdf or the like.',
  );
}
