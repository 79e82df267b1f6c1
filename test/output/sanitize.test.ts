import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  escapeJsonText,
  isCleanJsonText,
  sanitizeLines,
  sanitizeMultiline,
  sanitizeText,
} from '../../src/output/sanitize.ts';
import { anyText } from '../harness/any-text.ts';
import { propertyRuns } from '../harness/property-runs.ts';

const forbidden =
  /[\p{Cc}\p{Cs}\u2028\u2029\p{Bidi_Control}\u200B\u2060-\u2064\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/u;

const hostileCharacters = fc.constantFrom(
  ...[
    '\u001B',
    '\u009B',
    '\u007F',
    '\u0000',
    '\t',
    '\n',
    '\r',
    '\u0085',
    '\u2028',
    '\u2029',
    '\u202E',
    '\u2066',
  ],
  ...[
    '\u200B',
    '\u200C',
    '\u200D',
    '\u061C',
    '\uFEFF',
    '\uFFF9',
    '\uD83D',
    '\uDE00',
    '\u{E0041}',
    '\uFE0F',
    '\u0301',
    '\u034F',
  ],
  ...['[31m', ']8;;http://x\u0007', 'é', '山', '👩', 'ی', 'a', '"', '\\', '<', '>'],
);
const hostileText = fc.array(fc.oneof(hostileCharacters, anyText())).map((parts) => parts.join(''));

describe('sanitizeText', () => {
  it.each([
    ['\u001B[31mred\u001B[0m', '␛[31mred␛[0m'],
    ['a\tb\nc\rd\u0000', 'a␉b␊c␍d␀'],
    ['\u007F', '␡'],
    ['\u009B31m', '<U+009B>31m'],
    ['\u202Egpj.exe', '<U+202E>gpj.exe'],
    ['a\u2066b\u2069', 'a<U+2066>b<U+2069>'],
    ['line\u2028separator\u2029', 'line<U+2028>separator<U+2029>'],
    ['zero\u200Bwidth\uFEFF', 'zero<U+200B>width<U+FEFF>'],
    ['tag\u{E0041}', 'tag<U+E0041>'],
    ['lone \uD83D surrogate \uDE00', 'lone <U+D83D> surrogate <U+DE00>'],
    ['soft\u00ADhyphen', 'soft<U+00AD>hyphen'],
    ['filler\u3164', 'filler<U+3164>'],
    ['a\uFFF9b\uFFFAc\uFFFBd', 'a<U+FFF9>b<U+FFFA>c<U+FFFB>d'],
    ['ad\u200Dmin', 'ad<U+200D>min'],
  ])('shows %j as %j', (text, shown) => {
    expect(sanitizeText(text)).toBe(shown);
  });

  it.each(['Ada', 'José Núñez', '山田太郎', '👩‍👩‍👧', '❤️‍🔥', '👍🏽', '1️⃣', 'می‌خواهم', 'क्‍ष', 'שלום', ''])(
    'leaves %j alone',
    (text) => {
      expect(sanitizeText(text)).toBe(text);
    },
  );

  it('replaces every forbidden code point of Unicode', { tags: 'slow' }, () => {
    for (let code = 0; code <= 0x10ffff; code++) {
      const char = String.fromCodePoint(code);
      if (forbidden.test(char)) expect(sanitizeText(char), `U+${code.toString(16)}`).not.toBe(char);
    }
  });

  it('finds every hidden code point by its quick test too', { tags: 'slow' }, () => {
    const slow = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\uFFF9-\uFFFB[\p{DI}--[\u200C\u200D]--\p{VS}]]/v;
    for (let code = 0x7f; code <= 0x10ffff; code++) {
      const char = String.fromCodePoint(code);
      if (slow.test(char)) expect(isCleanJsonText(`é${char}`), `U+${code.toString(16)}`).toBe(false);
    }
  });

  it('never lets a forbidden code point through and changes nothing the second time', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const shown = sanitizeText(text);
        expect(shown).not.toMatch(forbidden);
        expect(sanitizeText(shown)).toBe(shown);
      }),
      propertyRuns(2_000),
    );
  });

  it('gives each replaced character a place of its own', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect([...sanitizeText(text).replace(/<U\+[0-9A-F]{4,6}>/g, '?')].length).toBe(
          [...text.replace(/<U\+[0-9A-F]{4,6}>/g, '?')].length,
        );
      }),
    );
  });
});

describe('sanitizeMultiline', () => {
  it('keeps tabs and line ends, and replaces the rest', () => {
    expect(sanitizeMultiline('a\tb\r\nc\u001Bd\u202E')).toBe('a\tb\r\nc␛d<U+202E>');
  });
});

describe('sanitizeLines', () => {
  it('keeps tabs and line feeds, and replaces the rest, carriage returns too', () => {
    expect(sanitizeLines('a\tb\r\nc\u001Bd\u202E')).toBe('a\tb␍\nc␛d<U+202E>');
  });
});

describe('escapeJsonText', () => {
  it('escapes what is hidden and leaves the layout alone', () => {
    expect(escapeJsonText('{\r\n\t"a": "\u202E\u009B\u{E0041}é"\n}')).toBe(
      '{\r\n\t"a": "\\u202e\\u009b\\udb40\\udc41é"\n}',
    );
  });

  it('returns clean text as it is, DEL being the one ASCII character to look for', () => {
    expect(escapeJsonText('{"a":"b"}')).toBe('{"a":"b"}');
    expect(escapeJsonText('"\u007F"')).toBe('"\\u007f"');
  });

  it('never changes the value, and never leaves a forbidden code point', () => {
    const value = fc.oneof(fc.jsonValue(), hostileText, fc.dictionary(hostileText, hostileText));
    fc.assert(
      fc.property(value, (input) => {
        const json = JSON.stringify(input);
        const escaped = escapeJsonText(json);
        expect(JSON.parse(escaped)).toEqual(JSON.parse(json));
        expect(escaped).not.toMatch(forbidden);
      }),
      propertyRuns(1_000),
    );
  });
});
