import { plainNumber } from '../json/exact.ts';
import { integerProblem, isFraction, isOtherNumber, withFractions } from '../json/integers.ts';
import { isObject } from '../json/is-object.ts';
import { valueAtPointer } from '../json/pointer.ts';
import { type BodyProblem, checkOf, checkOfTypes, explain, type Unchecked } from './validator.ts';
import { TOO_LONG, withinTime } from './within-time.ts';

/** What a check of a body found. */
export type BodyCheck = {
  readonly problems: readonly BodyProblem[];
  /** A keyword that could not be checked; everything else was. */
  readonly unchecked?: Unchecked | undefined;
};

/** The longest time for a validation, in milliseconds, because a schema of unknown origin may be slow. */
const LONGEST_MS = 2000;

/**
 * Validates a body by the schema of an imported description (JSON Schema 2020-12, references below `$defs`). Of a union that no
 * branch fits, only the problems of the branch that is meant are reported. Undefined if the body cannot be validated at all:
 * that takes too long, or the schema refers to itself endlessly.
 */
export function checkBody(schema: unknown, body: unknown): BodyCheck | undefined {
  return inTime(() => explain(checkOf(schema), body));
}

/** What a check by a schema of unknown origin finds; undefined as for `checkBody`, after this many milliseconds of CPU time. */
export function inTime<T>(check: () => T, longestMs = LONGEST_MS): T | undefined {
  try {
    const found = withinTime(check, longestMs);
    return found === TOO_LONG ? undefined : found;
  } catch {
    return undefined;
  }
}

/** Whether `checkBody` checks all of a body and finds nothing. */
export function isValidBody(schema: unknown, body: unknown): boolean {
  const { problems = undefined, unchecked = undefined } = checkBody(schema, body) ?? {};
  return problems?.length === 0 && unchecked === undefined;
}

/**
 * The numbers of a body that are written in another form than an integer has, such as `5.00`, where the schema takes only
 * integers. The body has its numbers as they were written. `limited` runs the check of a schema of unknown origin, as `inTime` does; few bodies
 * have a number that needs one.
 */
export function checkIntegers(
  schema: unknown,
  body: unknown,
  limited: (check: () => readonly BodyProblem[]) => readonly BodyProblem[] | undefined = (check) => check(),
): readonly BodyProblem[] {
  const marked = withFractions(body);
  if (marked === undefined || !isObject(schema)) return [];
  return limited(() => integersOf(schema, body, marked)) ?? [];
}

function integersOf(schema: object, body: unknown, marked: unknown): readonly BodyProblem[] {
  const found = explain(checkOfTypes(schema), marked).problems.flatMap(({ pointer, types = [], branch }) => {
    const value = valueAtPointer(body, pointer);
    const isAllowed = types.includes('number') && isFraction(plainNumber(value) ?? 0.5);
    const isWrong = types.includes('integer') && isOtherNumber(value) && !isAllowed;
    return isWrong ? [{ pointer, message: integerProblem(value), branch }] : [];
  });
  // A type and a list of values can refuse the same number.
  return [...new Map(found.map((problem) => [problem.pointer, problem])).values()];
}
