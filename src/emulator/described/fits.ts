import { type Schema as RawSchema, Validator } from '@cfworker/json-schema';
import { type BodyProblem, checkBody } from '../../descriptions/check-body.ts';
import { TOO_LONG, withinTime } from '../../descriptions/within-time.ts';
import { isObject } from '../../json/is-object.ts';
import { isSlow } from './patterns.ts';
import { quickCheck } from './quick-check.ts';

/** Compares values with one schema of a description. */
export type Fits = {
  /** What breaks the schema; empty where the value fits, or no comparison can be made. */
  problems(value: unknown): readonly BodyProblem[];
};

const LONGEST_MS = 500;

/** A schema that took too long so often is not compared with any more. */
const MOST_TIMES = 3;
const FITTING: readonly BodyProblem[] = [];

/** Prepares the comparison with a schema, of which many values are to be compared. */
export function fitsSchema(schema: unknown): Fits {
  let validator: Validator | undefined;
  try {
    validator = new Validator(schema as RawSchema, '2020-12', true);
  } catch {
    // What it cannot take is compared the long way.
  }
  const isFast = !hasSlowPattern(schema);
  const isSurelyFine = isFast ? quickCheck(schema) : undefined;
  let times = 0;
  const accepts = (value: unknown): boolean => {
    if (times >= MOST_TIMES) return true;
    try {
      if (isSurelyFine?.(value)) return true;
      if (!validator) return false;
      const validate = () => validator.validate(value).valid;
      const answer = isFast ? validate() : withinTime(validate, LONGEST_MS);
      if (answer === TOO_LONG) times += 1;
      return answer === true || answer === TOO_LONG;
    } catch {
      return false;
    }
  };
  return { problems: (value) => (accepts(value) ? FITTING : (checkBody(schema, value) ?? FITTING)) };
}

/** Whether a pattern in it can take longer than a text is long. */
function hasSlowPattern(schema: unknown): boolean {
  const waiting: unknown[] = [schema];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (!isObject(next) && !Array.isArray(next)) continue;
    const { pattern, patternProperties } = isObject(next) ? next : {};
    if (typeof pattern === 'string' && isSlow(pattern)) return true;
    if (isObject(patternProperties) && Object.keys(patternProperties).some(isSlow)) return true;
    waiting.push(...Object.values(next).filter((part) => typeof part === 'object'));
  }
  return false;
}
