import { expect } from 'vitest';

/** The parts of an error as stderr shows it to a person. What is not printed is left out. */
export type PrintedError = {
  /** Lines before the error: warnings, retries, where a request goes. */
  readonly before?: readonly string[];
  readonly code: string;
  readonly status?: number;
  readonly message: string;
  /** What is wrong with the request, a line each. */
  readonly details?: readonly string[];
  /** Lines without a label: what to do next. */
  readonly hints?: readonly string[];
} & { readonly [label in Label]?: readonly string[] };

type Label = (typeof LABELS)[keyof typeof LABELS];

/** The labels of lines, and what tests call them. */
const LABELS = {
  'Conflicts with': 'resource',
  Response: 'response',
  Cause: 'cause',
  Request: 'request',
  Outcome: 'outcome',
  'Outcome unknown': 'outcomeUnknown',
  'Resume with': 'resume',
  'Likely cause': 'causes',
  Try: 'commands',
} as const;

/** In the place of a text whose wording is the matter of a unit test. */
export const WORDS: unknown = expect.stringMatching(/^\S.{9,}$/);

/**
 * Takes an error on stderr apart, so that tests of the whole program compare its codes, data and structure, not its
 * sentences. Fails unless there is exactly one error and it is the last thing printed.
 */
export function printedError(stderr: string): PrintedError {
  expect(stderr).toMatch(/\n$/);
  const lines = stderr.slice(0, -1).split('\n');
  const at = lines.findIndex((line) => line.startsWith('Error: '));
  const title = (lines[at] ?? '').replace(/\(HTTP (\d{3})\)$/, '($1 http_$1)');
  const [, message, status, code] = /^Error: (.*) \((?:(\d{3}) )?(\w+)\)$/.exec(title) ?? [];
  if (message === undefined || code === undefined) throw new Error(`no error is printed in ${stderr}`);
  const parts: Record<string, string[]> = {};
  const add = (name: string, text: string) => {
    parts[name] = [...(parts[name] ?? []), text];
  };
  for (const line of lines.slice(0, at)) add('before', line);
  for (const line of lines.slice(at + 1)) {
    const [, label = '', text = ''] = /^([A-Z][a-z ]+): (.*)$/.exec(line) ?? [];
    expect(label, line).not.toBe('Error');
    if (line.startsWith('  ')) add('details', line.slice(2));
    else if (label in LABELS) add(LABELS[label as keyof typeof LABELS], text);
    else add('hints', line);
  }
  return { ...parts, code, message, ...(status === undefined ? {} : { status: Number(status) }) };
}
