import { OutputError, UsageError } from '../../errors.ts';
import type { ListWriterOptions } from '../format.ts';
import type { Jq, JqOutcome, JqResult, ListPage, ListWriter } from '../list-page.ts';
import { writeOutcome } from './jq-results.ts';
import { createJqRunner, type JqCall } from './jq-runner.ts';
import { createJsonEnvelope, itemTexts } from './json.ts';

/**
 * Writes what a jq expression makes of a list. It sees item after item, a page at a time, or the whole document once, which is
 * held in memory until the list ends; the format decides.
 */
export function createJqWriter(options: ListWriterOptions, jq: Jq): ListWriter {
  return options.format.filtersItems ? createItemFilter(options, jq) : createDocumentFilter(options, jq);
}

function createItemFilter(options: ListWriterOptions, jq: Jq): ListWriter {
  return {
    async page(page) {
      const texts = itemTexts(page, options);
      if (texts.length > 0) await writeOutcome(await jq.run(texts.join('\n')), options);
    },
    end: () => {
      jq.close();
      return options.stdout.end();
    },
  };
}

function createDocumentFilter(options: ListWriterOptions, jq: Jq): ListWriter {
  const asItCame = !options.whole && !options.explicitColumns;
  const envelope = createJsonEnvelope(options);
  let document = '';
  const gather = (page: ListPage): string =>
    asItCame ? page.text : envelope.items(itemTexts(page, options), page.rest());
  return {
    async page(page) {
      document += gather(page);
    },
    async end({ nextCursor }) {
      if (document !== '') {
        if (!asItCame) document += envelope.end(nextCursor);
        const outcome = await jq.run(document);
        jq.close();
        await writeOutcome(outcome, options);
      }
      await options.stdout.end();
    },
  };
}

/**
 * Prepares a jq expression, the value of `flag`, which the signal ends. It is compiled here, on no input at all, so that an invalid
 * expression is found before anything is sent or evaluated.
 * @throws UsageError `invalid_jq`; AbortedError, also by `run`, which throws OutputError `jq_out_of_memory` and `jq_failed`
 * where jq itself breaks down
 */
export async function createJq(expression: string, signal?: AbortSignal, flag = '--jq'): Promise<Jq> {
  const runner = await createJqRunner(signal);
  const { stderr, exitCode } = await runner.run({ expression, json: '' });
  if (exitCode !== 0) {
    runner.close();
    const message = `${flag} does not compile: ${compileError(stderr)}`;
    throw new UsageError('invalid_jq', message, {
      hint: 'See https://jqlang.org/manual for the syntax.',
    });
  }
  return {
    run: async (json) => outcomeOf(await runner.run({ expression, json: withWholePairs(json) })),
    close: runner.close,
  };
}

const HIGH_SURROGATE = /\\u[dD][89abAB]/;
const ESCAPES = /\\(?:(u[dD][89abAB][\da-fA-F]{2})(\\u[dD][c-fC-F][\da-fA-F]{2})?|.)/g;

/**
 * Writes the replacement character for the first half of a surrogate pair without its second half: jq does so for second halves,
 * and refuses the whole text for a first one.
 */
function withWholePairs(json: string): string {
  if (!HIGH_SURROGATE.test(json)) return json;
  return json.replace(ESCAPES, (sequence, high?: string, low?: string) =>
    high !== undefined && low === undefined ? '\\ufffd' : sequence,
  );
}

function outcomeOf({ stdout, stderr, exitCode }: JqCall): JqOutcome {
  const results = stdout === '' ? [] : stdout.split('\n').map(resultOf);
  const messages = stderr === '' ? [] : stderr.split('\n');
  // Of several values, the exit code is that of the last one.
  const errors = exitCode === 0 ? messages.filter((line) => prefix.test(line)) : messages;
  if (exitCode === 0 && errors.length === 0) return { results, messages, failure: undefined };
  const failure = new OutputError('jq_failed', `--jq failed on the data: ${dataError(errors)}`);
  return { results, messages: [], failure };
}

/** Compact JSON keeps each result on one line, whatever line breaks a string holds; strings are unwrapped here. */
function resultOf(line: string): JqResult {
  return line.startsWith('"')
    ? { text: String(JSON.parse(line)), isJson: false }
    : { text: line, isJson: true };
}

const prefix = /^jq: error(?: \(at [^)]*\))?: /;

/** The compiler's messages without the echo of the expression, which the user has just typed. */
function compileError(stderr: string): string {
  const problems = stderr.split('\n').filter((line) => prefix.test(line));
  return problems.map((line) => line.replace(prefix, '').replace(/:$/, '')).join('; ');
}

const MOST_ERRORS = 3;

/** Where each item of a page is filtered by itself, each may fail, and most fail for the same reason. */
function dataError(lines: readonly string[]): string {
  const reasons = [...new Set(lines.map((line) => line.replace(prefix, '')))].filter((line) => line !== '');
  const others = reasons.length - MOST_ERRORS;
  const shown = others > 0 ? [...reasons.slice(0, MOST_ERRORS), `${others} more`] : reasons;
  return shown.join('; ') || 'the expression halted';
}
