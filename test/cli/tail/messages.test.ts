import { describe, expect, it } from 'vitest';
import type { Display } from '../../../src/cli/show/display.ts';
import type { FollowEvent } from '../../../src/cli/tail/follow.ts';
import type { Gap } from '../../../src/cli/tail/marks.ts';
import { TailMessages } from '../../../src/cli/tail/messages.ts';
import { decideTerminal } from '../../../src/output/terminal.ts';

const FROM = Date.UTC(2030, 0, 1, 10);
const gap: Gap = { from: FROM, to: FROM + 60_000 };
const SPAN = 'entries from 2030-01-01T10:00:00Z up to 2030-01-01T10:01:00Z may be missing';

/** What a tail that begins after `after` says about the last of these events. */
function warningOf(after: string | undefined, ...events: readonly FollowEvent[]): string | undefined {
  const warnings: string[] = [];
  const stderrTerminal = decideTerminal({ isTTY: false, columns: 80, env: {}, noColorFlag: false });
  const warn: Display['warn'] = (code, message) => warnings.push(`${code}: ${message}`);
  const messages = new TailMessages({ warn, stderrTerminal }, after);
  for (const event of events) messages.show(event);
  return warnings.at(-1);
}

const answer = (found: Gap | undefined): FollowEvent => ({
  kind: 'response',
  entries: [],
  gap: found,
  isPast: false,
  at: FROM,
});

describe('the warning of a gap', () => {
  it.each([
    ['abc', 'The entry "abc" is no longer listed'],
    ['@log.ndjson', 'No entry of "log.ndjson" is listed any more'],
    [undefined, 'The list could not be read far enough back'],
  ])('says why the first response does not reach what was printed, or wanted: after %s', (after, reason) => {
    expect(warningOf(after, answer(gap))).toBe(`gap: ${reason}: ${SPAN}`);
  });

  it('says of later responses that more entries arrived than they hold', () => {
    expect(warningOf('abc', answer(undefined), answer(gap))).toBe(
      `gap: More entries arrived than one response holds: ${SPAN}`,
    );
  });

  it('says how to find late entries only where that was not done', () => {
    const event: FollowEvent = { kind: 'late-gap', gap, isOfStart: true };
    const reason = 'gap: Entries that arrived late cannot be told apart from those of the last run';
    expect(warningOf('@log.ndjson', event)).toBe(`${reason}: ${SPAN}`);
    expect(warningOf('abc', event)).toBe(
      `${reason}: ${SPAN}. To find them next time, save the output with -o ndjson and resume with --after @FILE`,
    );
    expect(warningOf('abc', { ...event, isOfStart: false })).toBe(
      `gap: The list could not be searched for all late entries: ${SPAN}`,
    );
  });

  it('names the ends that are known', () => {
    expect(warningOf(undefined, answer({ from: undefined, to: FROM }))).toMatch(
      /: entries up to 2030-01-01T10:00:00Z may be missing$/,
    );
  });
});
