import { describe, expect, it } from 'vitest';
import { union, withKeys } from '../../../src/cli/tail/keys.ts';

type Entry = { readonly id: string | undefined; readonly text: string };

/** Entries by words, newest first; `#a` has no ID. */
function entries(words: string) {
  return words
    .split(' ')
    .filter(Boolean)
    .map((name) => ({ id: name.startsWith('#') ? undefined : name, text: name }));
}

const textsOf = (items: readonly { readonly text: string }[]) => items.map(({ text }) => text).join(' ');

/** What listings hold together, the first one first; those words were known before all of them. */
function together(listings: readonly string[], known = ''): string {
  const keys = new Set(withKeys(entries(known)).map(({ key }) => key));
  const all = listings
    .map((words): readonly Entry[] => entries(words))
    .reduce((before, items) => union(items, before, (key) => keys.has(key)));
  return textsOf(all);
}

describe('the keys of entries without ID', () => {
  const numbersOf = (words: string, above = '') =>
    withKeys(entries(words), entries(above)).map(({ key }) => key.split(' ')[1]);

  it('count the copies of a text from the oldest on', () => {
    expect(numbersOf('#x #y #x')).toEqual(['2', '1', '1']);
  });

  it('count those above, too', () => {
    expect(numbersOf('#x #y #x', '#x a #x')).toEqual(['4', '1', '3']);
  });
});

describe('listings of the same list', () => {
  it.each([
    ['d c', 'e d c b', 'e d c b'],
    ['d c', 'e d b', 'e d c b'],
    ['d c', 'f e', 'f e d c'],
    ['d c b', 'b a', 'd c b a'],
    ['d c', '', 'd c'],
    ['', 'd c', 'd c'],
    ['d c b', 'e b', 'e d c b'],
    ['d b', 'e d c b a', 'e d c b a'],
    ['c b', 'd c x b', 'd c x b'],
    ['d c b a', 'a b', 'd c a b'],
  ])(
    'have every entry once, each below the one that it stood below: %s and then %s',
    (first, second, all) => {
      expect(together([first, second])).toBe(all);
    },
  );

  it.each([
    ['f e', 'b a', 'f e b a'],
    ['f e', 'c b a', 'c f e b a'],
    ['f e', 'f b a', 'f e b a'],
    ['d c', 'f e b a', 'f e d c b a'],
  ])('have what is new above what was known before: %s and then %s', (first, second, all) => {
    expect(together([first, second], 'b a')).toBe(all);
  });

  it('keep copies of a text that has no ID apart', () => {
    expect(together(['#x #x #y', '#x b'])).toBe('#x #x #y b');
    expect(together(['#x #x', '#x #x #x'])).toBe('#x #x #x');
    expect(together(['#x #y', '#y b'])).toBe('#x #y b');
  });

  it('remember all listings before', () => {
    expect(together(['c b', 'e d', 'g f'])).toBe('g f e d c b');
  });
});
