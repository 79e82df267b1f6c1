import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundData, boundText } from '../../src/output/bound.ts';
import { anyText } from '../harness/any-text.ts';

const asItIs = (text: string) => text;
const bound = <T extends object>(data: T) => boundData(data, { redact: asItIs });

describe('boundText', () => {
  it.each([
    ['', ''],
    ['a'.repeat(2200), 'a'.repeat(2200)],
    ['a'.repeat(2201), `${'a'.repeat(2000)}... (201 B more)`],
    ['a'.repeat(12_345), `${'a'.repeat(2000)}... (10.3 kB more)`],
    ['a'.repeat(8_902_000), `${'a'.repeat(2000)}... (8.9 MB more)`],
    [`${'a'.repeat(1999)}💳${'é'.repeat(1000)}`, `${'a'.repeat(1999)}... (2.0 kB more)`],
  ])('prints the beginning of a long text and how much is left out', (text, shown) => {
    expect(boundText(text)).toBe(shown);
  });

  it('redacts what it prints, also across its end, and reads no more than it needs', () => {
    const lengths: number[] = [];
    const redact = (text: string) => {
      lengths.push(text.length);
      return text.replaceAll('SECRET', '#');
    };
    expect(boundText(`${'a'.repeat(1997)}SECRET${'b'.repeat(9_000_000)}`, redact)).toBe(
      `${'a'.repeat(1997)}#bb... (9.0 MB more)`,
    );
    expect(boundText('SECRET', redact)).toBe('#');
    expect(Math.max(...lengths)).toBeLessThan(5000);
  });
});

describe('boundData', () => {
  it('leaves what a person can read as it is', () => {
    const data = {
      code: 'x',
      status: 400,
      details: [{ message: 'm', input: { a: [1, null, true] } }],
      id: undefined,
    };
    expect(bound(data)).toEqual(data);
  });

  it('counts what it leaves out: elements, members, levels', () => {
    const details = Array.from({ length: 1000 }, (_, index) => ({ message: `m${index}` }));
    const shown = bound({ details }).details;
    expect(shown.length).toBe(51);
    expect(shown.at(-1)).toEqual({ message: '... (950 more)' });
    expect(bound({ list: Array.from({ length: 60 }, () => 'x') }).list.at(-1)).toBe('... (10 more)');
    const members = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`m${index}`, 1]));
    expect(Object.entries(bound({ members }).members).at(-1)).toEqual(['...', '(10 more)']);
    const deep = JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`);
    expect(JSON.stringify(bound({ deep }))).toBe(`{"deep":${'['.repeat(8)}"..."${']'.repeat(8)}}`);
  });

  it('does not let one member take the room of another', () => {
    const details = Array.from({ length: 40 }, () => ({ message: 'x'.repeat(2000) }));
    const cursor = 'c'.repeat(1000);
    const shown = bound({ details, cursor });
    expect(JSON.stringify(shown.details).length).toBeLessThan(15_000);
    expect(shown.cursor).toBe(cursor);
  });

  it('redacts every text and hides members by their names', () => {
    const rules = {
      redact: (text: string) => text.replaceAll('known', '#'),
      hide: (name: string) => (name === 'secret' ? '##' : undefined),
    };
    const data = { message: 'a known b', input: { secret: [1], other: { secret: null, known: 'known' } } };
    expect(boundData(data, rules)).toEqual({
      message: 'a # b',
      input: { secret: '##', other: { secret: null, '#': '#' } },
    });
  });

  it('is bounded whatever the data', { tags: 'slow' }, () => {
    const texts = fc.tuple(anyText(20), fc.constantFrom(1, 3000)).map(([text, times]) => text.repeat(times));
    const { data } = fc.letrec((tie) => ({
      data: fc.oneof(
        { maxDepth: 10 },
        texts,
        fc.array(tie('data'), { maxLength: 200 }),
        fc.dictionary(texts, tie('data')),
      ),
    }));
    fc.assert(
      fc.property(data, (value) => {
        expect(JSON.stringify(bound({ value })).length).toBeLessThan(300_000);
      }),
      { numRuns: 50 },
    );
  });
});
