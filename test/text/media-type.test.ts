import { describe, expect, it } from 'vitest';
import { bareType, isInRange, isJsonType, mediaTypeOf, typesIn } from '../../src/text/media-type.ts';

describe('media types', () => {
  it('are in lower case and without parameters', () => {
    expect(bareType(' Text/CSV ; charset=utf-8; header=present')).toBe('text/csv');
    expect(bareType('image/png')).toBe('image/png');
  });

  it('are read from a header, of several the first', () => {
    expect(mediaTypeOf('Application/JSON; charset=utf-8')).toBe('application/json');
    expect(mediaTypeOf('text/html, application/json')).toBe('text/html');
    expect(mediaTypeOf(undefined)).toBe('');
  });

  it('are read from a list, without what no header can have', () => {
    expect(typesIn('image/PNG;q=1, image/*,application/vnd.x+json')).toEqual([
      'image/png',
      'image/*',
      'application/vnd.x+json',
    ]);
    expect(typesIn('image, text/pl ain, text/x\r\nx-a: b, ,')).toEqual([]);
    expect(typesIn(undefined)).toEqual([]);
  });

  it.each([
    ['image/png', 'image/png', true],
    ['image/png', 'image/*', true],
    ['image/png', '*/*', true],
    ['image/png', 'image/jpeg', false],
    ['imagery/png', 'image/*', false],
  ])('%s is in %s: %s', (type, range, isIn) => {
    expect(isInRange(type, range)).toBe(isIn);
  });

  it.each([
    ['application/json', true],
    ['text/json', true],
    ['application/problem+json', true],
    ['application/json-seq', false],
    ['application/jsonl', false],
  ])('%s is JSON: %s', (type, isJson) => {
    expect(isJsonType(type)).toBe(isJson);
  });
});
