import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitItems, textAt } from '../../src/json/edit.ts';
import { JsonMasker, maskJson } from '../../src/json/mask.ts';
import { growthOf, LINEAR } from '../harness/growth.ts';
import { propertyRuns } from '../harness/property-runs.ts';

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
  it('gives the values of noted names that are members of an item, and neither masked nor containers', () => {
    const noted = ['id', 'name', 'at'];
    const items = [
      '{"id":1.0,"name":"Ada","at":{"id":2},"b":{"at":3}}',
      '{"at" : 9007199254740993 ,"i\\u0064":null,"name":null}',
      '{"id":[4],"at":"***","secret":{"id":5}}',
      '[{"id":6}]',
      '"id"',
      '{"id":7,"id":8}',
    ];
    for (const text of [`[${items.join(',')}]`, `{"id":9,"items":[${items.join(', ')}],"at":10}`])
      expect(new JsonMasker({ ...rules, noted }).page(text)?.noted).toEqual([
        ...['1.0', text.startsWith('[') ? '"Ada"' : undefined, undefined],
        ...['null', 'null', '9007199254740993'],
        ...[undefined, undefined, '"***"'],
        ...[undefined, undefined, undefined],
        ...[undefined, undefined, undefined],
        ...['8', undefined, undefined],
      ]);
  });

  it('has noted what its items show', () => {
    const noted = ['name', 'b', 'secret'];
    fc.assert(
      fc.property(jsonText, (text) => {
        const page = new JsonMasker({ ...rules, noted }).page(text);
        if (!page) return;
        const shown = page.texts.flatMap((item) =>
          noted.map((name) => (item.startsWith('{') ? textAt(item, name) : undefined)),
        );
        const isValue = (one: string | undefined) => one !== undefined && !/^[[{]|^"#"$/.test(one);
        expect(page.noted).toEqual(shown.map((one) => (isValue(one) ? one : undefined)));
      }),
      propertyRuns(300),
    );
  });

  it('is masked and taken apart', () => {
    const text =
      '{"limit":2, "items" : [ {"id":1.0,"name":"Ada"} , {"name":null}, 3 ],"next_cursor":"c","a":"x"}\n';
    const page = pageOf(text);
    expect({ ...page, text: page?.text() }).toEqual({
      text: '{"limit":2, "items" : [ {"id":1.0,"name":"#"} , {"name":null}, 3 ],"next_cursor":"c","a":"#"}\n',
      marked: 2,
      texts: ['{"id":1.0,"name":"#"}', '{"name":null}', '3'],
      envelope: '{"limit":2, "items" : [],"next_cursor":"c","a":"#"}\n',
      hasLines: true,
      noted: [],
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

  it('is taken apart however deep arrays are in one another', { tags: 'slow' }, () => {
    const depth = 300_000;
    const [open, close] = ['['.repeat(depth), ']'.repeat(depth)];
    const item = (name: string) => `{"name":[${open}"${name}",[${name === '#' ? '"#"' : 1}]${close}]}`;
    const { texts = [] } = pageOf(`{"items":[${item('Ada')},[[2],[]],${open}${close}]}`) ?? {};
    // Compared here: a difference of so many brackets cannot be printed.
    expect(texts.map((text, index) => text === [item('#'), '[[2],[]]', open + close][index])).toEqual([
      true,
      true,
      true,
    ]);
    for (const broken of [
      `[${open}`,
      `${open}}${close}`,
      `${open},${close}`,
      `${open}1,${close}`,
      `${open}[]1${close}`,
    ]) {
      expect(pageOf(`{"items":[${broken}]}`)).toBeUndefined();
    }
  });

  it('is made of exactly the pages that JSON.parse accepts, with the items that it finds', () => {
    const masker = new JsonMasker(rules);
    fc.assert(
      fc.property(fc.oneof(jsonText, brokenText), (text) => {
        // One that has learned much must judge as one that has learned nothing.
        const page = masker.page(text);
        const fresh = pageOf(text);
        expect({ ...page, text: page?.text() }).toEqual({ ...fresh, text: fresh?.text() });
        const document = parsed(text) as { readonly items?: unknown } | undefined;
        if (page === undefined) {
          const found = Array.isArray(document) ? document : document?.items;
          expect(Array.isArray(found) && !/"(?:\\u|.*"items".*"items")/s.test(text)).toBe(false);
          return;
        }
        expect(document).toBeDefined();
        const shown = page.text();
        expect(shown).toBe(maskJson(text, rules).text);
        expect(page.texts).toEqual(splitItems(shown).texts);
        expect(JSON.parse(page.envelope)).toEqual(
          Array.isArray(document) ? [] : { ...(JSON.parse(shown) as object), items: [] },
        );
      }),
      propertyRuns(3000),
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

describe('records of a long list', () => {
  const scalar = fc.oneof(
    fc.string(),
    fc.double(),
    fc.constantFrom(null, true, '', '***', '\u2022', 'a*', 'a"\\\n', '\u00e9', -0.5e-7),
  );
  const record = fc.record({
    id: fc.string(),
    'name.$1(': fc.constant('x'),
    name: scalar,
    person: fc.oneof(fc.record({ tax: fc.record({ kind: scalar, value: scalar }), x: scalar }), scalar),
    b: fc.oneof(fc.tuple(scalar, fc.constant({})), fc.constant([])),
    secret: fc.oneof(fc.string(), fc.constantFrom(null, 7, { a: 1 })),
    a: fc.string(),
  });
  const pages = fc.array(record, { minLength: 1, maxLength: 6 }).map((items) => JSON.stringify({ items }));
  const plain = { id: 'i', 'name.$1(': 'x', name: 'Ada', person: { tax: { kind: 'k', value: 'v' }, x: 'y' } };
  const learned = () => {
    const masker = new JsonMasker(rules);
    const items = Array.from({ length: 300 }, () => ({ ...plain, b: [1, {}], secret: 's', a: 'z' }));
    masker.page(JSON.stringify({ items }));
    return masker;
  };

  it('are read by a masker that has learned as by one that has not', () => {
    const masker = learned();
    const broken = fc
      .tuple(pages, fc.nat(), fc.constantFrom('', '"', ',', '}', '\\', '\n', '1', '*'))
      .map(
        ([text, at, other]) => text.slice(0, at % text.length) + other + text.slice((at % text.length) + 1),
      );
    fc.assert(
      fc.property(fc.oneof(pages, broken), (text) => {
        const [page, fresh] = [masker.page(text), pageOf(text)];
        expect({ ...page, text: page?.text() }).toEqual({ ...fresh, text: fresh?.text() });
      }),
      propertyRuns(3000),
    );
  });

  it('are read as they are one by one', { tags: 'slow' }, () => {
    const other = fc.oneof(record, fc.record({ id: scalar, name: scalar, n: scalar }));
    const alike = fc.record({ id: scalar, name: scalar, a: scalar, secret: fc.string() });
    const list = fc.tuple(
      fc.array(alike, { minLength: 40, maxLength: 60 }),
      fc.array(fc.tuple(fc.nat(), other), { maxLength: 3 }),
    );
    const texts = list.map(([items, others]) => {
      const all: unknown[] = [...items];
      for (const [at, item] of others) all.splice(at % all.length, 0, item);
      return JSON.stringify({ items: all });
    });
    fc.assert(
      fc.property(texts, (text) => {
        const page = new JsonMasker(rules).page(text);
        expect({ text: page?.text(), marked: page?.marked }).toEqual(maskJson(text, rules));
        expect(page?.texts).toEqual(splitItems(page?.text() ?? '').texts);
      }),
      propertyRuns(500),
    );
  });

  it('are masked by the marks of their own list: in an array, and in the list of an object', () => {
    const masker = new JsonMasker({
      mask: '#',
      marks: { '*': { x: true } },
      marksName: (name) => name === 'a',
    });
    const list = JSON.stringify(Array.from({ length: 300 }, () => ({ id: 'i', a: 'Ada' })));
    expect(masker.page(list)?.marked).toBe(0);
    expect(masker.page(`{"items":${list}}`)?.marked).toBe(300);
    expect(masker.page(list)?.marked).toBe(0);
  });

  it.each([
    ['members that change often', 8],
    ['members that change seldom', 64],
  ])('take time that grows with the text alone: %s', async (_, run) => {
    const textOf = (count: number) => {
      const items = Array.from({ length: count }, (_item, index) => ({
        id: String(index),
        ...(Math.floor(index / run) % 2 === 0 ? {} : { display_name: `n ${index}` }),
        name: 'Ada',
      }));
      return JSON.stringify({ items });
    };
    const texts = new Map([2500, 20_000].map((count) => [count, textOf(count)]));
    const read = (count: number) => {
      const masker = new JsonMasker(rules);
      masker.page(texts.get(2500) ?? '');
      expect(masker.page(texts.get(count) ?? '')?.marked).toBe(count);
    };
    expect(await growthOf(read, 2500)).toBeLessThan(LINEAR);
  });

  it('may each have members of their own', () => {
    const masker = new JsonMasker(rules);
    const items = Array.from({ length: 2000 }, (_, index) => ({ [`n${index}`]: 'x', name: 'Ada' }));
    const page = masker.page(JSON.stringify({ items }));
    expect(page?.texts.at(-1)).toBe('{"n1999":"x","name":"#"}');
    expect(page?.marked).toBe(2000);
  });
});
