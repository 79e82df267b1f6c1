import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseSplitter, DocumentSplitter, HEAD } from '../../src/json/split-documents.ts';
import { LineSplitter, type PieceSplitter } from '../../src/json/split-lines.ts';
import { anyText } from '../harness/any-text.ts';
import { propertyRuns } from '../harness/property-runs.ts';

/** The texts of a splitter that gets its input in parts of these lengths, in bytes, in a buffer that is used again. */
function split(
  splitter: PieceSplitter,
  text: string,
  lengths: readonly number[] = [],
): (string | undefined)[] {
  const bytes = Buffer.from(text);
  const buffer = Buffer.alloc(bytes.length);
  const pieces = [];
  let from = 0;
  for (const length of [...lengths, bytes.length]) {
    const end = Math.min(from + length, bytes.length);
    pieces.push(...splitter.add(buffer.subarray(0, bytes.copy(buffer, 0, from, end))));
    buffer.fill('"');
    from = end;
  }
  return [...pieces, ...splitter.end()].map((piece) => piece.text);
}

describe('documents', () => {
  const lengths = fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 20 });
  const layouts = fc.constantFrom(undefined, 2, '\t');

  it('are taken apart into the elements of an array, wherever the text is cut', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { maxLength: 5 }), layouts, lengths, (values, layout, cuts) => {
        const texts = split(new DocumentSplitter(), JSON.stringify(values, null, layout), cuts);
        expect(texts.map((text) => JSON.parse(text ?? ''))).toEqual(JSON.parse(JSON.stringify(values)));
      }),
      propertyRuns(1000),
    );
  });

  it('are taken apart into items, whatever is around them', () => {
    const envelope = fc.record({
      before: fc.dictionary(fc.string({ minLength: 6 }), fc.jsonValue(), { maxKeys: 3 }),
      items: fc.array(fc.jsonValue(), { maxLength: 5 }),
      after: fc.dictionary(fc.string({ minLength: 6 }), fc.jsonValue(), { maxKeys: 3 }),
    });
    fc.assert(
      fc.property(envelope, layouts, lengths, ({ before, items, after }, layout, cuts) => {
        const text = JSON.stringify({ ...before, items, ...after }, null, layout);
        const texts = split(new DocumentSplitter(), `${text}\n${text}`, cuts);
        const expected = JSON.parse(JSON.stringify([...items, ...items]));
        expect(texts.map((part) => JSON.parse(part ?? ''))).toEqual(expected);
      }),
      propertyRuns(1000),
    );
  });

  it.each([
    [
      'an object without items is an element',
      '{\n "id": 1,\n "a": ["items"]\n}\n{"id": 2}',
      ['{\n "id": 1,\n "a": ["items"]\n}', '{"id": 2}'],
    ],
    ['items that are no array are none', '{"items": {"id": 1}}', ['{"items": {"id": 1}}']],
    ['an array that ends too early says so', '[{"id":1},{"id":2}', ['{"id":1}', '{"id":2}', '']],
    ['an element that ends too early is what there is', '[{"id":1},{"id"', ['{"id":1}', '{"id"']],
    ['what is between documents is a piece', '[1] oops "{" [2]', ['1', 'oops "', '{" [2]']],
    ['empty documents have no elements', '[] {"items":[]}\n[ ]', []],
  ])('%s', (_, text, texts) => {
    expect(split(new DocumentSplitter(), text)).toEqual(texts);
  });

  it('leave out an element that is too long, and go on behind it', () => {
    const long = JSON.stringify('x'.repeat(50));
    expect(split(new DocumentSplitter(20), `[1,${long},2,{"a":${long}},3]`, [10, 20, 30])).toEqual([
      '1',
      undefined,
      '2',
      undefined,
      '3',
    ]);
  });
});

describe('lines', () => {
  it('are pieces with their numbers, without those that are empty', () => {
    const splitter = new LineSplitter();
    const pieces = [...splitter.add(Buffer.from('a\n\nb\r\n  \nc')), ...splitter.end()];
    expect(pieces).toEqual([
      { text: 'a', place: 1 },
      { text: 'b\r', place: 3 },
      { text: 'c', place: 5 },
    ]);
  });

  it('are whole, wherever they are cut', () => {
    const texts = fc.array(anyText(10).filter((text) => text.isWellFormed() && text.trim() !== ''));
    const cuts = fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 20 });
    fc.assert(
      fc.property(texts, cuts, (all, lengths) => {
        const lines = all.map((text) => text.replaceAll('\n', ' ').trim()).filter((text) => text !== '');
        expect(split(new LineSplitter(), lines.join('\n'), lengths)).toEqual(lines);
      }),
      propertyRuns(1000),
    );
  });

  it('that are too long are left out', () => {
    expect(split(new LineSplitter(5), 'a\n123456\nb\n1234567', [3, 3, 3])).toEqual([
      'a',
      undefined,
      'b',
      undefined,
    ]);
  });
});

describe('the kind of a file', () => {
  const kindOf = (head: string, isWhole = true) => chooseSplitter(head, isWhole)?.kind;
  it.each([
    ['one line', '{"id":1}', 'line'],
    ['lines', '{"id":1}\n{"id":2}\n', 'line'],
    ['lines of which the first is broken', '{"id":\n{"id":2}\n{', 'line'],
    ['a document on one line', '{"items":[{"id":1}]}', 'line'],
    ['a document over lines', '{\n  "items": [\n', 'element'],
    ['an array', ' [\n{"id":1}\n]', 'element'],
    ['a text', 'error: no\n', 'line'],
  ])('that holds %s', (_, head, kind) => {
    expect(kindOf(head)).toBe(kind);
  });

  it('is open until there are two lines or enough of the first', () => {
    expect(kindOf('{"id":1}\n{"id":2}\n{', false)).toBe('line');
    expect(kindOf('{"items":[', false)).toBeUndefined();
    expect(kindOf(`{"items":[${' '.repeat(HEAD)}`, false)).toBe('element');
  });
});
