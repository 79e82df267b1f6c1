import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FollowOptions, follow } from '../../../src/cli/tail/follow.ts';
import { ApiError, ConnectionError } from '../../../src/client/errors.ts';
import { AbortedError, PayctlError } from '../../../src/errors.ts';
import { type Outcome, PAGE, type Simulation, simulate } from './simulated-log.ts';

const CALM: Simulation = {
  seed: 1,
  count: 300,
  past: 20,
  paging: 'keyset',
  order: 'written',
  late: 0,
  skew: 0,
  failing: 0,
  behind: 0,
  killed: 0,
  bursts: 0.05,
  mostAtOnce: 30,
};

const services: fc.Arbitrary<Simulation> = fc.record({
  seed: fc.nat(),
  count: fc.integer({ min: 1, max: 400 }),
  past: fc.integer({ min: 0, max: 150 }),
  paging: fc.constantFrom('whole', 'cut', 'keyset', 'offset'),
  order: fc.constantFrom('written', 'time'),
  late: fc.constantFrom(0, 500, 20_000),
  skew: fc.constantFrom(0, 40, 2000),
  failing: fc.constantFrom(0, 0.02, 0.1),
  behind: fc.constantFrom(0, 0.2),
  killed: fc.constantFrom(0, 0.3),
  bursts: fc.constantFrom(0, 0.1, 0.5),
  mostAtOnce: fc.constantFrom(3, 40, 300),
});

/**
 * Late entries are looked for in pages that were read before, and nobody can know which were written out of order while nobody
 * followed.
 */
const FINDABLE = { late: 1000, mostAtOnce: 100, killed: 0 };

/** An answer that is behind leaves out an entry that is stamped earlier than everything that it lists. */
const STAMPED_BEFORE_ALL: Simulation = {
  ...CALM,
  seed: 15,
  count: 229,
  past: 0,
  paging: 'whole',
  late: 20_000,
  behind: 0.2,
  bursts: 0.5,
  mostAtOnce: 3,
};

/** What the service never returned, and so nobody could print. */
const lost = ({ answers }: Outcome) => answers.reduce((sum, answer) => sum + answer.lost, 0);

/** The entries in the order of their numbers. */
const sorted = (ids: readonly string[]) => ids.toSorted((a, b) => Number(a) - Number(b));

describe('a simulated service', () => {
  it.each([
    ['keyset', 300],
    ['offset', 20],
  ] as const)('with %s cursors loses and repeats none of 10,000 entries', async (paging, mostAtOnce) => {
    const wild = { late: 20_000, skew: 40, failing: 0.1, killed: 0.02, bursts: 0.1, mostAtOnce };
    const outcome = await simulate({ ...CALM, ...wild, count: 10_000, paging });
    expect(outcome.printed).toEqual(outcome.written);
    expect(outcome.answers.filter(({ isGap }) => isGap)).toEqual([]);
    expect(outcome.late.size).toBeGreaterThan(50);
    expect(outcome.failures).toBeGreaterThan(20);
  });

  it('without cursors loses of 10,000 entries those alone that it never sent, and each gap is named', async () => {
    const wild = { late: 20_000, skew: 40, failing: 0.1, bursts: 0.1, mostAtOnce: 120 };
    const outcome = await simulate({ ...CALM, ...wild, count: 10_000, past: 17, paging: 'cut' });
    expect(new Set(outcome.printed).size).toBe(outcome.printed.length);
    expect(outcome.printed).toEqual(sorted(outcome.printed));
    expect(outcome.printed.length).toBe(outcome.written.length - lost(outcome));
    for (const { fresh, lost: missing, isGap } of outcome.answers) {
      if (fresh !== PAGE) expect({ fresh, isGap }).toEqual({ fresh, isGap: missing > 0 });
    }
    expect(outcome.answers.filter(({ isGap }) => isGap).length).toBeGreaterThan(20);
    expect(outcome.late.size).toBeGreaterThan(50);
    expect(outcome.misjudged).toEqual([]);
    expect(outcome.failures).toBeGreaterThan(20);
  });

  it('has each entry handed out once, in the order of the log, whatever it does', async () => {
    await fc.assert(
      fc.asyncProperty(services, async (given) => {
        const findable = {
          ...given,
          ...(given.order === 'time' ? FINDABLE : {}),
          // Without cursors, what an answer that is behind shows again at its end may as well be late.
          ...(given.paging === 'cut' ? { behind: 0 } : {}),
        };
        // More than a page of arrivals between two pages would leave no entry to tell by.
        const outcome = await simulate(
          given.paging === 'offset' ? { ...findable, mostAtOnce: 20 } : findable,
        );
        expect(new Set(outcome.printed).size).toBe(outcome.printed.length);
        // Times ahead of the service's own do not make others late.
        if (findable.killed === 0 && given.skew < 1000) expect(outcome.misjudged).toEqual([]);
        if (given.order === 'written') expect(outcome.printed).toEqual(sorted(outcome.printed));
        if (given.paging !== 'cut') expect(sorted(outcome.printed)).toEqual(outcome.written);
        else if (given.order === 'written') {
          expect(outcome.printed.length).toBe(outcome.written.length - lost(outcome));
        }
      }),
      { numRuns: 50, examples: [[STAMPED_BEFORE_ALL]] },
    );
  });

  it('has a gap named exactly where entries were lost', async () => {
    await fc.assert(
      fc.asyncProperty(services, async (given) => {
        const cut = {
          ...given,
          paging: 'cut',
          order: 'written',
          behind: 0,
          past: 11 + (given.past % 7),
        } as const;
        const outcome = await simulate(cut);
        for (const { fresh, lost: missing, isGap } of outcome.answers) {
          // An answer that is full of new entries looks the same, whether there was one more or not.
          if (fresh !== PAGE) expect({ fresh, isGap }).toEqual({ fresh, isGap: missing > 0 });
        }
      }),
      { numRuns: 50 },
    );
  });
});

/** A service with a script: what each request gets, an answer as IDs (newest first) or an error. */
type Script = readonly (Error | { readonly ids: readonly string[]; readonly next?: string })[];

const request = { method: 'GET', path: '/api-logs', origin: 'https://api.example.com' };
const refused = (status: number, retryAfter?: string) =>
  new ApiError('refused', 'no', { status, request, attempts: 1, retryAfter });
const lostConnection = new ConnectionError('connection_lost', 'lost', {
  request,
  attempts: 1,
  outcomeUnknown: false,
});

/** Follows a script to its end, and writes down what happened. */
async function play(script: Script, options: Partial<FollowOptions> = {}): Promise<string[]> {
  const log: string[] = [];
  const answers = [...script];
  let now = 0;
  const events = follow({
    fetch: async (cursor) => {
      const answer = answers.shift();
      log.push(`get${cursor === undefined ? '' : ` ${cursor}`}`);
      if (!answer) throw new AbortedError();
      if (answer instanceof Error) throw answer;
      const items = answer.ids.map((id) => ({ id, time: undefined, item: { id }, text: `{"id":"${id}"}` }));
      return { items, nextCursor: answer.next, at: now };
    },
    sleep: async (milliseconds) => {
      now += milliseconds;
      log.push(`wait ${milliseconds}`);
    },
    now: () => now,
    random: () => 0.5,
    intervalMs: 1000,
    maxRetries: 1,
    isEnough: () => true,
    ...options,
  });
  try {
    for await (const event of events) {
      if (event.kind === 'answer') {
        log.push(
          `${event.gap ? 'gap ' : ''}${event.isPast ? 'past ' : ''}[${event.entries.map(({ id }) => id)}]`,
        );
      } else if (event.kind === 'failure') log.push(`failure ${event.failures}`);
      else log.push(`recovery after ${event.failures} in ${event.lastedMs}`);
    }
    log.push('end');
  } catch (error) {
    log.push(error instanceof PayctlError ? error.code : String(error));
  }
  return log;
}

describe('follow', () => {
  it('remembers the first answer like every other', async () => {
    expect(await play([{ ids: ['b', 'a'] }, { ids: ['c', 'b', 'a'] }])).toEqual([
      'get',
      'past [a,b]',
      'wait 1000',
      'get',
      '[c]',
      'wait 1000',
      'get',
      'aborted',
    ]);
  });

  it('forgets nothing in a quiet month', async () => {
    const quiet = Array.from({ length: 30 }, () => ({ ids: ['b', 'a'] }));
    const log = await play([...quiet, { ids: ['c', 'b', 'a'] }], {
      intervalMs: 86_400_000,
      forMs: 30 * 86_400_000,
    });
    expect(log.filter((line) => line.includes('['))).toEqual(['past [a,b]', ...Array(29).fill('[]'), '[c]']);
  });

  it('keeps what it knows through failures, and waits as long as the service asks for', async () => {
    const script = [{ ids: ['a'] }, refused(429, '7'), lostConnection, refused(503), { ids: ['b', 'a'] }];
    expect(await play(script, { forMs: 20_000 })).toEqual([
      'get',
      'past [a]',
      'wait 1000',
      'get',
      'failure 1',
      'wait 7000',
      'get',
      'failure 2',
      'wait 1000',
      'get',
      'failure 3',
      'wait 1000',
      'get',
      'recovery after 3 in 9000',
      '[b]',
      'wait 1000',
      'get',
      'aborted',
    ]);
  });

  it('waits longer from failure to failure, but not for ever', async () => {
    const script = [{ ids: [] }, ...Array.from({ length: 8 }, () => lostConnection)];
    const waits = (await play(script)).filter((line) => line.startsWith('wait'));
    expect(waits).toEqual(
      [1000, 1000, 1000, 1000, 2000, 4000, 8000, 10_000, 10_000].map((ms) => `wait ${ms}`),
    );
  });

  it.each([401, 403, 404, 400])('ends with a %i', async (status) => {
    expect(await play([{ ids: ['a'] }, refused(status)])).toEqual([
      'get',
      'past [a]',
      'wait 1000',
      'get',
      'refused',
    ]);
  });

  it('does not wait for ever for the first answer', async () => {
    expect(await play([lostConnection, lostConnection])).toEqual([
      'get',
      'failure 1',
      'wait 1000',
      'get',
      'connection_lost',
    ]);
  });

  it('reads on until the answers overlap, and knows nothing new before the last page', async () => {
    const script = [
      { ids: ['b', 'a'], next: 'old' },
      { ids: ['f', 'e'], next: '2' },
      lostConnection,
      { ids: ['d', 'c'], next: '3' },
      { ids: ['b', 'a'], next: '4' },
      { ids: ['g', 'f'], next: '2' },
      { ids: ['e', 'd'], next: '3' },
    ];
    expect(await play(script)).toEqual([
      ...['get', 'past [a,b]', 'wait 1000'],
      ...[
        'get',
        'get 2',
        'failure 1',
        'wait 1000',
        'get 2',
        'get 3',
        'recovery after 1 in 1000',
        '[c,d,e,f]',
        'wait 1000',
      ],
      ...['get', 'get 2', '[g]', 'wait 1000', 'get', 'aborted'],
    ]);
  });

  it('begins again at the top where the service does not take a cursor any more', async () => {
    const script = [
      { ids: ['a'], next: 'old' },
      { ids: ['c', 'b'], next: '2' },
      refused(400),
      { ids: ['d', 'c'], next: '3' },
      { ids: ['b', 'a'], next: '4' },
    ];
    expect(await play(script)).toEqual([
      ...['get', 'past [a]', 'wait 1000', 'get', 'get 2', 'failure 1', 'wait 1000'],
      ...['get', 'get 3', 'recovery after 1 in 1000', '[b,c,d]', 'wait 1000', 'get', 'aborted'],
    ]);
  });

  it('does not follow a cursor that comes twice', async () => {
    const script = [
      { ids: ['a'], next: 'old' },
      { ids: ['c'], next: '2' },
      { ids: ['b'], next: '2' },
      { ids: ['c', 'b', 'a'], next: 'old' },
    ];
    expect(await play(script)).toEqual([
      ...['get', 'past [a]', 'wait 1000', 'get', 'get 2', 'failure 1', 'wait 1000'],
      ...['get', 'recovery after 1 in 1000', '[b,c]', 'wait 1000', 'get', 'aborted'],
    ]);
  });

  it('begins after an entry, and names a gap where that is no longer listed', async () => {
    expect(await play([{ ids: ['c', 'b', 'a'], next: 'old' }], { after: 'a', forMs: 0 })).toEqual([
      'get',
      '[b,c]',
      'end',
    ]);
    expect(await play([{ ids: ['c', 'b'] }], { after: 'a', forMs: 0 })).toEqual(['get', 'gap [b,c]', 'end']);
    expect(await play([{ ids: ['a', 'b'] }], { after: 'a', forMs: 0 })).toEqual(['get', '[]', 'end']);
  });

  it('ends with an answer that was asked for after its time', async () => {
    const script = [{ ids: ['a'] }, { ids: ['b', 'a'] }, { ids: ['c', 'b', 'a'] }];
    expect(await play(script, { forMs: 1500 })).toEqual([
      ...['get', 'past [a]', 'wait 1000', 'get', '[b]', 'wait 500', 'get', '[c]', 'end'],
    ]);
    expect(await play([{ ids: ['a'] }, lostConnection], { forMs: 500 })).toEqual([
      ...['get', 'past [a]', 'wait 500', 'get', 'connection_lost'],
    ]);
  });
});
