import { FlagError } from '../../cli/flags/types.ts';
import { UsageError } from '../../errors.ts';
import { TOO_LONG, withinTime } from '../../schemas/within-time.ts';
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
    const regex = new RegExp(body, flags);
    // A regex that is nested too deep fails only when it is used.
    regex.test('');
    return { source, regex };
  } catch (error) {
    const { message } = error as Error;
    throw new FlagError(`--message does not compile: ${message.replace(body, body.slice(0, MOST_SHOWN))}`);
  }
}

/** Messages are compared up to here, in characters. */
const LONGEST = 10_000;
/** How long one regex may look at one batch of entries by default, in milliseconds of CPU time. */
const TIME_LIMIT_MS = 2_000;
/** Messages of which is known whether a regex matches: a log repeats few of them. */
const MOST_KNOWN = 1_000;

/** How many characters of a regex that does not compile are shown. */
const MOST_SHOWN = 200;

/** Decides for each list of texts whether one of them matches. @throws UsageError `slow_regex` */
export type MessageMatcher = (lists: readonly (readonly string[])[]) => readonly boolean[];

/** Makes the matcher of a pattern. A regular expression that takes exponential time ends the run instead of holding it up. */
export function createMessageMatcher(pattern: MessagePattern, longestMs = TIME_LIMIT_MS): MessageMatcher {
  if ('regex' in pattern) return createRegexMatcher(pattern, longestMs);
  return (lists) =>
    lists.map((texts) => texts.some((text) => foldText(text.slice(0, LONGEST)).includes(pattern.text)));
}

function createRegexMatcher(
  { source, regex }: MessagePattern & { readonly regex: RegExp },
  longestMs: number,
): MessageMatcher {
  const known = new Map<string, boolean>();
  return (lists) => {
    if (known.size > MOST_KNOWN) known.clear();
    const unknown = new Set(lists.flat().filter((text) => !known.has(text)));
    const compare = () => {
      for (const text of unknown) known.set(text, regex.test(text.slice(0, LONGEST)));
    };
    if (unknown.size > 0 && withinTime(compare, longestMs) === TOO_LONG) {
      throw new UsageError('slow_regex', `--message ${quote(source)} takes too long`, {
        hint: 'Nested repetitions such as (a+)+ take exponential time; repeat only once, or use plain text.',
      });
    }
    return lists.map((texts) => texts.some((text) => known.get(text) === true));
  };
}
