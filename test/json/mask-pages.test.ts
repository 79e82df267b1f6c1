import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitItems } from '../../src/json/edit.ts';
import { JsonMasker, maskJson } from '../../src/json/mask.ts';

const MARKS = { items: { person: { tax: { kind: false, '*': true }, '*': true }, name: true } };
const rules = {
  mask: '#',
  marks: MARKS,
  hides: (name: string) => name === 'secret',
  marksName: (name: string) => name === 'a',
};
const pageOf = (text: string) => new JsonMasker(rules).page(text);

const NAMES = fc.constantFrom('items', 'name', 'person', 'tax', 'kind', 'secret', 'a', 'b', '');
const { value, object, list } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.string(),
    fc.double(),
    fc.constantFrom(null, true, '***', 'a"\\\n\u00e9\u2022'),
    tie('object'),
    tie('list'),
  ),
  object: fc.dictionary(NAMES, tie('value'), { maxKeys: 5 }),
  list: fc.array(tie('value'), { maxLength: 4 }),
}));

/** JSON, also laid out, and JSON in which some characters are left out or replaced. */
const jsonText = fc
  .tuple(fc.oneof(list, object, fc.record({ items: list, limit: value })), fc.constantFrom(0, 1, '\t'))
  .map(([document, space]) => JSON.stringify(document, null, space));
const brokenText = fc
  .tuple(jsonText, fc.nat(), fc.nat(3), fc.constantFrom('', ',', '"', '}', ']', '\\', '\0', ':', '01', 'x'))
  .map(([text, at, length, other]) => {
    const start = at % (text.length + 1);
    return text.slice(0, start) + other + text.slice(start + length);
  });

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

describe('a page', () => {
  it('is masked and taken apart', () => {
    const text =
      '{"limit":2, "items" : [ {"id":1.0,"name":"Ada"} , {"name":null}, 3 ],"next_cursor":"c","a":"x"}\n';
    expect(pageOf(text)).toEqual({
      text: '{"limit":2, "items" : [ {"id":1.0,"name":"#"} , {"name":null}, 3 ],"next_cursor":"c","a":"#"}\n',
      marked: 2,
      texts: ['{"id":1.0,"name":"#"}', '{"name":null}', '3'],
      envelope: '{"limit":2, "items" : [],"next_cursor":"c","a":"#"}\n',
    });
  });

  it('may be an array, be empty, and have its list elsewhere', () => {
    expect(pageOf(' [1,[2],{}]')).toMatchObject({ texts: ['1', '[2]', '{}'], envelope: ' []' });
    expect(pageOf('{"items":[]}')).toMatchObject({ texts: [], envelope: '{"items":[]}' });
    expect(new JsonMasker(rules).page('{"data":[1],"items":[2]}', 'data')).toMatchObject({
      texts: ['1'],
      envelope: '{"data":[],"items":[2]}',
    });
  });

  it.each([
    ['another document', '{"id":"b1"}'],
    ['a list that is no array', '{"items":{"0":1}}'],
    ['two lists, of which JSON.parse takes the last', '{"items":[1],"items":[2]}'],
    ['a list below the top', '{"page":{"items":[1]}}'],
    ['a string', '"items"'],
    ['a cut text', '{"items":[{"id":1}'],
    ['nothing', ''],
  ])('is not made of %s', (_, text) => {
    expect(pageOf(text)).toBeUndefined();
  });

  it('is made of exactly the pages that JSON.parse accepts, with the items that it finds', () => {
    const masker = new JsonMasker(rules);
    fc.assert(
      fc.property(fc.oneof(jsonText, brokenText), (text) => {
        // One that has learned much must judge as one that has learned nothing.
        const page = masker.page(text);
        expect(page).toEqual(pageOf(text));
        const document = parsed(text) as { readonly items?: unknown } | undefined;
        if (page === undefined) {
          const found = Array.isArray(document) ? document : document?.items;
          expect(Array.isArray(found) && !/"(?:\\u|.*"items".*"items")/s.test(text)).toBe(false);
          return;
        }
        expect(document).toBeDefined();
        expect(page.text).toBe(maskJson(text, rules).text);
        expect(page.texts).toEqual(splitItems(page.text).texts);
        expect(JSON.parse(page.envelope)).toEqual(
          Array.isArray(document) ? [] : { ...(JSON.parse(page.text) as object), items: [] },
        );
      }),
      { numRuns: 3000 },
    );
  });
});

describe('what a masker has learned', () => {
  it('does not let a name pass that was met in a text that is no JSON', () => {
    const masker = new JsonMasker(rules);
    expect(masker.page('{"items",[1]}')).toBeUndefined();
    expect(masker.page('{"items",[1]}')).toBeUndefined();
    expect(masker.page('{"items":[1]}')).toMatchObject({ texts: ['1'] });
  });

  it('holds for the same name in another place', () => {
    const masker = new JsonMasker(rules);
    const text = '{"items":[{"name":"Ada","b":{"name":"x","secret":"s"}},{"b":{"name":"y"},"name":"Bo"}]}';
    const shown = '{"items":[{"name":"#","b":{"name":"x","secret":"#"}},{"b":{"name":"y"},"name":"#"}]}';
    expect([masker.mask(text).text, masker.mask(text).text]).toEqual([shown, shown]);
  });

  it('is bounded, and more names are masked all the same', () => {
    const masker = new JsonMasker(rules);
    const nameOf = (index: number) => `"n${index}":{"secret":"s"}`;
    const text = `{${Array.from({ length: 5000 }, (_, index) => nameOf(index)).join(',')}}`;
    expect(masker.mask(text).text).toBe(text.replaceAll('"s"', '"#"'));
    expect(masker.mask(text).text).toBe(text.replaceAll('"s"', '"#"'));
  });
});
