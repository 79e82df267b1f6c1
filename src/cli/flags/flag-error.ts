import { UsageError } from '../../client/errors.ts';

/**
 * A flag's value that its parser refuses. oclif rewrites the message of whatever a parser throws; `problem` and
 * `hint` keep what was meant.
 */
export class FlagError extends UsageError {
  readonly problem: string;

  constructor(problem: string, hint?: string) {
    super('bad_flag', problem, { hint });
    this.problem = problem;
  }
}
