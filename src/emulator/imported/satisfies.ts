import { type Schema as RawSchema, Validator } from '@cfworker/json-schema';
import { type BodyProblem, checkBody } from '../../descriptions/check-body.ts';
import { isSlow } from '../../descriptions/values/patterns.ts';
import { TOO_LONG, withinTime } from '../../descriptions/within-time.ts';
import { containersIn } from '../../json/containers.ts';
import { isObject } from '../../json/is-object.ts';
import { quickCheck } from './quick-check.ts';

/** Validates values by one schema of a description. */
export type Fits = {
  /** The problems of a value; empty if it fits, or if it cannot be validated. */
  problems(value: unknown): readonly BodyProblem[];
};

const LONGEST_MS = 500;

/** How often a schema may take too long before it is no longer used. */
const MOST_TIMES = 3;
const FITTING: readonly BodyProblem[] = [];

/** Prepares a schema for the validation of many values. */
export function fitsSchema(schema: unknown): Fits {
  let validator: Validator | undefined;
  try {
    validator = new Validator(schema as RawSchema, '2020-12', true);
  } catch {
    // `checkBody` validates by a schema that this validator does not accept.
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

/** Whether a schema has a pattern that may take more time than in proportion to the text. */
function hasSlowPattern(schema: unknown): boolean {
  return containersIn(schema).some((part) => {
    const { pattern, patternProperties } = isObject(part) ? part : {};
    if (typeof pattern === 'string' && isSlow(pattern)) return true;
    return isObject(patternProperties) && Object.keys(patternProperties).some(isSlow);
  });
}
