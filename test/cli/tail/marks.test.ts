import { describe, expect, it } from 'vitest';
import { type ListingEnd, Marks } from '../../../src/cli/tail/marks.ts';

const START = Date.UTC(2030, 0, 1);

/** Entries by words, newest first: `a@7` was written in second 7, `a` has no time, `#a` no ID. */
function itemsOf(words: string) {
  return words
    .split(' ')
    .filter(Boolean)
    .map((word) => {
      const [id = '', second] = word.split('@');
      const time = second === undefined ? undefined : START + Number(second) * 1000;
      const item = id.startsWith('#') ? { note: id } : { id };
      return { id: item.id, time, item, text: JSON.stringify(item) };
    });
}

const END: ListingEnd = { isEnd: true, hasCursors: false };
const GOES_ON: ListingEnd = { isEnd: false, hasCursors: true };

/** A list that is looked at again and again, once a second. */
class List {
  readonly #marks = new Marks(undefined, 0);
  #now = 0;

  /** What a response brought. */
  add(words: string, end = END) {
    const items = itemsOf(words);
    const isFirst = this.#now === 0;
    this.#now += 1000;
    const listing = { items, at: START + 3_600_000, now: this.#now };
    const { entries, gap } = this.#marks.add(listing, isFirst ? undefined : end);
    if (isFirst) this.#marks.begin(items, end);
    const seconds = (time: number | undefined) => (time === undefined ? undefined : (time - START) / 1000);
    return {
      entries: entries.map(({ text, isLate }) => {
        const { id, note } = JSON.parse(text) as { id?: string; note?: string };
        return `${id ?? note}${isLate ? ' late' : ''}`;
      }),
      gap: gap && [seconds(gap.from), seconds(gap.to)],
    };
  }

  wait(milliseconds: number): void {
    this.#now += milliseconds;
  }
}

/** What a second response brought after a first one. */
function compare(first: string, second: string, end = END) {
  const list = new List();
  list.add(first, end);
  return list.add(second, end);
}

const fifty = (from: number, count = 50) =>
  Array.from({ length: count }, (_, index) => from + count - 1 - index)
    .map((at) => `${at}@${at}`)
    .join(' ');

describe('the entries of an answer', () => {
  it('are new by their IDs, not by their times', () => {
    const second = 'd@1 c@1 b@1 a@1';
    expect(compare('b@1 a@1', second)).toEqual({ entries: ['c', 'd'], gap: undefined });
  });

  it('are handed out once where pages repeat them', () => {
    const second = 'c@3 b@2 c@3 b@2 a@1';
    expect(compare('a@1', second)).toEqual({ entries: ['b', 'c'], gap: undefined });
  });

  it('are counted where they have no ID', () => {
    expect(compare('#1 #1', '#1 #2 #1 #1').entries).toEqual(['#2', '#1']);
    expect(compare('#1 #1 #1', '#1 #1').entries).toEqual([]);
  });

  it('may be no objects, and have no times', () => {
    const items = [null, 'text', 7, [], { id: '' }, { id: 5 }].map((item) => {
      return { id: undefined, time: undefined, item, text: JSON.stringify(item) };
    });
    const marks = new Marks(undefined, 0);
    expect(marks.add({ items, at: START, now: 1 }).entries).toHaveLength(6);
    expect(marks.add({ items, at: START, now: 2 }).entries).toEqual([]);
  });

  it('are late where one with a later time came before', () => {
    expect(compare('b@9 a@1', 'c@5 b@9 a@1').entries).toEqual(['c late']);
    expect(compare('b@9 a@1', 'b@9 c@5 a@1').entries).toEqual(['c late']);
    expect(compare('b@9', 'd@9 c b@9').entries).toEqual(['c', 'd']);
  });

  it('are not late because of a clock that is ahead', () => {
    expect(compare('b@9000 a@1', 'c@5 b@9000 a@1').entries).toEqual(['c']);
  });

  it('are of the past below all that was known of a list that goes on', () => {
    const second = 'd@4 c@3 b@2 a@1';
    expect(compare('c@3 b@2', second, GOES_ON)).toEqual({ entries: ['d'], gap: undefined });
    expect(compare('c@3 b@2', second)).toEqual({ entries: ['a late', 'd'], gap: undefined });
  });
});

describe('a response of a lagging replica', () => {
  /** What each of several responses brought. */
  const follow = (...lists: readonly string[]) => {
    const list = new List();
    return lists.map((listed) => list.add(listed));
  };
  const news = (...lists: readonly string[]) => follow(...lists).map(({ entries }) => entries);
  const whole = 'c@3 b@2 a@1';

  it('makes nothing that was known new again', () => {
    expect(news(whole, 'a@1', `d@4 ${whole}`)).toEqual([['a', 'b', 'c'], [], ['d']]);
    expect(news(whole, '', 'a@1', `d@4 ${whole}`)).toEqual([['a', 'b', 'c'], [], [], ['d']]);
    expect(news('c b a', 'a', 'c b a')).toEqual([['a', 'b', 'c'], [], []]);
  });

  it('makes no gap', () => {
    const gaps = follow(whole, 'a@1', `d@4 ${whole}`).map(({ gap }) => gap);
    expect(gaps).toEqual([undefined, undefined, undefined]);
  });

  it('changes nothing where the list is cut, although it ends with what is older than all that was known', () => {
    const list = new List();
    list.add(fifty(100));
    expect(list.add(fifty(60))).toEqual({ entries: [], gap: undefined });
    const fresh = Array.from({ length: 10 }, (_, index) => String(150 + index));
    expect(list.add(fifty(110))).toEqual({ entries: fresh, gap: undefined });
    expect(list.add(fifty(100))).toEqual({ entries: [], gap: undefined });
  });

  it('is recognised for ten minutes after the last response', () => {
    const list = new List();
    list.add(fifty(100));
    list.add(fifty(150));
    list.wait(598_000);
    list.add(fifty(200));
    expect(list.add(fifty(100)).entries).toEqual([]);
    list.wait(3_600_000);
    expect(list.add(fifty(200)).entries).toEqual([]);
  });

  it('brings no forgotten entries back', () => {
    const list = new List();
    list.add(fifty(100));
    list.add(fifty(150));
    list.wait(700_000);
    list.add(fifty(200));
    list.add(fifty(200));
    expect(list.add(fifty(160)).entries).toEqual([]);
    expect(list.add(fifty(100)).entries).toEqual([]);
  });
});

describe('a gap', () => {
  it('is where two answers do not overlap', () => {
    expect(compare('b@2 a@1', 'e@5 d@4')).toEqual({ entries: ['d', 'e'], gap: [2, 4] });
  });

  it('is where new entries have pushed known ones out below one that stays on top', () => {
    const first = `z@9999 ${fifty(0, 49)}`;
    const second = `z@9999 ${fifty(60, 49)}`;
    expect(compare(first, second).gap).toEqual([48, 60]);
  });

  it('has the ends of all that may be below an entry of a list that is not sorted by time', () => {
    const known = 'a@100';
    const unsorted = 'd@202 c@201 e@203 b@200';
    expect(compare(known, unsorted, GOES_ON).gap).toEqual([40, 3602]);
    const list = new List();
    list.add(known);
    list.add(`${unsorted} ${known}`, GOES_ON);
    expect(list.add('f@204', GOES_ON).gap).toEqual([143, 3602]);
    expect(compare(known, 'e@203 d@202 c@201 b@200', GOES_ON).gap).toEqual([100, 200]);
  });

  it('is not where the oldest entries are gone, or all', () => {
    expect(compare('b@2 a@1', 'c@3 b@2').gap).toBeUndefined();
    expect(compare('b@2 a@1', '').gap).toBeUndefined();
  });

  it('is after an empty log where the answer looks cut', () => {
    expect(compare('', fifty(0)).gap).toEqual([undefined, 0]);
    expect(compare('', fifty(0, 49)).gap).toBeUndefined();
    expect(compare('', fifty(0), { isEnd: true, hasCursors: true }).gap).toBeUndefined();
    expect(compare('', fifty(0, 49), { isEnd: false, hasCursors: true }).gap).toEqual([undefined, 0]);
  });

  it('has its ends in order where clocks differ, and none where there are no times', () => {
    expect(compare('a@7', 'b@5').gap).toEqual([5, 7]);
    expect(compare('a', 'b').gap).toEqual([undefined, undefined]);
  });

  it('is not above an entry to begin after', () => {
    const items = itemsOf('c@3 b@2 a@1');
    const resumed = (id: string) => {
      const marks = new Marks({ items: [{ id, text: '' }], since: undefined }, 0);
      const { entries, gap } = marks.add({ items, at: START, now: 1 }, END);
      return { ids: entries.map(({ id }) => id), gap };
    };
    expect(resumed('b')).toEqual({ ids: ['c'], gap: undefined });
    expect(resumed('c')).toEqual({ ids: [], gap: undefined });
    expect(resumed('gone')).toEqual({ ids: ['a', 'b', 'c'], gap: { from: undefined, to: START + 1000 } });
  });
});
