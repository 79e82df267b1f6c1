import { type BodyProblem, checkBody } from '../../descriptions/check-body.ts';
import { isObject } from '../../json/is-object.ts';
import { quickCheck } from './quick-check.ts';

/** Validates values by one schema of a description. */
export type Fits = {
  /** The problems of a value; empty if it fits, or if it cannot be validated. */
  problems(value: unknown): readonly BodyProblem[];
};

const LONGEST_MS = 500;

/** How often a schema may fail to say anything before it is no longer used. */
const MOST_TIMES = 3;
const FITTING: readonly BodyProblem[] = [];

/** Prepares a schema, whose references point into `root`, for the validation of many values. */
export function fitsSchema(schema: unknown, root: unknown): Fits {
  const { $defs } = isObject(root) ? root : {};
  const whole = isObject(schema) && $defs ? { ...schema, $defs } : schema;
  const isSurelyFine = quickCheck(schema, root);
  let times = 0;
  return {
    problems: (value) => {
      if (times >= MOST_TIMES || isSurelyFine(value)) return FITTING;
      const found = checkBody(whole, value, LONGEST_MS);
      if (!found) times += 1;
      return found ?? FITTING;
    },
  };
}
