import { describe, expect, it } from 'vitest';
import type { FollowOptions } from '../../../src/cli/tail/follow.ts';
import type { TailPage } from '../../../src/cli/tail/walk.ts';
import { ResponseError } from '../../../src/client/errors.ts';
import { play as playScript, printed, refused, request, type Script, steps } from './play.ts';

const unreadable = new ResponseError('unreadable_response', 'no JSON', { request, attempts: 1, status: 200 });

/** What `playScript` writes down, without the past, how long failures lasted, and the request after the last response. */
async function play(script: Script, options: Partial<FollowOptions> = {}): Promise<string[]> {
  const log = await playScript(script, { timeoutMs: 30_000, ...options });
  return log.filter((_, at) => log[at + 1] !== 'aborted').map((line) => line.replace(/ after .*|past /g, ''));
}

const outcomes = (log: readonly string[]) => log.filter((line) => /\[|gap/.test(line));
const requestsOf = (log: readonly string[]) => log.filter((line) => line.startsWith('get'));

describe.each([400, 404, 410, 422])('a cursor that the service refuses with a %i', (status) => {
  it('begins the walk of the first poll again', async () => {
    const script = [{ ids: ['b'], next: '2' }, refused(status), { ids: ['b'], next: '3' }, { ids: ['a'] }];
    const log = await play(script, { isEnough: (pages) => pages.length > 1, forMs: 0 });
    expect(log).toEqual(steps('get, get 2, failure 1, wait 1000, get, recovery, get 3, [a,b], end'));
  });

  it('begins the walk of a later poll again', async () => {
    const script = [
      { ids: ['a'], next: '1' },
      { ids: ['c'], next: '2' },
      refused(status),
      { ids: ['c', 'b', 'a'], next: '3' },
    ];
    expect(await play(script)).toEqual(
      steps(
        'get, [a], wait 1000, get, get 2, failure 1, wait 1000, get, recovery, [b,c], wait 1000, ' +
          'aborted',
      ),
    );
  });

  it('ends the search for late entries, and the next poll goes on', async () => {
    const script = [{ ids: ['b@200', 'a@199'], next: '2' }, refused(status), { ids: ['c@201', 'b@200'] }];
    expect(await play(script)).toEqual(
      steps(
        'get, [a,b], get 2, failure 1, wait 1000, late gap 80000 to 199000, wait 1000, get, ' +
          'recovery, [c], wait 1000, aborted',
      ),
    );
  });

  it('begins the walk of the last poll again', async () => {
    const script = [
      { ids: ['a'], next: '1' },
      { ids: ['c'], next: '2' },
      refused(status),
      { ids: ['c', 'b', 'a'] },
    ];
    expect(outcomes(await play(script, { forMs: 500 }))).toEqual(['[a]', '[b,c]']);
  });
});

describe('the first poll', () => {
  it('ends with the error of a cursor that is refused more often than requests are repeated', async () => {
    const top = { ids: ['b'], next: '2' };
    const script = [top, refused(422), top, refused(422), top, { ids: ['a'] }];
    const options = { isEnough: (pages: readonly TailPage[]) => pages.length > 1, forMs: 0 };
    expect(await play(script, { ...options, maxRetries: 1 })).toEqual(
      steps('get, get 2, failure 1, wait 1000, get, recovery, get 2, failure 1, wait 1000, refused'),
    );
    expect(outcomes(await play(script, { ...options, maxRetries: 2 }))).toEqual(['[a,b]']);
  });

  it('never says that a service with a loop of cursors responds again: it responded all the time', async () => {
    const loop = [
      { ids: ['a'], next: '2' },
      { ids: ['b'], next: '2' },
    ];
    const log = await play([...loop, ...loop, ...loop], { isEnough: () => false });
    expect(log).toEqual(
      steps('get, get 2, failure 1, wait 1000, get, get 2, failure 1, wait 1000, cursor_loop'),
    );
  });

  it('ends with a response that cannot be read, which later polls outlive', async () => {
    expect(await play([unreadable])).toEqual(['get', 'unreadable_response']);
    expect(await play([{ ids: ['a'] }, unreadable, { ids: ['b', 'a'] }])).toEqual(
      steps('get, [a], wait 1000, get, failure 1, wait 1000, get, recovery, [b], wait 1000, aborted'),
    );
  });

  it('looks for no late entries where it is the only one', async () => {
    expect(await play([{ ids: ['b@200', 'a@199'], next: '2' }], { forMs: 0 })).toEqual([
      'get',
      '[a,b]',
      'end',
    ]);
  });

  it.each([
    [60_000, 1000],
    [100, 100],
  ])(
    'searches again for the entry to begin after, with an interval of %i ms after %i',
    async (intervalMs, wait) => {
      const script = [{ ids: ['a'] }, { ids: ['b', 'a'] }];
      expect(await play(script, { after: printed('b'), intervalMs, forMs: 0 })).toEqual([
        ...['get', `wait ${wait}`, 'get', '[]', 'end'],
      ]);
    },
  );
});

describe('a walk that begins again at a copy of the service that is behind', () => {
  const top = { ids: ['d@4', 'c@3'], next: '2' };
  const start = [{ ids: ['a@1'] }, top, refused(422)];
  const behind = { ids: ['a@1'] };

  it('is repeated until it has what was listed', async () => {
    const log = await play([...start, behind, { ids: ['d@4', 'c@3', 'b@2', 'a@1'] }], { forMs: 5000 });
    expect(log.slice(3)).toEqual(
      steps('get, get 2, failure 1, wait 1000, get, recovery, wait 1000, get, [b,c,d], wait 1000, aborted'),
    );
  });

  it('is repeated twice, and then the span is named of which entries may be missing', async () => {
    const log = await play([...start, behind, behind, behind, { ids: ['d@4', 'c@3'] }]);
    expect(outcomes(log)).toEqual(['[a]', 'gap [c,d]', '[]']);
  });

  it('may list the entry that was the newest one', async () => {
    const log = await play([...start, { ids: ['c@3', 'b@2', 'a@1'] }]);
    expect(outcomes(log)).toEqual(['[a]', '[b,c,d]']);
  });

  it('leaves the past of the first poll out', async () => {
    const script = [top, refused(422), { ids: ['b@2', 'a@1'] }, { ids: ['d@4', 'c@3', 'b@2'] }];
    const isEnough = (pages: readonly TailPage[]) => pages.length > 1;
    expect(outcomes(await play(script, { isEnough }))).toEqual(['[a,b]', '[c,d]']);
  });
});

describe('a poll', () => {
  it('reads on where a list out of order ends with an entry that may be new', async () => {
    const script = [
      { ids: ['c@201', 'b@202', 'a@203'], next: '1' },
      { ids: ['z@1'], next: '0' },
      { ids: ['d@204', 'c@201', 'x@205'], next: '2' },
      { ids: ['b@202', 'w@206'], next: '3' },
    ];
    expect(outcomes(await play(script)).slice(0, 2)).toEqual(['[a,b,c]', '[x,d]']);
  });

  it('goes on where every cursor is refused and nothing was listed yet', async () => {
    const refusals = Array.from({ length: 6 }, () => [{ ids: [], next: '2' }, refused(422)]).flat();
    const log = await play([{ ids: ['a'] }, ...refusals, { ids: ['b', 'a'] }]);
    expect(outcomes(log)).toEqual(['[a]', '[b]']);
  });

  it('hands out as many entries as it may gather before it reads on', async () => {
    const pages = Array.from({ length: 12 }, (_, page) => ({
      ids: [1, 2, 3, 4].map((index) => `${page}-${index}`),
      next: `below ${page}`,
    }));
    const log = await play([{ ids: ['a'] }, ...pages], { mostEntries: 40 });
    expect(
      requestsOf(
        log.slice(
          0,
          log.findIndex((line) => line.startsWith('gap')),
        ),
      ),
    ).toHaveLength(11);
    expect(outcomes(log)[1]?.split(',')).toHaveLength(40);
  });

  it('waits before each page after the tenth', async () => {
    const pages = Array.from({ length: 11 }, (_, page) => ({ ids: [`n${page}`], next: `${page}` }));
    const log = await play([{ ids: ['a'] }, ...pages, { ids: ['a'] }]);
    expect(log.slice(3, -2)).toEqual(
      steps(
        'get, get 0, get 1, get 2, get 3, get 4, get 5, get 6, get 7, get 8, wait 100, get 9, ' +
          'wait 100, get 10, [n10,n9,n8,n7,n6,n5,n4,n3,n2,n1,n0]',
      ),
    );
  });

  it('reads one page more where it ends with a copy of an entry without ID', async () => {
    const script = [
      { ids: ['#x', 'a'] },
      { ids: ['c', 'b', '#x'], next: '2' },
      { ids: ['#x', '#x', 'a'], next: '3' },
      { ids: ['d', 'c'], next: '4' },
    ];
    const log = await play(script);
    expect(outcomes(log)).toEqual(['[a,#x]', '[#x,#x,b,c]', '[d]']);
    expect(requestsOf(log)).toEqual(steps('get, get, get 2, get'));
  });

  it.each([
    ['reads on where its last entry has the time of one without ID', '#x@7', ['get 2'], '[#x,c]'],
    ['ends where its entries without ID have other times', '#x@8', [], '[c]'],
    ['ends where its last entry has the time of others that have an ID', 'b@7', [], '[b,c]'],
  ])('%s, of which copies may follow', async (_, between, further, found) => {
    const script = [
      { ids: ['a@7', '#x@7'] },
      { ids: ['c@9', between, 'a@7'], next: '2' },
      ...further.map(() => ({ ids: ['#x@7'] })),
    ];
    const log = await play(script);
    expect(requestsOf(log)).toEqual(['get', 'get', ...further]);
    expect(outcomes(log)).toEqual(['[#x,a]', found]);
  });

  it('makes a gap where a list without cursors may be cut, and none where it is complete', async () => {
    const twenty = Array.from({ length: 20 }, (_, index) => `n${index}`);
    const second = async (...script: Script) =>
      outcomes(await play(script))
        .at(-1)
        ?.split('[')[0];
    expect(await second({ ids: [] }, { ids: twenty })).toBe('gap ');
    expect(await second({ ids: [] }, { ids: twenty.slice(1) })).toBe('');
    expect(await second({ ids: [], next: '2' }, { ids: [] }, { ids: twenty })).toBe('');
  });

  it('ends a wait that the service asks for with the time of the whole run', async () => {
    const script = [{ ids: ['a'] }, refused(429, '7'), { ids: ['b', 'a'] }];
    expect(await play(script, { forMs: 5000 })).toEqual(
      steps('get, [a], wait 1000, get, failure 1, wait 4000, get, recovery, [b], end'),
    );
  });
});

describe('the search for late entries', () => {
  const below = (count: number, second: number) =>
    Array.from({ length: count }, (_, page) => ({ ids: [`p${page}@${second}`], next: `${page}` }));

  it('reads fifty pages, and names the span of the others', async () => {
    const log = await play([{ ids: ['b@200'], next: 'b' }, ...below(50, 199)]);
    expect(requestsOf(log)).toHaveLength(51);
    expect(log.slice(-3)).toEqual(['late gap 80000 to 199000', 'wait 1000', 'aborted']);
    const complete = await play([
      { ids: ['b@200'], next: 'b' },
      ...below(49, 199),
      { ids: ['z@1'], next: 'z' },
    ]);
    expect(requestsOf(complete)).toHaveLength(51);
    expect(outcomes(complete)).toEqual(['[b]']);
  });

  it('reads ten pages of a list that is not sorted by time, and names no span', async () => {
    const log = await play([{ ids: ['b@200', 'c@201'], next: 'b' }, ...below(12, 199)]);
    expect(outcomes(log.slice(0, 13))).toEqual(['[c,b]']);
    expect(requestsOf(log.slice(0, log.indexOf('wait 1000')))).toHaveLength(11);
    expect(outcomes(log).filter((line) => line.includes('late gap'))).toEqual([]);
  });

  it('names a span where a list that is not sorted by time cannot be read on', async () => {
    const script = [{ ids: ['b@200', 'c@201'], next: 'b' }, refused(422)];
    expect(outcomes(await play(script))).toEqual(['[c,b]', 'late gap 81000 to 201000']);
  });

  it('names the span of the start where an earlier run is resumed by an ID', async () => {
    const script = [{ ids: ['d@300', 'c@200', 'b@198'], next: 'b' }, { ids: ['a@79'] }];
    expect(outcomes(await play(script, { after: printed('c'), forMs: 0 }))).toEqual([
      ...['[d]', 'start late gap 198000 to 198000'],
    ]);
  });
});
