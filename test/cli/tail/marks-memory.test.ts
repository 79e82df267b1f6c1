import { describe, expect, it } from 'vitest';
import { type Gap, type ListingEnd, Marks, type TailItem } from '../../../src/cli/tail/marks.ts';

const CUT: ListingEnd = { isEnd: false, hasCursors: true };
const WITHOUT_CURSORS: ListingEnd = { isEnd: true, hasCursors: false };

/** Entries by words, newest first: `a@7` is stamped in second 7, `a` has no time, `#a` no ID. */
function entries(words: string): TailItem[] {
  return words
    .split(' ')
    .filter(Boolean)
    .map((word) => {
      const [name = '', second] = word.split('@');
      const time = second === undefined ? undefined : Number(second) * 1000;
      return { id: name.startsWith('#') ? undefined : name, time, item: {}, text: name };
    });
}

const numbered = (count: number): TailItem[] =>
  Array.from({ length: count }, (_, index) => ({ id: `n${index}`, time: undefined, item: {}, text: '' }));

/** Marks, with times in seconds; the response is sent in second `at`, by both clocks. */
function watch(printed?: string, mostKnown?: number) {
  const marks = new Marks(
    printed === undefined ? undefined : { items: entries(printed), since: undefined },
    0,
    mostKnown,
  );
  let at = 1000;
  const add = (items: readonly TailItem[], isBelow: boolean, end?: ListingEnd) => {
    const above = isBelow ? [] : undefined;
    return marks.add({ items, above, at: at * 1000, now: at * 1000 }, end);
  };
  const idsOf = (found: ReturnType<typeof add>) => found.entries.map(({ text }) => text);
  const inSeconds = (gap: Gap | undefined) =>
    gap && [gap.from, gap.to].map((time) => (time === undefined ? undefined : time / 1000));
  return {
    marks,
    isAt(second: number) {
      at = second;
    },
    list: (words: string) => idsOf(add(entries(words), false)),
    listBelow: (words: string) => idsOf(add(entries(words), true)),
    listAll: (items: readonly TailItem[]) => idsOf(add(items, false)),
    behind: (words: string, isBelow = false) =>
      add(entries(words), isBelow).entries.flatMap(({ id, isBehind }) => (isBehind ? id : [])),
    /** What is listed by a walk that comes after others, which had to begin again. */
    listAfter(earlier: readonly string[], words: string, end = CUT) {
      const listing = { items: entries(words), earlier: earlier.map(entries) };
      const { entries: found, gap } = marks.add({ ...listing, at: at * 1000, now: at * 1000 }, end);
      return {
        found: found.map(({ text, isBehind }) => (isBehind ? `${text} behind` : text)),
        gap: inSeconds(gap),
      };
    },
    missed: (earlier: readonly string[], words: string) =>
      marks
        .missedBy({ items: entries(words), earlier: earlier.map(entries) })
        .map((items) => items.map(({ text }) => text).join(' ')),
    gap: (words: string, end = CUT) => inSeconds(add(entries(words), false, end).gap),
    begin: (words: string, end = CUT) => inSeconds(marks.begin(entries(words), end)),
    endOf: (words: string) => marks.endOf({ items: entries(words) }),
    reaches: (words: string) => marks.endOf({ items: entries(words) }) !== 'new',
  };
}

describe('a new entry', () => {
  it('is behind where it stands below one that was listed before', () => {
    const { list, behind } = watch();
    list('b@9 a@1');
    expect(behind('e@12 b@9 c@5 a@1')).toEqual(['c']);
    expect(behind('h@20 g@19')).toEqual([]);
    expect(behind('e@12 d@11 b@9')).toEqual(['d']);
  });

  it('is behind on every page that continues a listing', () => {
    const { list, begin, behind } = watch();
    list('b@9 a@1');
    begin('b@9 a@1');
    expect(behind('d@8 c@7', true)).toEqual(['c', 'd']);
  });
});

describe('the latest time', () => {
  it('is that of the newest entry, without those that have none', () => {
    const { marks, list } = watch();
    expect(marks.latest).toBe(Number.NEGATIVE_INFINITY);
    list('c b@9 a@1');
    expect(marks.latest).toBe(9000);
    list('c b@9 a@1');
    expect(marks.latest).toBe(9000);
  });

  it('is up to two seconds later than the clock of the service', () => {
    const { marks, list } = watch();
    list('c@1003 a@1');
    expect(marks.latest).toBe(1000);
    list('b@1000 a@1');
    expect(marks.latest).toBe(1_000_000);
    list('d@1002 a@1');
    expect(marks.latest).toBe(1_002_000);
    list('e@1002.001 a@1');
    expect(marks.latest).toBe(1_002_000);
  });
});

describe('the order of a list', () => {
  it('is by time before anything is listed, and where entries without time are in between', () => {
    const { marks, list } = watch();
    expect(marks.isSorted).toBe(true);
    list('c@3 b a@1');
    expect(marks.isSorted).toBe(true);
  });

  it('is that of all pages of the last listing', () => {
    const { marks, list, listBelow } = watch();
    list('c@3 b@4');
    expect(marks.isSorted).toBe(false);
    listBelow('a@2');
    expect(marks.isSorted).toBe(false);
    list('d@5 c@3');
    expect(marks.isSorted).toBe(true);
    listBelow('a@2');
    expect(marks.isSorted).toBe(true);
    listBelow('x@1 y@2');
    expect(marks.isSorted).toBe(false);
  });
});

describe('the search for late entries', () => {
  it('begins two minutes before the latest entry', () => {
    const { marks, list, begin } = watch();
    list('b@200 a@150');
    expect(marks.start).toBe(80_000);
    begin('b@200 a@150');
    list('c@300 b@200');
    expect(marks.start).toBe(180_000);
  });

  it('begins two minutes before the latest entry that an earlier run has printed', () => {
    const { marks, list } = watch('b@1 c@1');
    list('d@300 c@200 b@190 a@180');
    expect(marks.start).toBe(80_000);
  });

  it('names the span of the past in which an earlier run may have missed some, once', () => {
    const { list, begin } = watch('c@1');
    list('d@300 c@200 b@198 a@150 x@80 y@79');
    expect(begin('d@300 c@200 b@198 a@150 x@80 y@79')).toEqual([80, 198]);
    expect(begin('d@300 c@200 b@198 a@150 x@80 y@79')).toBeUndefined();
  });

  it.each([
    ['no earlier run was resumed', undefined, 'd@300 c@200'],
    ['the list is not sorted, as late entries are on top', 'c@1', 'd@200 c@300'],
  ])('names no span where %s', (_, printed, words) => {
    const { list, listBelow, begin } = watch(printed);
    list(words);
    listBelow('b@198 a@150');
    expect(begin(`${words} b@198 a@150`)).toBeUndefined();
  });

  it('names no span where nothing is listed below what was printed', () => {
    const { list, begin } = watch('c@1');
    list('d@300 c@200');
    expect(begin('d@300 c@200')).toBeUndefined();
  });
});

describe('the past', () => {
  it('begins below the last entry that has a time', () => {
    const { list, begin } = watch();
    list('b@5 a');
    begin('b@5 a');
    expect(list('y@7 x@4')).toEqual(['y']);
  });

  it('is all that stands below what was listed before, where a list is out of order', () => {
    const { list, begin } = watch();
    list('e@8 b@5');
    begin('e@8 b@5');
    expect(list('d@9 f@10 b@5 x@6')).toEqual(['f', 'd']);
    expect(list('g@11 e@8 y@6')).toEqual(['g']);
  });

  it('is what has no time below what was listed before', () => {
    const { list, begin } = watch();
    list('b@5');
    begin('b@5');
    expect(list('d c@6 b@5 a')).toEqual(['c', 'd']);
  });

  it('is what is listed on further pages the first time', () => {
    const { list, listBelow } = watch();
    list('c');
    expect(listBelow('b')).toEqual([]);
  });

  it.each([
    [
      'begins below the last known entry with an ID, as one without may be new',
      'a@3 #x@2',
      'b@4 a@3 z #x@2',
      'b',
    ],
    ['begins below the last known entry where none has an ID', '#b #a', '#c #b #y #a #z', '#y #c'],
  ])('%s', (_, first, second, found) => {
    const { list, begin } = watch();
    list(first);
    begin(first);
    expect(list(second).join(' ')).toBe(found);
  });

  it('begins below the entries that were forgotten, without those of the future', () => {
    const { list, begin, isAt } = watch();
    list('z@9000 n b@5');
    begin('z@9000 n b@5');
    isAt(1700);
    list('c@1690');
    expect(list('d@1700 a@4')).toEqual(['d']);
  });

  it('begins with an entry of this very moment that was forgotten', () => {
    const { list, begin, isAt } = watch();
    list('z@1700 b@5');
    begin('z@1700 b@5');
    isAt(1700);
    list('c@1701');
    expect(list('y@1700')).toEqual([]);
  });
});

describe('an entry that was listed', () => {
  it('is known for ten minutes after it was listed last', () => {
    const { list, reaches, isAt } = watch();
    list('b a');
    isAt(1600);
    list('b');
    expect([reaches('b'), reaches('a')]).toEqual([true, true]);
    isAt(1600.001);
    list('b');
    expect([reaches('b'), reaches('a')]).toEqual([true, false]);
  });

  it('is known from an earlier run although a first response lacks it', () => {
    const { list, reaches, isAt } = watch('c@1');
    isAt(1);
    list('x');
    expect(reaches('c')).toBe(true);
  });

  it('is forgotten earlier where there are more than may be kept', () => {
    const { listAll, list, reaches, isAt } = watch(undefined, 20);
    listAll(numbered(20));
    expect(reaches('n0')).toBe(true);
    isAt(1001);
    list('n1');
    expect(reaches('n0')).toBe(true);
    list('x');
    expect([reaches('n0'), reaches('n1'), reaches('n2'), reaches('x')]).toEqual([false, true, true, true]);
  });

  it('is known if one response lists more than may be kept', () => {
    const { listAll, reaches } = watch(undefined, 20);
    listAll(numbered(21));
    expect([reaches('n0'), reaches('n20')]).toEqual([true, true]);
  });
});

describe('a page', () => {
  it('reaches down to what was listed before by its last entry', () => {
    const { list, reaches } = watch();
    list('c b a');
    expect(reaches('d c')).toBe(true);
    expect(reaches('e d')).toBe(false);
    expect(reaches('')).toBe(false);
  });

  it.each([
    ['f@6 e@5 d@4', 'known'],
    ['d@4 z@3', 'known'],
    ['d@4 e@5', 'known'],
    ['e@5', 'new'],
    ['e@5 #x@2', 'new'],
    ['d@4 #x@2', 'unsure'],
    ['#x@2', 'unsure'],
    ['#y@3', 'new'],
  ])('%s ends with what is %s', (words, end) => {
    const { list, endOf } = watch();
    list('d@4 #x@2 a@1');
    expect(endOf(words)).toBe(end);
  });

  it.each([
    ['z@6 b@5', 'known'],
    ['b@5 z@4', 'unsure'],
  ])('%s of a list that is not sorted by time ends with what is %s', (words, end) => {
    const { list, endOf } = watch();
    list('a@1 b@5');
    expect(endOf(words)).toBe(end);
  });
});

describe('a walk that begins again', () => {
  const known = 'd@15 b@2';

  it.each([
    [['f@20 e@19'], 'd@15 b@2', ['f e']],
    [['f@20 b@2'], 'd@15', ['f b']],
    [['f@20 d@15'], 'd@15 b@2', []],
    [['d@15'], 'b@2', []],
    [['d@15', 'e@19', 'f@20'], 'f@20', ['e']],
    [[], 'd@15', []],
  ])(
    'misses what those before it found, if it shares nothing with them: %j, then %s',
    (earlier, words, missed) => {
      const { list, missed: missedBy } = watch();
      list(known);
      expect(missedBy(earlier, words)).toEqual(missed);
    },
  );

  it('finds what those before it found above what was known', () => {
    const { list, begin, listAfter } = watch();
    list(known);
    begin(known);
    expect(listAfter(['f@20 e@19'], known).found).toEqual(['e', 'f']);
  });

  it.each([
    ['spans the gaps of all', ['k@40 j@30'], 'f@20 e@10', [2, 30]],
    ['is that of one that was cut', ['k@40 d@15 j@10'], 'b@2', [2, 10]],
    ['is none where each ends with what was known', ['k@40 d@15'], 'b@2', undefined],
  ])('has a gap that %s', (_, earlier, words, gap) => {
    const { list, begin, listAfter } = watch();
    list(known);
    begin(known);
    expect(listAfter(earlier, words, WITHOUT_CURSORS).gap).toEqual(gap);
  });
});

describe('a gap', () => {
  it('begins with the newest entry that is gone and not newer than the end of the gap', () => {
    const first = 'm@20 k@15 n j@10';
    const gapOf = (second: string) => {
      const { list, begin, gap } = watch();
      list(first);
      begin(first);
      return gap(second);
    };
    expect(gapOf('p@30 m@20 x@15')).toEqual([15, 15]);
    expect(gapOf('p@30 m@20 x@14')).toEqual([10, 14]);
    expect(gapOf('p@30 k@15 x@15')).toEqual([10, 15]);
  });

  it('is where a list without cursors ends at a round number, from twenty entries on', () => {
    const isCut = (count: number) => {
      const { gap } = watch();
      const words = Array.from({ length: count }, (_, index) => `e${index}@${100 - index}`).join(' ');
      return gap(words, WITHOUT_CURSORS) !== undefined;
    };
    expect([9, 10, 19, 20, 21, 30].map(isCut)).toEqual([false, false, false, true, false, true]);
  });
});
