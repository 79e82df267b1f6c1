import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FollowEvent } from '../../../src/cli/tail/follow.ts';
import type { NewEntry } from '../../../src/cli/tail/marks.ts';
import { TailMessages } from '../../../src/cli/tail/messages.ts';
import { PayctlError } from '../../../src/errors.ts';
import { decideTerminal } from '../../../src/output/terminal.ts';

const AT = Date.UTC(2030, 0, 1, 10);
let now = 0;

beforeEach(() => {
  now = 5000;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const entry = (id: string | undefined): NewEntry => ({
  id,
  time: AT,
  item: {},
  text: '{}',
  isLate: true,
  isBehind: false,
});

const answer = (count: number, isPast = false): FollowEvent => {
  return { kind: 'response', entries: Array(count).fill(entry('a')), gap: undefined, isPast, at: AT };
};

class Outage extends PayctlError {
  constructor() {
    super('outage', 'The service is down');
  }
}

const failure = (failures: number, delayMs = 1500): FollowEvent => {
  return { kind: 'failure', error: new Outage(), failures, delayMs };
};

const stderrTerminal = decideTerminal({ isTTY: false, columns: 80, env: {}, noColorFlag: false });

/** Messages that write down each warning, as code, text and members. */
function open(after?: string) {
  const warnings: unknown[] = [];
  const warn = (...warning: readonly unknown[]) => warnings.push(warning);
  return { messages: new TailMessages({ warn, stderrTerminal }, after), warnings };
}

describe('the status line', () => {
  it('says when the last response came, how much of it was new, and how much is printed', () => {
    const { messages } = open();
    expect(messages.status(0)).toBe('Waiting for the service');
    messages.show(answer(3, true));
    expect(messages.status(2)).toBe('Last response 0 s ago, 0 new; 2 printed');
    now += 5000;
    messages.show(answer(3));
    now += 2999;
    expect(messages.status(5)).toBe('Last response 2 s ago, 3 new; 5 printed');
    now += 1;
    expect(messages.status(5)).toBe('Last response 3 s ago, 3 new; 5 printed');
  });

  it('says how long there has been no response, and when the next try is', () => {
    const { messages } = open();
    messages.show(failure(1));
    expect(messages.status(0)).toBe('No response (1 failure), next try in 2 s; 0 printed');
    messages.show(answer(1));
    now += 4000;
    messages.show(failure(1));
    expect(messages.status(1)).toBe('No response for 4 s (1 failure), next try in 2 s; 1 printed');
    messages.show(failure(2, 3000));
    expect(messages.status(1)).toBe('No response for 4 s (2 failures), next try in 3 s; 1 printed');
    now += 2999;
    expect(messages.status(1)).toBe('No response for 6 s (2 failures), next try in 1 s; 1 printed');
    now += 1;
    expect(messages.status(1)).toBe('No response for 7 s (2 failures), trying again; 1 printed');
    messages.show(answer(0));
    expect(messages.status(1)).toBe('Last response 0 s ago, 0 new; 1 printed');
  });

  it('counts no time backwards', () => {
    const { messages } = open();
    messages.show(answer(1));
    now -= 2000;
    expect(messages.status(1)).toBe('Last response 0 s ago, 1 new; 1 printed');
  });
});

describe('the warning of a failure', () => {
  it('names the error, the next try and how many failures there were', () => {
    const { messages, warnings } = open();
    messages.show(failure(1));
    messages.show(failure(2, 12_345));
    expect(warnings).toEqual([
      ['poll_failed', 'The service is down. Trying again in 1.5 s', { cause: 'outage', failures: 1 }],
      [
        'poll_failed',
        'The service is down. Trying again in 12.3 s (2 failures in a row)',
        { cause: 'outage', failures: 2 },
      ],
    ]);
  });

  it('is printed for the failures 1, 2, 4, 8 and so on', () => {
    const { messages, warnings } = open();
    for (let failures = 1; failures <= 40; failures += 1) messages.show(failure(failures));
    expect(
      warnings.map((warning) => (warning as [string, string, { failures: number }])[2].failures),
    ).toEqual([1, 2, 4, 8, 16, 32]);
  });

  it('is followed by how long the failures lasted', () => {
    const { messages, warnings } = open();
    messages.show({ kind: 'recovery', failures: 3, lastedMs: 42_000 });
    messages.show({ kind: 'recovery', failures: 1, lastedMs: 1000 });
    expect(warnings).toEqual([
      ['poll_recovered', 'The service responds again after 42 seconds and 3 failures', { failures: 3 }],
      ['poll_recovered', 'The service responds again after 1 second and 1 failure', { failures: 1 }],
    ]);
  });
});

describe('the warning of late entries', () => {
  it('counts them and names their IDs', () => {
    const { messages, warnings } = open();
    messages.warnOfLate([]);
    messages.warnOfLate([entry('a')]);
    messages.warnOfLate([entry('a'), entry(undefined)]);
    expect(warnings).toEqual([
      ['late', '1 entry comes late, after entries with later times', { ids: ['a'] }],
      ['late', '2 entries come late, after entries with later times', { ids: ['a', null] }],
    ]);
  });
});

describe('the warning of own requests', () => {
  it('is printed once', () => {
    const { messages, warnings } = open();
    messages.warnOfOwnPolls();
    messages.warnOfOwnPolls();
    expect(warnings).toEqual([
      [
        'own_requests',
        'Entries of GET /api-logs may be failed polls of this command: the log does not say who sent a request',
      ],
    ]);
  });
});

describe('the warning of a gap', () => {
  it.each([
    [AT, AT + 60_000, ' from 2030-01-01T10:00:00Z up to 2030-01-01T10:01:00Z'],
    [AT, undefined, ' from 2030-01-01T10:00:00Z'],
    [undefined, AT, ' up to 2030-01-01T10:00:00Z'],
    [undefined, undefined, ''],
  ])('has the ends that are known as its members: %s to %s', (from, to, span) => {
    const { messages, warnings } = open();
    messages.show({ kind: 'late-gap', gap: { from, to }, isOfStart: false });
    const textOf = (time: number | undefined) => (time === undefined ? null : new Date(time).toISOString());
    expect(warnings).toEqual([
      [
        'gap',
        `The list could not be searched for all late entries: entries${span} may be missing`,
        { from: textOf(from), to: textOf(to) },
      ],
    ]);
  });

  it('advises to resume with a file where nothing was resumed by one', () => {
    const { messages, warnings } = open();
    messages.show({ kind: 'late-gap', gap: { from: AT, to: AT }, isOfStart: true });
    expect(warnings).toEqual([
      [
        'gap',
        'Entries that arrived late cannot be told apart from those of the last run: entries from 2030-01-01T10:00:00Z up to 2030-01-01T10:00:00Z may be missing. To find them next time, save the output with -o ndjson and resume with --after @FILE',
        { from: '2030-01-01T10:00:00.000Z', to: '2030-01-01T10:00:00.000Z' },
      ],
    ]);
  });
});
