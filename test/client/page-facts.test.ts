import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPageFacts } from '../../src/client/paging/page-facts.ts';

const members = {
  next: [['next'], ['_links', 'next', 'href'], ['links'], ['@odata.nextLink']],
  nextNumber: [['next_page'], ['nextOffset']],
  hasMore: ['has_more'],
  total: ['meta', 'total'],
};
const facts = (page: unknown) => readPageFacts(JSON.stringify(page), { items: 'data', members });

describe('what a page says of the next one', () => {
  it.each([
    [{ next: 'https://x/?page=2' }, { address: 'https://x/?page=2' }],
    [{ next: { href: '/a' } }, { address: '/a' }],
    [{ _links: { next: { href: '/a' } } }, { address: '/a' }],
    [
      {
        links: [
          { rel: 'self', href: '/s' },
          { rel: 'Next', href: '/a' },
        ],
      },
      { address: '/a' },
    ],
    [{ '@odata.nextLink': '/a' }, { address: '/a' }],
    [{ next_page: 3 }, { number: 3, counts: 'pages' }],
    [{ next_page: '3' }, { number: 3, counts: 'pages' }],
    [
      { next: null, next_page: 3 },
      { number: 3, counts: 'pages' },
    ],
    [{ nextOffset: 3 }, { number: 3, counts: 'items' }],
    [{ next: 3 }, { number: 3 }],
    [{ next: null }, null],
    [{ next: '' }, null],
    [{ next_page: null }, null],
    [{ links: [{ rel: 'self', href: '/s' }] }, undefined],
    [{ links: [{ rel: 'next' }] }, undefined],
    [{ links: [null, 1, { rel: ['next'], href: '/a' }] }, undefined],
    [{ next: { url: '/a' } }, undefined],
    [{ next: true }, undefined],
    [{ next_page: -1 }, undefined],
    [{ next_page: 1.5 }, undefined],
    [{}, undefined],
  ])('%j', (page, next) => {
    expect(facts({ data: [], ...page }).next).toEqual(next);
  });

  it('is nothing where it is of another type', () => {
    expect(facts({ data: [], has_more: 'yes', meta: [{ total: 3 }] })).toMatchObject({
      more: undefined,
      total: undefined,
      keys: [],
    });
  });

  it('knows items by their ids, where each has one of its own', () => {
    expect(facts({ data: [{ id: 1, n: 2 }, { id: 'a' }] })).toMatchObject({
      keys: ['1', '"a"'],
      lastId: 'a',
    });
    expect(
      facts({
        data: [
          { id: 1, n: 1 },
          { id: 1, n: 2 },
        ],
      }).keys,
    ).toEqual(['{"id":1,"n":1}', '{"id":1,"n":2}']);
    expect(facts({ data: [{ id: 1 }, 2] })).toMatchObject({ keys: ['{"id":1}', '2'], lastId: undefined });
  });

  it.each(['9007199254740993', '123456789012345678901234567890'])('keeps every digit of the ID %s', (id) => {
    expect(readPageFacts(`{"data":[{"id":${id}}]}`, { items: 'data' }).lastId).toBe(id);
  });

  it('never fails', () => {
    fc.assert(
      fc.property(fc.json(), fc.json(), (items, value) => {
        const text = `{"data":${items},"next":${value},"links":${value},"has_more":${value},"meta":${value}}`;
        expect(typeof readPageFacts(text, { items: 'data', members }).isTotalSure).toBe('boolean');
      }),
    );
  });
});
