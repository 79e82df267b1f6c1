import { FlagError } from '../../cli/flags/types.ts';
import { UsageError } from '../../errors.ts';
import { foldText } from '../../text/fold.ts';
import { quote } from '../../text/format.ts';

/** What a message has to contain: a text, without regard to case and accents, or a regular expression. */
export type MessagePattern =
  | { readonly source: string; readonly text: string }
  | { readonly source: string; readonly regex: RegExp };

/** Reads a text, or `/regex/` with the flags i, m, s and u. @throws FlagError for a regex that does not compile */
export function readMessagePattern(source: string): MessagePattern {
  const [, body, flags = ''] = /^\/(.+)\/([dgimsuvy]*)$/s.exec(source) ?? [];
  if (body === undefined) return { source, text: foldText(source) };
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
/** Messages of which is known whether a regex matches: a log repeats few of them. */
const MOST_KNOWN = 1_000;

/** Says of each list of texts whether one of them matches. @throws UsageError `slow_regex` */
export type MessageMatcher = (lists: readonly (readonly string[])[]) => readonly boolean[];

/** Makes the matcher of a pattern. A regular expression that takes exponential time ends the run instead of holding it up. */
export function createMessageMatcher(pattern: MessagePattern): MessageMatcher {
  if ('regex' in pattern) return createRegexMatcher(pattern);
  return (lists) =>
    lists.map((texts) => texts.some((text) => foldText(text.slice(0, LONGEST)).includes(pattern.text)));
}

function createRegexMatcher({ source, regex }: MessagePattern & { readonly regex: RegExp }): MessageMatcher {
  const known = new Map<string, boolean>();
  const runInTime = createTimeLimit();
  return (lists) => {
    if (known.size > MOST_KNOWN) known.clear();
    const unknown = new Set(lists.flat().filter((text) => !known.has(text)));
    try {
      if (unknown.size > 0)
        runInTime(() => {
          for (const text of unknown) known.set(text, regex.test(text.slice(0, LONGEST)));
        });
    } catch (error) {
      if ((error as NodeJS.ErrnoException | null)?.code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      throw new UsageError('slow_regex', `--message ${quote(source)} takes too long`, {
        hint: 'Nested repetitions such as (a+)+ take exponential time; repeat only once, or use plain text.',
        cause: error,
      });
    }
    return lists.map((texts) => texts.some((text) => known.get(text) === true));
  };
}

/** Makes a function that runs others for a limited time: Node can stop a regular expression only while it runs a script. */
function createTimeLimit(): (work: () => void) => void {
  const { createContext, Script } = process.getBuiltinModule('node:vm');
  const globals: { work?: () => void } = {};
  const context = createContext(globals);
  const script = new Script('work()');
  return (work) => {
    globals.work = work;
    script.runInContext(context, { timeout: TIME_LIMIT_MS });
  };
}
