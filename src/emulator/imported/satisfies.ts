import { type BodyProblem, checkBody } from '../../descriptions/check-body.ts';
import { isObject } from '../../json/is-object.ts';
import { quickCheck } from './quick-check.ts';

/** Validates values by one schema of a description. */
export type Fits = {
  /** Whether a value fits, or cannot be validated. */
  accepts(value: unknown): boolean;
  /** The problems of a value; empty where it is accepted. To find them takes much longer. */
  problems(value: unknown): readonly BodyProblem[];
};

const LONGEST_MS = 500;

/** How often a check may be inconclusive before it is no longer used. */
const MOST_TIMES = 3;
const FITTING: readonly BodyProblem[] = [];

/** Prepares a schema, whose references point into `root`, for the validation of many values. */
export function fitsSchema(schema: unknown, root: unknown): Fits {
  const { $defs } = isObject(root) ? root : {};
  const whole = isObject(schema) && $defs ? { ...schema, $defs } : schema;
  const isFine = quickCheck(schema, root);
  let times = 0;
  const problems = (value: unknown): readonly BodyProblem[] => {
    if (times >= MOST_TIMES) return FITTING;
    const found = checkBody(whole, value, LONGEST_MS);
    if (!found) times += 1;
    return found ?? FITTING;
  };
  return {
    accepts: (value) => isFine(value) ?? problems(value).length === 0,
    problems: (value) => (isFine(value) ? FITTING : problems(value)),
  };
}
