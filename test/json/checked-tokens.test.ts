import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CheckedTokens } from '../../src/json/checked-tokens.ts';
import { growthOf, LINEAR } from '../harness/growth.ts';
import { propertyRuns } from '../harness/property-runs.ts';

/** Where the token at an index ends, and whether all so far was JSON. */
function passed(text: string, index = 0) {
  const tokens = new CheckedTokens(text);
  const end = tokens.endOfScalar(index);
  return { end, isJson: tokens.isJson };
}

const isJson = (text: string) => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('a string', () => {
  it.each([
    ['""', 2],
    ['"a"', 3],
    ['"a" ,"b"', 3],
    ['"\\""', 4],
    ['"\\\\"x"', 4],
    ['"a\\u00e9\\"b","c"', 12],
    ['"\\b\\f\\n\\r\\t\\/\\uABcd"', 20],
  ])('ends after its closing quote: %s', (text, end) => {
    expect(passed(text)).toEqual({ end, isJson: true });
  });

  it.each([
    ['a control character', '"a\tb" ', 5],
    ['a control character at its end', '"a\u001f" ', 4],
    ['NUL', '"\0" ', 3],
    ['an escape that JSON does not have', '"a\\x" ', 5],
    ['an escape of too few digits', '"\\u12G4" ', 8],
    ['an escape that is cut off by its end', '"\\u12" ', 6],
    ['several of these', '"\\x\n\\y\\"\t" ', 10],
  ])('that is no JSON ends there as well: %s', (_, text, end) => {
    expect(passed(text)).toEqual({ end, isJson: false });
  });

  it.each(['"', '"abc', '"abc\\"', '"a\n', '"\\', '"\\u00'])(
    'that does not end goes to the end of the text: %j',
    (text) => {
      expect(passed(text)).toEqual({ end: text.length, isJson: false });
    },
  );

  it('is judged by itself: what comes before it and after it does not matter', () => {
    const text = '\n\\"a"\t"b\\"c"\n"d"\\ "e\\"f" "\\x"';
    const tokens = new CheckedTokens(text);
    const read = (index: number) => text.slice(index, tokens.endOfString(index));
    expect([2, 6, 13, 18, 25].map((index) => [read(index), tokens.isJson])).toEqual([
      ['"a"', true],
      ['"b\\"c"', true],
      ['"d"', true],
      ['"e\\"f"', true],
      ['"\\x"', false],
    ]);
  });

  it('may be read without those before it', () => {
    const text = '"a\\"b" "c\\x" "d"';
    const tokens = new CheckedTokens(text);
    expect([tokens.endOfString(13), tokens.isJson]).toEqual([16, true]);
  });
});

describe('a number or a word', () => {
  it.each(['0', '-0', '7', '120', '-1.50', '1e5', '1E-05', '0.1e+10', 'null', 'true', 'false'])(
    'ends with the text, and before white space, a comma and the end of its container: %s',
    (token) => {
      expect(passed(token)).toEqual({ end: token.length, isJson: true });
      for (const after of ' \n\r\t,]}') {
        expect(passed(`[${token}${after}1`, 1)).toEqual({ end: token.length + 1, isJson: true });
      }
    },
  );

  it.each([
    ...['01', '-', '1.', '.5', '+1', '1e', '1e+', '--1', '0x1', '1a', 'NaN'],
    ...['nul', 'nulL', 'nullx', 'True', 'truex', 'tru', 'trux', 'falsy', 'falsex', 'fals', 'x'],
  ])('is no JSON, and ends where its place ends: %s', (token) => {
    expect(passed(token)).toEqual({ end: token.length, isJson: false });
    expect(passed(`[${token},1]`, 1)).toEqual({ end: token.length + 1, isJson: false });
  });

  it.each([',', ']', '}', ' ', ':'])('is never empty, also where there is none: %j', (text) => {
    const { end, isJson: isValid } = passed(text);
    expect([end, isValid]).toEqual([1, false]);
  });

  it.each(['1"a"', 'null[', 'true{', '1:2', '1\u00a0'])('does not end before anything else: %j', (text) => {
    expect(passed(text).isJson).toBe(false);
  });
});

it('stays no JSON after the first error', () => {
  const tokens = new CheckedTokens('x,1');
  tokens.endOfScalar(0);
  tokens.endOfScalar(2);
  expect(tokens.isJson).toBe(false);
});

it('takes for JSON exactly what JSON.parse takes, whatever the token', () => {
  const pieces = fc.constantFrom(
    '"',
    '\\',
    'u',
    '0',
    '1',
    'e',
    '.',
    '-',
    'n',
    'null',
    '\n',
    ' ',
    'x',
    '00e9',
  );
  const text = fc.array(pieces, { minLength: 1, maxLength: 8 }).map((all) => all.join(''));
  fc.assert(
    fc.property(
      fc.oneof(
        text,
        fc.json(),
        text.map((inner) => `"${inner}"`),
      ),
      (token) => {
        fc.pre(!/^[\s[{]/.test(token));
        const { end, isJson: isValid } = passed(token);
        expect(end).toBeGreaterThan(0);
        expect(isValid).toBe(isJson(token.slice(0, end)));
        if (isValid) expect(token.slice(end)).toMatch(token.startsWith('"') ? /^/ : /^(?:$|[\s,\]}])/);
      },
    ),
    propertyRuns(2000),
  );
});

it.each([
  ['escapes in one string', (size: number) => `"${'\\n'.repeat(size)}"`],
  ['strings without an escape before one with', (size: number) => `${'"a"'.repeat(size)}"\\n"`],
])('takes time that grows with the text alone: %s', { tags: 'slow' }, async (_, textOf) => {
  const texts = new Map([20_000, 160_000].map((size) => [size, textOf(size)]));
  const passAll = (size: number) => {
    const text = texts.get(size) ?? '';
    const tokens = new CheckedTokens(text);
    for (let at = 0; at < text.length; ) at = tokens.endOfScalar(at);
    expect(tokens.isJson).toBe(true);
  };
  expect(await growthOf(passAll, 20_000)).toBeLessThan(LINEAR);
});
