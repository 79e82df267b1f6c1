import { describe, expect, it } from 'vitest';
import { type Answer, compareAnswer, type Marks, marksAfter } from '../../../src/cli/tail/marks.ts';

const START = Date.UTC(2030, 0, 1);

/** An entry by its ID and the second in which it was written; without an ID, by its text. */
function item([id, second]: readonly [id: string, second?: number]) {
  const time = second === undefined ? undefined : START + second * 1000;
  const item = id.startsWith('#') ? { note: id } : { id };
  return { id: item.id, time, item, text: JSON.stringify(item) };
}

type Listed = readonly (readonly [id: string, second?: number])[];

const answer = (listed: Listed, options: Partial<Answer> = {}): Answer => ({
  items: listed.map(item),
  isWhole: true,
  hasCursors: false,
  at: START + 3_600_000,
  ...options,
});

/** What a second answer brought after a first one. */
function compare(first: Listed, second: Listed, options: Partial<Answer> = {}) {
  const { marks } = compareAnswer(undefined, answer(first, options));
  return shown(marks, answer(second, options));
}

function shown(marks: Marks, next: Answer) {
  const { entries, gap } = compareAnswer(marks, next);
  const seconds = (time: number | undefined) => (time === undefined ? undefined : (time - START) / 1000);
  return {
    entries: entries.map(({ text, isLate }) => {
      const { id, note } = JSON.parse(text) as { id?: string; note?: string };
      return `${id ?? note}${isLate ? ' late' : ''}`;
    }),
    gap: gap && [seconds(gap.from), seconds(gap.to)],
  };
}

const fifty = (from: number): Listed =>
  Array.from({ length: 50 }, (_, index) => [String(from + 49 - index), from + 49 - index] as const);

describe('the entries of an answer', () => {
  it('are new by their IDs, not by their times', () => {
    const second: Listed = [
      ['d', 1],
      ['c', 1],
      ['b', 1],
      ['a', 1],
    ];
    expect(
      compare(
        [
          ['b', 1],
          ['a', 1],
        ],
        second,
      ),
    ).toEqual({ entries: ['c', 'd'], gap: undefined });
  });

  it('are handed out once where pages repeat them', () => {
    const second: Listed = [
      ['c', 3],
      ['b', 2],
      ['c', 3],
      ['b', 2],
      ['a', 1],
    ];
    expect(compare([['a', 1]], second)).toEqual({ entries: ['b', 'c'], gap: undefined });
  });

  it('are counted where they have no ID', () => {
    expect(compare([['#1'], ['#1']], [['#1'], ['#2'], ['#1'], ['#1']]).entries).toEqual(['#2', '#1']);
    expect(compare([['#1'], ['#1'], ['#1']], [['#1'], ['#1']]).entries).toEqual([]);
  });

  it('may be no objects, and have no times', () => {
    const odd = [null, 'text', 7, [], { id: '' }, { id: 5 }].map((item) => {
      return { id: undefined, time: undefined, item, text: JSON.stringify(item) };
    });
    const first = compareAnswer(undefined, { ...answer([]), items: odd });
    expect(first.entries).toHaveLength(6);
    expect(compareAnswer(first.marks, { ...answer([]), items: odd }).entries).toEqual([]);
  });

  it('are late where one with a later time came before', () => {
    expect(
      compare(
        [
          ['b', 9],
          ['a', 1],
        ],
        [
          ['c', 5],
          ['b', 9],
          ['a', 1],
        ],
      ).entries,
    ).toEqual(['c late']);
    expect(
      compare(
        [
          ['b', 9],
          ['a', 1],
        ],
        [
          ['b', 9],
          ['c', 5],
          ['a', 1],
        ],
      ).entries,
    ).toEqual(['c late']);
    expect(compare([['b', 9]], [['d', 9], ['c'], ['b', 9]]).entries).toEqual(['c', 'd']);
  });

  it('are not late because of a clock that is ahead', () => {
    expect(
      compare(
        [
          ['b', 9000],
          ['a', 1],
        ],
        [
          ['c', 5],
          ['b', 9000],
          ['a', 1],
        ],
      ).entries,
    ).toEqual(['c']);
  });

  it('are of the past below all that was known of a list that goes on', () => {
    const goesOn = { isWhole: false, hasCursors: true };
    const second: Listed = [
      ['d', 4],
      ['c', 3],
      ['b', 2],
      ['a', 1],
    ];
    expect(
      compare(
        [
          ['c', 3],
          ['b', 2],
        ],
        second,
        goesOn,
      ),
    ).toEqual({ entries: ['d'], gap: undefined });
    expect(
      compare(
        [
          ['c', 3],
          ['b', 2],
        ],
        second,
      ),
    ).toEqual({ entries: ['a late', 'd'], gap: undefined });
  });
});

/** What each of several answers brought. */
function follow(...lists: readonly Listed[]): string[][] {
  let marks: Marks | undefined;
  return lists.map((listed) => {
    const compared = compareAnswer(marks, answer(listed));
    marks = compared.marks;
    return compared.entries.map(({ text }) => (JSON.parse(text) as { id: string }).id);
  });
}

describe('an answer that is behind', () => {
  const whole: Listed = [
    ['c', 3],
    ['b', 2],
    ['a', 1],
  ];

  it('makes nothing that was known new again', () => {
    expect(follow(whole, [['a', 1]], [['d', 4], ...whole])).toEqual([['a', 'b', 'c'], [], ['d']]);
    expect(follow(whole, [], [['a', 1]], [['d', 4], ...whole])).toEqual([['a', 'b', 'c'], [], [], ['d']]);
    expect(follow([['c'], ['b'], ['a']], [['a']], [['c'], ['b'], ['a']])).toEqual([['a', 'b', 'c'], [], []]);
  });

  it('is forgotten once the list has moved on', () => {
    const { marks } = compareAnswer(undefined, answer(whole));
    const moved = compareAnswer(
      marks,
      answer([
        ['d', 4],
        ['c', 3],
      ]),
    ).marks;
    expect([...moved.missing.keys()]).toEqual([]);
    const timeless = compareAnswer(undefined, answer([['b'], ['a']])).marks;
    expect(compareAnswer(timeless, answer([['c'], ['b']])).marks.missing.size).toBe(0);
  });

  it('makes no gap', () => {
    const { marks } = compareAnswer(undefined, answer(whole));
    const behind = compareAnswer(marks, answer([['a', 1]]));
    expect(behind.gap).toBeUndefined();
    expect(compareAnswer(behind.marks, answer([['d', 4], ...whole])).gap).toBeUndefined();
  });
});

describe('a gap', () => {
  it('is where two answers do not overlap', () => {
    expect(
      compare(
        [
          ['b', 2],
          ['a', 1],
        ],
        [
          ['e', 5],
          ['d', 4],
        ],
      ),
    ).toEqual({ entries: ['d', 'e'], gap: [2, 4] });
  });

  it('is where new entries have pushed known ones out below one that stays on top', () => {
    const second: Listed = [
      ['z', 9999],
      ['f', 6],
      ['e', 5],
    ];
    expect(
      compare(
        [
          ['z', 9999],
          ['b', 2],
          ['a', 1],
        ],
        second,
      ),
    ).toEqual({ entries: ['e', 'f'], gap: [2, 5] });
  });

  it('is not where the oldest entries are gone, or all', () => {
    expect(
      compare(
        [
          ['b', 2],
          ['a', 1],
        ],
        [
          ['c', 3],
          ['b', 2],
        ],
      ).gap,
    ).toBeUndefined();
    expect(
      compare(
        [
          ['b', 2],
          ['a', 1],
        ],
        [],
      ).gap,
    ).toBeUndefined();
  });

  it('is after an empty log where the answer looks cut', () => {
    expect(compare([], fifty(0)).gap).toEqual([undefined, 0]);
    expect(compare([], fifty(0).slice(1)).gap).toBeUndefined();
    expect(compare([], fifty(0), { hasCursors: true }).gap).toBeUndefined();
  });

  it('has its ends in order where clocks differ, and none where there are no times', () => {
    expect(compare([['a', 7]], [['b', 5]]).gap).toEqual([5, 7]);
    expect(compare([['a']], [['b']]).gap).toEqual([undefined, undefined]);
  });

  it('is not above an entry to begin after', () => {
    const list: Listed = [
      ['c', 3],
      ['b', 2],
      ['a', 1],
    ];
    expect(shown(marksAfter('b'), answer(list))).toEqual({ entries: ['c'], gap: undefined });
    expect(shown(marksAfter('c'), answer(list))).toEqual({ entries: [], gap: undefined });
    expect(shown(marksAfter('gone'), answer(list))).toEqual({
      entries: ['a', 'b', 'c'],
      gap: [undefined, 1],
    });
  });
});
