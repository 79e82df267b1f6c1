import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRawPath, requireIntegers } from '../../../src/features/api/raw-path.ts';
import { propertyRuns } from '../../harness/property-runs.ts';

describe('parseRawPath', () => {
  it.each([
    ['/transactions?limit=5&a=b', { path: '/transactions', pairs: ['limit=5', 'a=b'] }],
    ['transactions', { path: '/transactions', pairs: [] }],
    ['/a/%7Bid%7D/b%20c', { path: '/a/%7Bid%7D/b%20c', pairs: [] }],
    ['/a/{id}/\u00FC?q="x"', { path: '/a/%7Bid%7D/%C3%BC', pairs: ['q=%22x%22'] }],
    ['/a?next=http://b/..//c', { path: '/a', pairs: ['next=http://b/..//c'] }],
    ['/a.b/...', { path: '/a.b/...', pairs: [] }],
    ['/', { path: '/', pairs: [] }],
  ])('reads %s', (text, path) => {
    expect(parseRawPath(text)).toEqual(path);
  });

  it.each([
    '',
    '//evil.example/a',
    'https://evil.example/a',
    'HTTP:evil.example',
    'javascript:alert(1)',
    '/\\evil.example/a',
    '\\\\evil.example/a',
    '/a\\..\\b',
    '/a/../b',
    '/a/./b',
    '..',
    '/..',
    '/a/%2e%2e/b',
    '/a/.%2E/b',
    '/a/%252e%252e/b',
    '/a/%25252e%25252e/b',
    '/a/..;/b',
    '/a/%2fb',
    '/a/%5cb',
    '/a/%252fb',
    '/a b',
    '/a\tb',
    '/a\u0000b',
    '/a%00b',
    '/a%0d%0aX-Evil:1',
    '/a\u2028b',
    '/a#b',
    '/a%zz',
    '/\uD800',
  ])('refuses %j', (text) => {
    expect(() => parseRawPath(text)).toThrow(expect.objectContaining({ code: 'bad_path' }));
  });

  it('gives nothing that a client would send to another host, or outside of the base URL', () => {
    const parts = fc.constantFrom(
      '/',
      '.',
      '..',
      '%2e',
      '%2F',
      '%25',
      '\\',
      '@',
      ':',
      '?',
      '#',
      'a',
      'evil.example',
      ';',
      '%5c',
      '\u3002',
      ' ',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(parts, { maxLength: 8 }).map((all) => all.join('')),
        ),
        (text) => {
          let read: ReturnType<typeof parseRawPath>;
          try {
            read = parseRawPath(text);
          } catch {
            return;
          }
          const url = new URL(`https://api.example/base${read.path}`);
          expect(url.origin).toBe('https://api.example');
          expect(url.pathname).toBe(`/base${read.path}`);
          expect(new URL(read.path, 'https://api.example').origin).toBe('https://api.example');
        },
      ),
      propertyRuns(2000),
    );
  });
});

describe('requireIntegers', () => {
  const pathValues = { x: { type: 'integer' }, y: { type: 'integer' } } as const;
  const check = (template: string, path: string) => () =>
    requireIntegers({ path, pairs: [] }, { path: template, query: {}, pathValues });

  it.each([
    ['/tiles/{x}', '/tiles/5.00', 'x', '5.00'],
    ['/tiles/{x}:void', '/tiles/5.00:void', 'x', '5.00'],
    ['/tiles/{x}:void', '/tiles/1e2%3Avoid', 'x', '1e2'],
    ['/tiles/{x},{y}.png', '/tiles/1,2.0.png', 'y', '2.0'],
  ])('refuses in %s the path %s', (template, path, name, text) => {
    const message = `"${name}" must be an integer in digits only, not "${text}"`;
    expect(check(template, path)).toThrow(expect.objectContaining({ code: 'bad_path', message }));
  });

  it.each([
    ['/tiles/{x}:void', '/tiles/5:void'],
    ['/tiles/{x},{y}.png', '/tiles/1,2.png'],
    ['/files/{name}', '/files/5.00'],
  ])('allows in %s the path %s', (template, path) => {
    expect(check(template, path)).not.toThrow();
  });
});
