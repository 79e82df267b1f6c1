import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findJsonError, JsonInputError, parseJsonInput } from '../../src/json/input.ts';
import { thrownBy } from '../config/config-directory.ts';
import { propertyRuns } from '../harness/property-runs.ts';

/** Numbers as people write them, few of which JavaScript writes in the same way. */
const numberText = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(fc.constant('0'), fc.stringMatching(/^[1-9][0-9]{0,30}$/)),
    fc.oneof(fc.constant(''), fc.stringMatching(/^\.[0-9]{1,30}$/)),
    fc.oneof(fc.constant(''), fc.stringMatching(/^[eE][+-]?[0-9]{1,4}$/)),
  )
  .map((parts) => parts.join(''));

describe('parseJsonInput', () => {
  it('gives what is written again digit for digit', () => {
    const jsonText = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        numberText,
        fc.string().map((text) => JSON.stringify(text)),
        fc.array(tie('value')).map((items) => `[${items.join(',')}]`),
        fc
          .array(tie('value'))
          .map((items) => `{${items.map((item, index) => `"m${index}":${item}`).join(',')}}`),
      ),
    })).value;
    fc.assert(
      fc.property(jsonText, (text) => {
        expect(JSON.stringify(parseJsonInput(text))).toBe(text);
      }),
      propertyRuns(1_000),
    );
  });

  it('refuses two members of one name, and says which', () => {
    const error = thrownBy(() => parseJsonInput('{"lines":[{"a/b":1,"n":2,"a/b":1}]}'));
    expect(error).toBeInstanceOf(JsonInputError);
    expect(error).toMatchObject({ message: 'has the field /lines/0/a~1b more than once' });
  });

  it.each([
    ['', 'expected a value at line 1, column 1, but the text ends'],
    ['{"a":1,}', 'expected a name in double quotes at line 1, column 8'],
    ["{'a':1}", 'expected a name in double quotes or "}" at line 1, column 2'],
    ['{"a" 1}', 'expected ":" at line 1, column 6'],
    ['{"a":1\n "b":2}', 'expected "," or "}" at line 2, column 2'],
    ['[1 2]', 'expected "," or "]" at line 1, column 4'],
    ['[,1]', 'expected a value or "]" at line 1, column 2'],
    ['[1,', 'expected a value at line 1, column 4, but the text ends'],
    ['[1}', 'expected "," or "]" at line 1, column 3'],
    ['{"a":01}', 'expected "," or "}" at line 1, column 7'],
    ['{"a":NaN}', 'expected a value at line 1, column 6'],
    ['{} x', 'expected the end at line 1, column 4'],
    ['{"a":"\u{1f600}\t"}', 'expected an escape such as \\n for the control character at line 1, column 8'],
    ['"\\x"', 'expected a valid escape at line 1, column 2'],
    ['{"a', 'expected a closing quotation mark at line 1, column 4, but the text ends'],
  ])('says where %j is wrong', (text, place) => {
    const error = thrownBy(() => parseJsonInput(text));
    expect(error).toBeInstanceOf(JsonInputError);
    expect(String(error)).toBe(`Error: is not JSON: ${place}`);
  });

  it.each([101, 20_000, 1_000_000])('refuses JSON of %i levels', (levels) => {
    const text = `${'['.repeat(levels)}${']'.repeat(levels)}`;
    expect(String(thrownBy(() => parseJsonInput(text)))).toBe('Error: is nested more than 100 levels deep');
  });

  it('takes JSON of 100 levels', () => {
    const text = `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`;
    expect(JSON.stringify(parseJsonInput(text))).toBe(text);
  });
});

describe('findJsonError', () => {
  it('finds an error exactly where JSON.parse does', () => {
    const pieces = fc.array(
      fc.constantFrom(...'{}[]:,"\\ \n0-1.eE+'.split(''), 'true', 'null', '"a"', '\\u00e9', '\t'),
    );
    const broken = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom('', ...'{}[]:,"\\ x0'))
      .map(([text, at, piece]) => {
        const index = at % (text.length + 1);
        return text.slice(0, index) + piece + text.slice(index + 1);
      });
    fc.assert(
      fc.property(
        fc.oneof(
          pieces.map((parts) => parts.join('')),
          broken,
          fc.string(),
        ),
        (text) => {
          let isJson = true;
          try {
            JSON.parse(text);
          } catch {
            isJson = false;
          }
          expect(findJsonError(text) === undefined).toBe(isJson);
        },
      ),
      propertyRuns(5_000),
    );
  });
});
