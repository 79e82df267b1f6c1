import { describe, expect, it } from 'vitest';
import { Walk } from '../../../src/cli/tail/walk.ts';
import { MOST_EMPTY } from '../../../src/client/paging/iterate-pages.ts';

/** A page by words, newest first: `a@7` is stamped in second 7, `#a` has no ID. */
function page(words: string, nextCursor?: string) {
  const items = words
    .split(' ')
    .filter(Boolean)
    .map((word) => {
      const [name = '', second] = word.split('@');
      const id = name.startsWith('#') ? undefined : name;
      return { id, time: second === undefined ? undefined : Number(second), item: {}, text: name };
    });
  return { items, nextCursor, at: 0 };
}

function walkOf(...pages: readonly string[]): Walk {
  const walk = new Walk();
  for (const [index, words] of pages.entries()) walk.add(page(words, `cursor ${index}`));
  return walk;
}

const textsOf = (items: Walk['items']) => items.map(({ text }) => text).join(' ');

describe('a walk', () => {
  it('counts its entries and knows the last time, the next cursor and all pages', () => {
    const walk = new Walk();
    expect(walk.end).toBe('new');
    expect([walk.size, walk.oldest, walk.cursor, walk.loop]).toEqual([
      0,
      Number.NEGATIVE_INFINITY,
      undefined,
      undefined,
    ]);
    walk.add(page('c@9 b@8', 'next'));
    expect([walk.size, walk.oldest, walk.cursor]).toEqual([2, 8, 'next']);
    walk.add(page('a@3 x', 'last'));
    expect([walk.size, walk.oldest, walk.cursor]).toEqual([4, 3, 'last']);
    walk.add(page('y'));
    expect([walk.size, walk.oldest, walk.cursor]).toEqual([5, 3, undefined]);
    expect(walk.pages.map(({ items }) => textsOf(items))).toEqual(['c b', 'a x', 'y']);
    expect(textsOf(walk.items)).toBe('c b a x y');
    expect(textsOf(walk.itemsAbove)).toBe('c b a x');
    expect(walk.loop).toBeUndefined();
  });

  it('may reach entries that are older than its last, as long as there is a cursor', () => {
    const walk = new Walk();
    expect(walk.mayReach(0)).toBe(false);
    walk.add(page('', 'empty'));
    expect(walk.mayReach(0)).toBe(true);
    walk.add(page('b@8', 'next'));
    expect([7, 8, 9].map((time) => walk.mayReach(time))).toEqual([true, false, false]);
    walk.add(page('a@7'));
    expect(walk.mayReach(0)).toBe(false);
  });

  it('is a loop where a cursor comes twice', () => {
    const walk = walkOf('c', 'b', 'a');
    expect(walk.loop).toBeUndefined();
    walk.add(page('z', 'cursor 1'));
    expect(walk.loop?.message).toBe(
      'The service returned the same cursor twice, so the list would never end',
    );
    expect(walk.again().loop).toBeUndefined();
  });

  it('is a loop after many empty pages in a row', () => {
    const walk = new Walk();
    const addEmpty = (count: number, name: string) => {
      for (let number = 0; number < count; number += 1) walk.add(page('', `${name} ${number}`));
    };
    addEmpty(MOST_EMPTY - 1, 'first');
    walk.add(page('a', 'full'));
    addEmpty(MOST_EMPTY - 1, 'second');
    expect(walk.loop).toBeUndefined();
    walk.add(page('', 'third'));
    expect(walk.loop?.message).toBe(
      `The service returned ${MOST_EMPTY} empty pages in a row, so the list would never end`,
    );
  });

  it('is complete with an empty last page, however many came before', () => {
    const walk = new Walk();
    for (let number = 1; number < MOST_EMPTY; number += 1) walk.add(page('', `cursor ${number}`));
    walk.add(page(''));
    expect(walk.loop).toBeUndefined();
  });
});

describe('a page', () => {
  it('leaves out what stands above entries of the page before', () => {
    expect(textsOf(walkOf('d c', 'n d c b').items)).toBe('d c d c b');
    expect(textsOf(walkOf('d c', 'n m c b').items)).toBe('d c c b');
  });

  it('is whole where it has no entry of the page before, or begins with one', () => {
    expect(textsOf(walkOf('d c', 'b a').items)).toBe('d c b a');
    expect(textsOf(walkOf('d c', 'c b').items)).toBe('d c c b');
    expect(textsOf(walkOf('d c', 'b', 'a d').items)).toBe('d c b a d');
  });

  it('is whole where the entries that come again have no ID', () => {
    expect(textsOf(walkOf('d #c', 'b #c a').items)).toBe('d #c b #c a');
  });
});

describe('a walk that begins again', () => {
  it('is at the top, has read, and remembers what those before it have listed, the first one first', () => {
    const walk = walkOf('d c').again();
    expect([walk.cursor, walk.hasRead, textsOf(walk.items)]).toEqual([undefined, true, '']);
    walk.add(page('f e'));
    expect(walk.again().earlier.map(textsOf)).toEqual(['d c', 'f e']);
  });

  it('was sent when the first page was, as long as it has none of its own', () => {
    const first = new Walk();
    first.add({ ...page('b', 'next'), at: 7 });
    first.add({ ...page('a'), at: 8 });
    const second = first.again();
    expect([first.at, second.at, second.again().at]).toEqual([7, 7, 7]);
    second.add({ ...page('c'), at: 9 });
    expect(second.at).toBe(9);
  });

  it('has not read where those before it have not', () => {
    expect(new Walk().again().hasRead).toBe(false);
  });
});
