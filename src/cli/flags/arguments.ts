import { string } from '@oclif/core/args';

type Further = {
  /** What the help calls it where its key is another word. */
  readonly name?: string;
  readonly options?: string[];
};

// oclif would read a missing argument from standard input, which may be the body of a request.

/** A word that the command needs. */
export function argument(description: string, further: Further = {}) {
  return string({ ...further, description, required: true, ignoreStdin: true });
}

/** A word that the command can do without. */
export function optionalArgument(description = '') {
  return string({ description, ignoreStdin: true });
}
