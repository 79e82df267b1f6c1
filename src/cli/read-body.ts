import { existsSync } from 'node:fs';
import type { BodySchemaName } from '../contract/generated/body-schemas.ts';
import { bodyRefused, UsageError } from '../errors.ts';
import { LIMITS } from '../files/read-file.ts';
import { copyForValidation } from '../json/exact.ts';
import { JsonInputError, parseJsonInput } from '../json/input.ts';
import { isObject } from '../json/is-object.ts';
import { valueAtPointer } from '../json/pointer.ts';
import type { UnknownMember } from '../schemas/unknown-members.ts';
import type { BodyProblem } from '../schemas/validator.ts';
import { plural } from '../text/format.ts';
import { inShell, shellQuote } from '../text/shell.ts';
import { suggest } from '../text/suggest.ts';
import type { Runtime } from './runtime.ts';
import type { Display } from './show/display.ts';

/** A request body: a JSON object. Numbers that a double would change are kept as they are written. */
export type Body = Record<string, unknown>;

/**
 * Reads what `--data` or another flag gives as JSON: inline, `@FILE`, or `-` for standard input to its end. Numbers are kept as
 * they are written. `flag` is the name that messages use.
 * @throws UsageError `unreadable_file`, `bad_json`; AbortedError
 */
export async function readJson(given: string, flag: string, runtime: Runtime): Promise<unknown> {
  const text = await readText(given, flag, runtime);
  try {
    return parseJsonInput(text);
  } catch (error) {
    if (!(error instanceof JsonInputError)) throw error;
    const origin = given.startsWith('@') && given !== '@-' ? `${flag} (${given.slice(1)})` : flag;
    throw new UsageError('bad_json', `${origin} ${error.message}`, { hint: hintFor(given, flag) });
  }
}

function hintFor(given: string, flag: string): string | undefined {
  if (given === '-' || given.startsWith('@')) return undefined;
  if (isFileName(given))
    return `To read the file, put an @ before its name: ${flag} ${shellQuote(`@${given}`)}`;
  return inShell(`Use JSON such as '{"name":"value"}', @FILE, or - for standard input.`);
}

/** Whether a text that is not JSON names a file, or looks as if it should. */
function isFileName(text: string): boolean {
  return existsSync(text) || /^[^\s"{}[\]]+\.json$/i.test(text);
}

/**
 * The body that `--data` gives; an empty one without it.
 * @throws UsageError `bad_body` when it is not an object, and those of `readJson`
 */
export async function readBody(given: string | undefined, runtime: Runtime): Promise<Body> {
  if (given === undefined) return {};
  const body = await readJson(given, '--data', runtime);
  if (isObject(body)) return body;
  throw bodyRefused(
    `--data must be a JSON object, not ${kindOf(body)}`,
    `Use an object such as '{"name":"value"}'.`,
  );
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  // Of all values, only a number that is kept as it is written is an object to JavaScript and none of JSON.
  return typeof value === 'object' ? 'a number' : `a ${typeof value}`;
}

/** The body with the fields that flags gave; a flag that was not given leaves its field as it is. */
export function withFields(body: Body, fields: Body): Body {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return { ...body, ...Object.fromEntries(given) };
}

/** The part of a body that is one flag's, for messages: its name, and the JSON pointer to it. */
export type BodyPart = { readonly name: string; readonly pointer: string };

const WHOLE: BodyPart = { name: 'The request body', pointer: '' };

/**
 * Refuses a body that breaks a limit of the contract, and warns of members that the contract does not know. These are most likely misspelt,
 * and are sent anyway: the service may know more than the contract.
 * @throws UsageError `bad_body` with the JSON pointer of each problem, from `part`
 */
export async function requireValidBody(
  name: BodySchemaName,
  body: Body,
  { warn, part = WHOLE }: MemberWarnings,
): Promise<void> {
  const { bodySchemas } = await import('../contract/generated/body-schemas.ts');
  const { checkIntegers } = await import('../schemas/check-body.ts');
  const { undescribedMembers } = await import('../schemas/unknown-members.ts');
  const { checkOf, explain } = await import('../schemas/validator.ts');
  const schema = bodySchemas[name];
  const copy = copyForValidation(body);
  const numbers = checkIntegers(schema, body);
  const others = exceptNulls(explain(checkOf(schema), copy).problems, copy);
  const members = undescribedMembers(schema, body);
  if (numbers.length + others.length === 0) return warnOfMembers(members, { warn, part });
  const { hintForAmount } = await import('./money/amounts.ts');
  const amounts = hintForAmount(body, numbers);
  throw invalidBody([misspeltMembers(members, 'the contract'), numbers, others], {
    part,
    advice: `${amounts ? `${amounts} ` : ''}Once the body is valid, --dry-run shows the request.`,
  });
}

/** The problems of a body that are not about the null of a field: the contract leaves an explicit null to the service. */
export function exceptNulls(problems: readonly BodyProblem[], body: unknown): readonly BodyProblem[] {
  return problems.filter(({ pointer }) => pointer === '' || valueAtPointer(body, pointer) !== null);
}

/** The error of a body with the problems of several checks. What a check says about a value counts only if none before it says anything. */
export function invalidBody(
  checks: readonly (readonly BodyProblem[])[],
  { part = WHOLE, advice }: { readonly part?: BodyPart; readonly advice: string | undefined },
): UsageError {
  const problems = checks.flatMap((found, index) => {
    const before = new Set(checks.slice(0, index).flatMap((others) => others.map(({ pointer }) => pointer)));
    return found.filter(({ pointer }) => !before.has(pointer));
  });
  const texts = problems.map(({ pointer, message, branch }) => {
    const shown = pointer.slice(part.pointer.length) || 'the body';
    return `${shown} ${message}${branch === undefined ? '' : ` (as ${branch})`}`;
  });
  return bodyRefused(`${part.name} is not valid: ${texts.join('; ')}`, advice);
}

/** The members that are almost known ones, each with what is wrong with it as half a sentence. */
export function misspeltMembers(members: readonly UnknownMember[], source: string): readonly BodyProblem[] {
  return members.slice(0, MOST_NAMED).flatMap(({ pointer, name, known }) => {
    const meant = suggest(name, known);
    return meant === undefined ? [] : [{ pointer, message: `is not in ${source} (did you mean ${meant}?)` }];
  });
}

/** At most so many members are named. */
const MOST_NAMED = 10;

/** What unknown members are warned of with: whose part of the body it is, and where the warnings go. */
export type MemberWarnings = { readonly warn: Display['warn']; readonly part?: BodyPart };

/** Warns of members that are not in the contract, or in an imported description. */
export function warnOfMembers(
  members: readonly UnknownMember[],
  { warn, part = WHOLE, source = 'the contract' }: MemberWarnings & { readonly source?: string },
): void {
  for (const { pointer, name, known } of members.slice(0, MOST_NAMED)) {
    const meant = suggest(name, known);
    const shown = pointer.slice(part.pointer.length);
    const text = `${part.name} has the field ${shown}, which is not in ${source}; it is sent as is.`;
    warn('unknown_member', meant === undefined ? text : `${text} Did you mean ${meant}?`, {
      pointer: shown,
      did_you_mean: meant ?? null,
    });
  }
  const more = members.length - MOST_NAMED;
  if (more > 0) warn('unknown_member', `${part.name} has ${plural(more, 'more field')} like this.`, { more });
}

/**
 * Reads a secret that a flag gives as `@FILE`, or as `-` for standard input, without the line end after it.
 * @throws UsageError `unreadable_file`; AbortedError
 */
export async function readSecretText(given: string, flag: string, runtime: Runtime): Promise<string> {
  return (await readText(given, flag, runtime)).replace(/\r?\n$/, '');
}

async function readText(given: string, flag: string, runtime: Runtime): Promise<string> {
  const isStdin = given === '-' || given === '@-';
  if (!isStdin && !given.startsWith('@')) return given;
  const { readInputFile, unreadableInput } = await import('../files/read-input.ts');
  const path = given.slice(1);
  if (given === '@') throw new UsageError('bad_flag', `${flag} @ needs the path of a file after the @`);
  try {
    if (isStdin) return await runtime.readStdin(LIMITS.json);
    return (await readInputFile(path, { limit: LIMITS.json, signal: runtime.signal })).text;
  } catch (error) {
    const what = isStdin ? 'standard input' : `the file ${path}`;
    const hint = isStdin ? undefined : 'Check the path and your permission to read the file.';
    throw unreadableInput(`${flag} cannot read ${what}`, error, hint);
  }
}
