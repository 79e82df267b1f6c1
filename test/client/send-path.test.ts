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
