import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/errors.ts';
import { parseHeaders } from '../../../src/features/webhooks/header-file.ts';
import { thrownBy } from '../../config/config-directory.ts';
import { anyText } from '../../harness/any-text.ts';
import { propertyRuns } from '../../harness/property-runs.ts';

const NAME = fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,12}$/);
const VALUE = fc.stringMatching(/^[!-~]([ -~]{0,20}[!-~])?$/);
const HEADERS = fc.uniqueArray(fc.tuple(NAME, VALUE), {
  minLength: 1,
  selector: ([name]) => name.toLowerCase(),
});

/** The ways in which tools write headers. */
const WRITTEN: Readonly<Record<string, (lines: readonly string[]) => string>> = {
  lines: (lines) => lines.join('\n'),
  'curl -D': (lines) => `HTTP/1.1 301 Moved\r\n\r\nHTTP/2 200 \r\n${lines.join('\r\n')}\r\n\r\n`,
  'curl -i': (lines) => `HTTP/1.1 200 OK\r\n${lines.join('\r\n')}\r\n\r\n{"a":1}\nnot: a header?\n`,
  request: (lines) => `POST /hooks?a=b HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n<html>`,
  'curl -v': (lines) =>
    `* Connected to localhost\n> POST / HTTP/1.1\n${lines.map((line) => `> ${line}\r\n`).join('')}> \n{ [5 bytes data]\n* done\n< HTTP/1.1 204 No Content\n< \nbody: no header\n`,
};

describe('parseHeaders', () => {
  it.each(Object.keys(WRITTEN))('reads what it is given as %s', (style) => {
    fc.assert(
      fc.property(HEADERS, (pairs) => {
        const text = WRITTEN[style]?.(pairs.map(([name, value]) => `${name}: ${value}`)) ?? '';
        const expected = Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), value]));
        expect(parseHeaders(text, 'h')).toEqual(expected);
      }),
      propertyRuns(2000),
    );
  });

  it('reads JSON, with the headers as a member or alone', () => {
    expect(parseHeaders('{"headers":{"X-A":"1","b":["2","3"],"n":4}}', 'h')).toEqual({
      'x-a': '1',
      b: '2, 3',
    });
    expect(parseHeaders(' {"X-A":"1"}', 'h')).toEqual({ 'x-a': '1' });
  });

  it('joins the values of a header that is there twice', () => {
    expect(parseHeaders('A: 1\nb:\na:2', 'h')).toEqual({ a: '1, 2', b: '' });
  });

  it.each([
    ['A: 1\n folded', 'Line 2 of h continues a header'],
    ['A: 1\nsecret', 'Line 2 of h is not a header'],
    ['A: 1\nb c: 2', 'Line 2 of h is not a header'],
    ['', 'h contains no headers'],
    ['{"a":', 'h is neither a list of headers nor valid JSON'],
    ['{"a":1}', 'h contains no headers'],
  ])('refuses %j', (text, message) => {
    expect(thrownBy(() => parseHeaders(text, 'h'))).toMatchObject({ code: 'invalid_headers', message });
  });

  it('gives headers or one error for any text, and the error shows nothing of it', () => {
    const line = fc.oneof(
      anyText(),
      fc.constantFrom('> ', '< a: b', '* x', '', ' ', 'HTTP/1.1 200', 'a: b', '__proto__: x'),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), fc.constantFrom('\n', '\r\n'), (lines, end) => {
        try {
          for (const value of Object.values(parseHeaders(lines.join(end), 'h'))) {
            expect(value).toBeTypeOf('string');
          }
        } catch (error) {
          expect(error).toBeInstanceOf(UsageError);
          expect((error as UsageError).message).toMatch(/^(Line \d+ of h (is not|continues) a header|h .*)$/);
        }
      }),
      propertyRuns(5000),
    );
  });
});
