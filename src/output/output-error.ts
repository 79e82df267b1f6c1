/**
 * An error that the output layer raises on purpose: a jq expression that does not compile, a filter that fails on the
 * data. Carries a stable `code` and, where something can be typed to help, a `hint`.
 */
export class OutputError extends Error {
  readonly code: string;
  readonly hint: string | undefined;

  constructor(code: string, message: string, hint?: string) {
    super(message);
    this.name = 'OutputError';
    this.code = code;
    this.hint = hint;
  }
}
