import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillPath, queryString } from '../../src/client/send.ts';
import { UsageError } from '../../src/errors.ts';

describe('fillPath', () => {
  it('percent-encodes what could end the segment', () => {
    expect(fillPath('/buyers/{buyer_id}/shipping-details', { buyer_id: 'a/b?c#d e%2f' })).toBe(
      '/buyers/a%2Fb%3Fc%23d%20e%252f/shipping-details',
    );
  });

  it.each(['', '.', '..', '\ud800'])('refuses %j', (value) => {
    expect(() => fillPath('/buyers/{buyer_id}', { buyer_id: value })).toThrow(UsageError);
  });

  it('refuses a missing value', () => {
    expect(() => fillPath('/buyers/{buyer_id}')).toThrow('buyer_id cannot be ""');
  });

  it('addresses the same resource after a URL parser has normalised it, whatever the value', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (value) => {
        fc.pre(value !== '.' && value !== '..' && value.isWellFormed());
        const path = fillPath('/buyers/{id}/x', { id: value });
        const url = new URL(path, 'https://api.example.com');
        const [, , segment, last] = url.pathname.split('/');
        expect([decodeURIComponent(segment ?? ''), last]).toEqual([value, 'x']);
      }),
    );
  });
});

describe('queryString', () => {
  it('keeps the order and leaves out what is not set', () => {
    expect(queryString({ search: 'a b&c', cursor: undefined, limit: 5, flag: false, none: null })).toBe(
      '?search=a%20b%26c&limit=5&flag=false',
    );
  });

  it('is empty when nothing is set', () => {
    expect(queryString({ cursor: undefined })).toBe('');
  });

  it('is read back as it was given', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ minLength: 1 }), fc.string({ unit: 'grapheme' })), (query) => {
        fc.pre(Object.keys(query).every((key) => key.isWellFormed()));
        expect([...new URLSearchParams(queryString(query))]).toEqual(Object.entries(query));
      }),
    );
  });
});

describe('a path with lists', () => {
  it('has the values of a list between commas, each encoded', () => {
    expect(fillPath('/things/{ids}/x', { ids: ['a/b', 'c,d'] })).toBe('/things/a%2Fb,c%2Cd/x');
  });

  it.each([{ ids: [] }, { ids: ['a', ''] }, { ids: ['..'] }])('is refused for %j', (values) => {
    expect(() => fillPath('/things/{ids}', values)).toThrow(UsageError);
  });

  it('says how a value should look', () => {
    try {
      fillPath('/things/{id}', { id: '..' });
    } catch (error) {
      expect(error).toMatchObject({
        code: 'bad_path_value',
        message: 'id cannot be ".."',
        hint: 'Use the id as the service shows it, for example 8b1f5c0e-6c1d-4b52-9a53-2f1f0d9c8f11.',
      });
      return;
    }
    throw new Error('it was not refused');
  });
});

const PAIRS = '?meta%5Bk%5D=v&meta%5Ba%20b%5D=c%3Dd%26e&meta%5Bflag%5D=&meta%5B%5D=x&meta%5Bl%5D=1%0A2';

describe('the parameters of a query', () => {
  it.each([
    [{ a: ['x', 'y z'] }, { a: { separator: '|' } }, '?a=x%7Cy%20z'],
    [{ a: 'x' }, { a: { separator: '|' } }, '?a=x'],
    [{ a: [], b: 1 }, { a: { separator: ' ' } }, '?b=1'],
    [{ meta: ['k=v', 'a b=c=d&e', 'flag', '=x', 'l=1\n2'] }, { meta: { pairs: true } }, PAIRS],
    [{ a: 1, meta: 'k=v', b: 2 }, { meta: { pairs: true } }, '?a=1&meta%5Bk%5D=v&b=2'],
    [{ meta: [], b: 2 }, { meta: { pairs: true } }, '?b=2'],
  ] as const)('are written as their description says: %j with %j', (query, parameters, text) => {
    expect(queryString(query, parameters)).toBe(text);
  });

  it('have nothing from the prototype of their descriptions', () => {
    const parameters = Object.create({ a: { separator: '|' } }) as Parameters<typeof queryString>[1];
    expect(queryString({ a: ['x', 'y'] }, parameters)).toBe('?a=x&a=y');
  });
});
