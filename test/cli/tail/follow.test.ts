import { describe, expect, it } from 'vitest';
import { follow } from '../../../src/cli/tail/follow.ts';
import { AbortedError, PayctlError } from '../../../src/errors.ts';
import { itemOf, lostConnection, outcomes, play, printed, refused, steps } from './play.ts';

describe('follow', () => {
  it('remembers the first answer like every other', async () => {
    expect(await play([{ ids: ['b', 'a'] }, { ids: ['c', 'b', 'a'] }])).toEqual(
      steps('get, past [a,b], wait 1000, get, [c], wait 1000, get, aborted'),
    );
  });

  it('forgets nothing in a quiet month', async () => {
    const quiet = Array.from({ length: 30 }, () => ({ ids: ['b', 'a'] }));
    const options = { intervalMs: 86_400_000, forMs: 30 * 86_400_000 };
    expect(await outcomes([...quiet, { ids: ['c', 'b', 'a'] }], options)).toEqual([
      'past [a,b]',
      ...Array(29).fill('[]'),
      '[c]',
    ]);
  });

  it('keeps what it knows through failures, and waits as long as the service asks for', async () => {
    const script = [{ ids: ['a'] }, refused(429, '7'), lostConnection, refused(503), { ids: ['b', 'a'] }];
    expect(await play(script, { forMs: 20_000 })).toEqual(
      steps(
        'get, past [a], wait 1000, get, failure 1, wait 7000, get, failure 2, wait 1000, get, ' +
          'failure 3, wait 1000, get, recovery after 3 in 9000, [b], wait 1000, get, aborted',
      ),
    );
  });

  it('waits longer from failure to failure, but not for ever', async () => {
    const script = [{ ids: [] }, ...Array.from({ length: 8 }, () => lostConnection)];
    const waits = (await play(script)).filter((line) => line.startsWith('wait'));
    expect(waits).toEqual(
      [1000, 1000, 1000, 1000, 2000, 4000, 8000, 10_000, 10_000].map((ms) => `wait ${ms}`),
    );
  });

  it.each([401, 403, 404, 400])('ends with a %i', async (status) => {
    expect(await play([{ ids: ['a'] }, refused(status)])).toEqual(
      steps('get, past [a], wait 1000, get, refused'),
    );
  });

  it('does not wait for ever for the first answer', async () => {
    expect(await play([lostConnection, lostConnection])).toEqual(
      steps('get, failure 1, wait 1000, get, connection_lost'),
    );
  });

  it('reads on until the responses overlap, and requests a failed page again', async () => {
    const script = [
      { ids: ['b', 'a'], next: 'old' },
      { ids: ['f', 'e'], next: '2' },
      lostConnection,
      { ids: ['d', 'c'], next: '3' },
      { ids: ['b', 'a'], next: '4' },
      { ids: ['g', 'f'], next: '2' },
    ];
    expect(await play(script)).toEqual(
      steps(
        'get, past [a,b], wait 1000, get, get 2, failure 1, wait 1000, get 2, ' +
          'recovery after 1 in 1000, get 3, [c,d,e,f], wait 1000, get, [g], wait 1000, get, aborted',
      ),
    );
  });

  it.each([400, 404, 410, 422])(
    'begins again at the top where the service does not take a cursor any more (%i)',
    async (status) => {
      const script = [
        { ids: ['a'], next: 'old' },
        { ids: ['c', 'b'], next: '2' },
        refused(status),
        { ids: ['d', 'c'], next: '3' },
        { ids: ['b', 'a'], next: '4' },
      ];
      expect(await play(script)).toEqual(
        steps(
          'get, past [a], wait 1000, get, get 2, failure 1, wait 1000, get, recovery after 1 in 1000, ' +
            'get 3, [b,c,d], wait 1000, get, aborted',
        ),
      );
    },
  );

  it('hands out an entry that is deleted before a walk has begun again', async () => {
    const script = [
      { ids: ['a'], next: 'old' },
      { ids: ['d', 'c'], next: '2' },
      refused(422),
      { ids: ['e', 'd'], next: '3' },
      { ids: ['b', 'a'], next: '4' },
    ];
    expect(await outcomes(script)).toEqual(['past [a]', '[b,c,d,e]']);
  });

  it('hands out what only the top of the list had where a copy that is behind is asked next', async () => {
    const script = [
      { ids: ['a'], next: 'old' },
      { ids: ['d', 'c'], next: '2' },
      refused(422),
      { ids: ['c', 'b', 'a'], next: '3' },
      { ids: ['d', 'c'], next: '2' },
    ];
    expect(await outcomes(script)).toEqual(['past [a]', '[b,c,d]', '[]']);
  });

  it('hands out the newest entries last where two walks did not overlap', async () => {
    const script = [
      { ids: ['a'], next: 'old' },
      { ids: ['d', 'c'], next: '2' },
      refused(422),
      { ids: ['f', 'e'], next: '3' },
      refused(422),
      { ids: ['g', 'f'], next: '4' },
      { ids: ['e', 'c', 'a'], next: '5' },
    ];
    expect(await outcomes(script)).toEqual(['past [a]', '[c,d,e,f,g]']);
  });

  it('hands out all copies of a text that a walk had listed before it began again', async () => {
    const script = [
      { ids: ['a'], next: 'old' },
      { ids: ['#x', '#x', '#y'], next: '2' },
      refused(422),
      { ids: ['#x', 'b', 'a'], next: '3' },
    ];
    expect(await outcomes(script)).toEqual(['past [a]', '[b,#y,#x,#x]']);
  });

  it('names a gap where the past that is wanted cannot be read to its end', async () => {
    const tries = Array.from({ length: 5 }, () => [{ ids: ['b@9', 'a@8'], next: '2' }, refused(422)]).flat();
    expect(await outcomes(tries, { isEnough: () => false, maxRetries: 9, forMs: 0 })).toEqual([
      'gap past [a,b]',
    ]);
  });

  it.each([
    [
      'in the first page that is out of order',
      [{ ids: ['f@210', 'e@211', 'd@150'], next: 'd' }],
      '[x,d,e,f]',
    ],
    [
      'in a list that was out of order before',
      [{ ids: ['y@201', 'z@202', 'c@200'] }, { ids: ['f@211', 'd@150'], next: 'd' }],
      '[x,d,f]',
    ],
  ])('reads on below an entry that is stamped before all that is known, %s', async (_, pages, expected) => {
    const script = [
      { ids: ['c@200', 'b@199'], next: 'b' },
      { ids: ['a@79'], next: 'a' },
      ...pages,
      { ids: ['x@209', 'c@200'], next: 'c' },
    ];
    expect((await outcomes(script)).at(-1)).toBe(expected);
  });

  it('hands out a late entry below the newest one of a list that had few entries', async () => {
    const script = [
      { ids: ['a@200', 'b@150'], next: 'b' },
      { ids: ['c@70'], next: 'c' },
      { ids: ['d@220', 'a@200', 'late@190'], next: 'late' },
      { ids: ['b@150', 'c@70'], next: 'c' },
    ];
    expect(await outcomes(script)).toEqual(['past [b,a]', '[late,d]']);
  });

  it('does not follow a cursor that comes twice', async () => {
    const script = [
      { ids: ['a'], next: 'old' },
      { ids: ['c'], next: '2' },
      { ids: ['b'], next: '2' },
      { ids: ['c', 'b', 'a'], next: 'old' },
    ];
    expect(await play(script)).toEqual(
      steps(
        'get, past [a], wait 1000, get, get 2, failure 1, wait 1000, get, ' +
          '[b,c], wait 1000, get, aborted',
      ),
    );
  });

  it('hands out what it has, with a gap, if every cursor is refused', async () => {
    const top = { ids: ['c', 'b'], next: '2' };
    const tries = Array.from({ length: 5 }, () => [top, refused(422)]).flat();
    const log = await play([{ ids: ['a'], next: 'old' }, ...tries, { ids: ['d', 'c'], next: '2' }]);
    expect(log.filter((line) => /\[|failure/.test(line))).toEqual([
      'past [a]',
      ...Array(5).fill('failure 1'),
      'gap [b,c]',
      '[d]',
    ]);
  });

  it('abandons a cursor that keeps failing, and starts again', async () => {
    const script = [
      { ids: ['a'], next: 'old' },
      { ids: ['c'], next: '2' },
      ...Array(6).fill(refused(500)),
      { ids: ['c', 'b', 'a'], next: 'old' },
    ];
    const log = await play(script);
    expect(log.filter((line) => /\[|get/.test(line))).toEqual([
      ...['get', 'past [a]', 'get', ...Array(5).fill('get 2')],
      ...['get', 'get', '[b,c]', 'get'],
    ]);
  });

  it('ends at any entry that was listed before, whichever of them were deleted', async () => {
    const script = [
      { ids: ['d@909', 'c@908', 'b@907', 'a@701'], next: 'old' },
      { ids: ['e@910', 'd@909', 'c@908', 'x@700'], next: 'x' },
      { ids: ['f@911', 'x@700', 'w@699', 'v@690'], next: 'v' },
      { ids: ['u@650', 't@600'], next: 't' },
    ];
    expect(await outcomes(script)).toEqual(['past [a,b,c,d]', '[e]', '[f]', '[]']);
    expect((await play(script)).filter((line) => line.startsWith('get'))).toEqual(Array(5).fill('get'));
  });

  it('reads on below a known entry whose time is in the future', async () => {
    const script = [
      { ids: ['z@9999', 'a@1'], next: 'old' },
      { ids: [] },
      { ids: ['z@9999', 'd@4'], next: 'd' },
      { ids: ['c@3', 'b@2'], next: 'b' },
      { ids: ['a@1'] },
    ];
    expect(await outcomes(script)).toEqual(['past [a,z]', '[b,c,d]']);
  });

  it('searches for late entries once a minute, as far back as they may be', async () => {
    const page = { ids: ['d@200', 'c@199'], next: 'c' };
    const script = [
      ...[page, { ids: ['b@150', 'a@79'], next: 'a' }],
      ...Array(59).fill(page),
      { ids: ['e@260', 'd@200'], next: 'd' },
      { ids: ['c@199', 'late@160', 'b@150'], next: 'b' },
      { ids: ['later@141', 'a@79'], next: 'a' },
    ];
    const log = await play(script);
    expect(log.filter((line) => !/^(get|wait 1000|\[\])$/.test(line))).toEqual([
      ...['past [c,d]', 'get c', '[e]', 'get d', '[late]', 'get b', '[later]', 'aborted'],
    ]);
  });

  it('names a gap if the service refuses the search for late entries', async () => {
    const page = { ids: ['d@200', 'c@199'], next: 'c' };
    const script = [page, refused(400), page];
    expect(await play(script)).toEqual(
      steps(
        'get, past [c,d], get c, failure 1, wait 1000, late gap 80000 to 199000, wait 1000, get, ' +
          'recovery after 1 in 2000, [], wait 1000, get, aborted',
      ),
    );
  });

  it('begins after an entry, and names a gap where that is no longer listed', async () => {
    const after = printed('a');
    expect(await play([{ ids: ['c', 'b', 'a'], next: 'old' }], { after, forMs: 0 })).toEqual([
      'get',
      '[b,c]',
      'end',
    ]);
    const searches = Array(3).fill({ ids: ['c', 'b'] });
    expect(await play(searches, { after, forMs: 0 })).toEqual(
      steps('get, wait 1000, get, wait 1000, get, gap [b,c], end'),
    );
    expect(await play([{ ids: ['a', 'b'] }], { after, forMs: 0 })).toEqual(['get', '[]', 'end']);
  });

  it('searches again for the entry to start after, which a lagging replica does not list', async () => {
    const script = [{ ids: ['b', 'a'] }, { ids: ['d', 'c', 'b', 'a'] }];
    expect(await play(script, { after: printed('c'), forMs: 0 })).toEqual(
      steps('get, wait 1000, get, [d], end'),
    );
  });

  it('names the span before an ID in which late entries cannot be told from printed ones', async () => {
    const sorted = [{ ids: ['d@300', 'c@200', 'b@198'], next: 'b' }, { ids: ['a@79'] }];
    expect(await play(sorted, { after: printed('c'), forMs: 0 })).toEqual(
      steps('get, [d], get b, start late gap 198000 to 198000, end'),
    );
    const asWritten = [{ ids: ['d@300', 'c@198', 'b@199'], next: 'b' }, { ids: ['a@79'] }];
    expect(await play(asWritten, { after: printed('c'), forMs: 0 })).toEqual(steps('get, [d], get b, end'));
    const quiet = [{ ids: ['d@300', 'c@200', 'b@79'], next: 'b' }];
    expect(await play(quiet, { after: printed('c'), forMs: 0 })).toEqual(['get', '[d]', 'end']);
  });

  it('prints entries that arrived late before the last one, if it knows everything that was printed', async () => {
    const script = [
      { ids: ['d@300', 'c@200', 'late@198'], next: 'b' },
      { ids: ['later@160', 'b@150', 'a@70'] },
    ];
    expect(await play(script, { after: printed('b@150', 'c@200'), forMs: 0 })).toEqual(
      steps('get, get b, [later,late,d], end'),
    );
  });

  it('retries a failed request at the end of its time, up to a limit', async () => {
    const script = [{ ids: ['a'] }, lostConnection, { ids: ['b', 'a'] }];
    expect(await play(script, { forMs: 500 })).toEqual(
      steps('get, past [a], wait 500, get, failure 1, wait 1000, get, recovery after 1 in 1000, [b], end'),
    );
    expect(
      await play([{ ids: ['a'] }, lostConnection, lostConnection], { forMs: 500, intervalMs: 60_000 }),
    ).toEqual(steps('get, past [a], wait 500, get, failure 1, wait 1000, get, connection_lost'));
  });

  it('ends with an answer that was asked for after its time', async () => {
    const script = [{ ids: ['a'] }, { ids: ['b', 'a'] }, { ids: ['c', 'b', 'a'] }];
    expect(await play(script, { forMs: 1500 })).toEqual(
      steps('get, past [a], wait 1000, get, [b], wait 500, get, [c], end'),
    );
  });

  it.each([
    ['empty pages with new cursors', () => []],
    ['one new entry on each page', (number: number) => [`x${number}`]],
    ['old entries on each page', () => ['a']],
  ])('sends at most eleven requests a second, whatever comes: %s', { tags: 'slow' }, async (_, idsOf) => {
    const sent: number[] = [];
    let now = 0;
    const events = follow({
      fetch: async () => {
        sent.push(now);
        if (now > 1_000_000) throw new AbortedError();
        const ids = sent.length === 1 ? ['a'] : idsOf(sent.length);
        return { items: ids.map(itemOf), nextCursor: `cursor ${sent.length}`, at: now };
      },
      sleep: async (milliseconds) => {
        now += milliseconds;
      },
      ...{
        now: () => now,
        random: () => 0,
        intervalMs: 1000,
        maxRetries: 1,
        timeoutMs: 10_000,
        isEnough: () => true,
      },
    });
    const failures: string[] = [];
    await expect(async () => {
      for await (const event of events) if (event.kind === 'failure') failures.push(event.error.message);
    }).rejects.toThrow(AbortedError);
    expect(sent.length).toBeLessThan(11_000);
    expect(new Set(failures)).toEqual(
      new Set(
        idsOf(0).length === 0
          ? ['The service returned 1000 empty pages in a row, so the list would never end']
          : [],
      ),
    );
  });

  /** Follows a service whose requests take a second each, by a clock that stands still otherwise. */
  async function playSlowly(pageOf: (request: number) => readonly string[] | Error, withCursors = true) {
    const log: string[] = [];
    let now = 0;
    let requests = 0;
    const events = follow({
      fetch: async (_, withinMs = 1000) => {
        const isTooLong = withinMs < 1000;
        now += isTooLong ? withinMs : 1000;
        requests += 1;
        const page = pageOf(requests);
        if (isTooLong) throw new AbortedError();
        if (page instanceof Error) throw page;
        return { items: page.map(itemOf), nextCursor: withCursors ? `c${requests}` : undefined, at: now };
      },
      sleep: async (milliseconds) => {
        now += milliseconds;
      },
      ...{ now: () => now, random: () => 0, intervalMs: 1000, maxRetries: 9, forMs: 3500 },
      ...{ timeoutMs: 2000, isEnough: () => !withCursors },
    });
    try {
      for await (const event of events) {
        if (event.kind !== 'response' && event.kind !== 'late-gap') log.push(event.kind);
        else
          log.push(
            `${event.kind}${event.gap ? ` gap ${event.gap.from} to ${event.gap.to}` : ''}${
              event.kind === 'response' ? ` [${event.entries.map(({ id }) => id)}]` : ''
            }`,
          );
      }
      log.push('end');
    } catch (error) {
      log.push(error instanceof PayctlError ? error.code : String(error));
    }
    return { log, now: Math.round(now / 100) * 100 };
  }

  it('ends at its time while empty pages with new cursors come, and names the gap', async () => {
    expect(await playSlowly(() => [])).toEqual({
      log: ['response gap undefined to 3000 []', 'end'],
      now: 3500,
    });
  });

  it('ends at its time while older pages come, and hands out what it has read', async () => {
    expect(await playSlowly((number) => [`x${number}@${100 - number}`])).toEqual({
      log: ['response gap undefined to 97000 [x3,x2,x1]', 'end'],
      now: 3500,
    });
  });

  it('retries its last poll for no longer than one request may take', async () => {
    const run = await playSlowly((number) => (number === 1 ? ['a'] : lostConnection), false);
    expect(run).toEqual({ log: ['response [a]', 'failure', 'connection_lost'], now: 4500 });
  });
});
