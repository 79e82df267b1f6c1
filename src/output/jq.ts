import { raw } from 'jq-wasm/inline';
import { OutputError } from './output-error.ts';

/** One result: the characters of a string, or the compact JSON of anything else with all digits of its numbers. */
export type JqResult = { readonly text: string; readonly isJson: boolean };

/** What an expression gave for some JSON. */
export type JqOutcome = {
  readonly results: readonly JqResult[];
  /** What the expression said with `debug` or `stderr`. */
  readonly messages: readonly string[];
  /** Why the expression failed on the data; `results` holds what came before. */
  readonly failure: OutputError | undefined;
};

/** A compiled jq expression. */
export type Jq = {
  /** Runs the expression on JSON text; several values one behind the other are filtered one by one. */
  run(json: string): Promise<JqOutcome>;
};

/**
 * Prepares a jq expression. It is compiled here, on no input at all, so that a wrong expression is known before
 * anything is sent and nothing of it has run.
 * @throws OutputError `invalid_jq`
 */
export async function createJq(expression: string): Promise<Jq> {
  const { stderr, exitCode } = await callJq('', expression);
  if (exitCode !== 0) {
    const message = `--jq does not compile: ${compileFault(stderr)}`;
    throw new OutputError('invalid_jq', message, 'The language is described at https://jqlang.org/manual.');
  }
  return { run: (json) => runJq(json, expression) };
}

async function runJq(json: string, expression: string): Promise<JqOutcome> {
  const { stdout, stderr, exitCode } = await callJq(json, expression);
  const results = stdout === '' ? [] : stdout.split('\n').map(resultOf);
  if (exitCode === 0)
    return { results, messages: stderr === '' ? [] : stderr.split('\n'), failure: undefined };
  const failure = new OutputError('jq_failed', `--jq failed on the data: ${dataFault(stderr)}`);
  return { results, messages: [], failure };
}

type JqCall = { readonly stdout: string; readonly stderr: string; readonly exitCode: number };

/** Without `--` an expression like `-.limit` would be taken for a flag of jq. */
async function callJq(json: string, expression: string): Promise<JqCall> {
  return raw(json, expression, ['-c', '--']);
}

/** Compact JSON keeps each result on one line, whatever line breaks a string holds; strings are unwrapped here. */
function resultOf(line: string): JqResult {
  return line.startsWith('"')
    ? { text: String(JSON.parse(line)), isJson: false }
    : { text: line, isJson: true };
}

const prefix = /^jq: error(?: \(at [^)]*\))?: /;

/** Of the report of the compiler, what is wrong; without the echo of the expression, which the person has before them. */
function compileFault(stderr: string): string {
  const faults = stderr.split('\n').filter((line) => prefix.test(line));
  return faults.map((line) => line.replace(prefix, '').replace(/:$/, '')).join('; ');
}

function dataFault(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line !== '');
  return lines.map((line) => line.replace(prefix, '')).join('; ') || 'the expression halted';
}
