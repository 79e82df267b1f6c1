import { FlagError } from '../../cli/flags/types.ts';
import { UsageError } from '../../errors.ts';
import { quote } from '../../text/format.ts';

/** What a message has to contain: a text in any case of letters, or a regular expression. */
export type MessagePattern =
  | { readonly source: string; readonly text: string }
  | { readonly source: string; readonly regex: RegExp };

/** Reads a text, or `/regex/` with the flags i, m, s and u. @throws FlagError for a regex that does not compile */
export function readMessagePattern(source: string): MessagePattern {
  const [, body, flags = ''] = /^\/(.+)\/([dgimsuvy]*)$/s.exec(source) ?? [];
  if (body === undefined) return { source, text: source.toLowerCase() };
  if (!/^[imsu]*$/.test(flags)) {
    throw new FlagError(`--message has the unknown regex flags ${quote(flags)}`, 'Use i, m, s or u.');
  }
  try {
    return { source, regex: new RegExp(body, flags) };
  } catch (error) {
    throw new FlagError(`--message does not compile: ${error instanceof Error ? error.message : ''}`);
  }
}

/** Messages are compared up to here, in characters. */
const LONGEST = 10_000;
/** How long one regex may look at one batch of entries. */
const TIME_LIMIT_MS = 2_000;

/**
 * Says of each list of texts whether a pattern matches one of them. A regular expression that takes exponential time ends
 * the run instead of holding it up.
 * @throws UsageError `slow_regex`
 */
export function matchMessages(
  pattern: MessagePattern,
  lists: readonly (readonly string[])[],
): readonly boolean[] {
  if ('text' in pattern) {
    return lists.map((texts) =>
      texts.some((text) => text.slice(0, LONGEST).toLowerCase().includes(pattern.text)),
    );
  }
  const { createContext, Script } = process.getBuiltinModule('node:vm');
  const { regex } = pattern;
  const matches = () => lists.map((texts) => texts.some((text) => regex.test(text.slice(0, LONGEST))));
  try {
    // Node can stop a regular expression only while it runs a script.
    return new Script('matches()').runInContext(createContext({ matches }), { timeout: TIME_LIMIT_MS });
  } catch (error) {
    if ((error as NodeJS.ErrnoException | null)?.code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new UsageError('slow_regex', `--message ${quote(pattern.source)} takes too long`, {
      hint: 'Nested repetitions such as (a+)+ take exponential time; repeat once, or use a plain text.',
      cause: error,
    });
  }
}
