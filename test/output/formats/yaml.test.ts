import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseShownJson } from '../../../src/json/exact.ts';
import type { ListWriterOptions } from '../../../src/output/format.ts';
import { toYaml } from '../../../src/output/formats/yaml-text.ts';
import { FORMATS } from '../../../src/output/formats.ts';
import { createListPage, type ListPage } from '../../../src/output/list-page.ts';
import { propertyRuns } from '../../harness/property-runs.ts';
import { printList } from '../print-list.ts';
import { samplePage } from '../sample-buyers.ts';

async function print(
  pages: readonly ListPage[],
  options: Partial<ListWriterOptions> = {},
  nextCursor: string | null = null,
): Promise<string> {
  return (await printList(pages, { format: FORMATS.yaml, whole: false, nextCursor, ...options })).text;
}

describe('yaml', () => {
  it('is for one page the document of the service, big integers exact', async () => {
    const text =
      '{"items":[{"id":"b1","amount":12345678901234567890,"tags":[],"at":"2026-03-01"}],"next_cursor":null}';
    expect(await print([createListPage(text, [])])).toBe(
      'items:\n- id: b1\n  amount: 12345678901234567890\n  tags: []\n  at: "2026-03-01"\nnext_cursor: null\n',
    );
  });

  it('is for a whole list one document that is streamed', async () => {
    const pages = [
      samplePage([{ id: 'b1' }], { next: 'c1', previous: 'p0' }),
      samplePage([{ id: 'b2', address: { city: 'London' } }]),
    ];
    expect(await print(pages, { whole: true }, 'c2')).toBe(
      'items:\n- id: b1\n- id: b2\n  address:\n    city: London\nlimit: 20\nnext_cursor: c2\nprevious_cursor: p0\n',
    );
  });

  it('is an empty document for an empty list, and nothing when no page came', async () => {
    expect(await print([createListPage('{"items":[]}', [])], { whole: true })).toBe('items: []\n');
    expect(await print([], { whole: true })).toBe('');
  });

  it('is reduced to chosen columns', async () => {
    const options = { columns: [{ header: 'C', path: 'address.city' }], explicitColumns: true };
    expect(await print([createListPage('{"items":[{"address":{"city":"London"}}]}', [1])], options)).toBe(
      'items:\n- address.city: London\n',
    );
  });
});

describe('toYaml', () => {
  it.each([
    ['yes', '"yes"'],
    ['null', '"null"'],
    ['~', '"~"'],
    ['012', '"012"'],
    ['0x1F', '"0x1F"'],
    ['1_000', '"1_000"'],
    ['12:30:00', '"12:30:00"'],
    ['2026-03-01T14:05:59+00:00', '"2026-03-01T14:05:59+00:00"'],
    ['=', '"="'],
    ['<<', '"<<"'],
    ['', '""'],
    ['a: b', '"a: b"'],
    ['two\nlines', '"two\\nlines"'],
    ['\u202Eevil', '"\\u202Eevil"'],
    ['\u0085\u2028\u009B', '"\\x85\\u2028\\x9B"'],
    ['tag\u{E0041}', '"tag\\U000E0041"'],
    ['\u001B[2J', '"\\u001b[2J"'],
    ['José 山田 👩‍👩‍👧', 'José 山田 👩‍👩‍👧'],
    ['x y '.repeat(100).trim(), 'x y '.repeat(100).trim()],
  ])('writes %j as %s', (value, yaml) => {
    expect(toYaml({ value })).toBe(`value: ${yaml}\n`);
  });

  it('is read back to the same value by readers of both versions, and never holds a hidden character', {
    tags: 'slow',
  }, () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('yes', '1e3', '0o7', '2026-03-01', '\u202E', '\u2028', '- a', '#', '? x'),
    );
    const value = fc.dictionary(
      text,
      fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null), fc.array(text)),
    );
    fc.assert(
      fc.property(value, (input) => {
        const yaml = toYaml(input);
        expect(yaml.replaceAll('\n', '')).not.toMatch(/[\p{Bidi_Control}\p{Cc}\u2028\u2029]/u);
        expect(Object.entries(parse(yaml, { version: '1.2' }))).toEqual(Object.entries(input));
        expect(Object.entries(parse(yaml, { version: '1.1', merge: true }))).toEqual(Object.entries(input));
      }),
      propertyRuns(500),
    );
  });

  it('writes what is nested deeply on one line, at any depth', { tags: 'slow' }, () => {
    const deep = JSON.parse(`${'['.repeat(50_000)}{"a":"b: c","d":{}}${']'.repeat(50_000)}`);
    const yaml = toYaml(deep);
    expect(yaml).toBe(`${'- '.repeat(64)}${'['.repeat(49_936)}{"a": "b: c", "d": {}}${']'.repeat(49_936)}\n`);
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.string(),
        fc.integer(),
        fc.array(tie('value')),
        fc.dictionary(fc.string(), tie('value')),
      ),
    }));
    fc.assert(
      fc.property(value, (inner) => {
        let outer: unknown = inner;
        for (let level = 0; level < 66; level += 1) outer = level % 2 ? { x: outer } : [outer];
        expect(parse(toYaml(outer), { maxAliasCount: 0 })).toEqual(outer);
      }),
      { numRuns: 50 },
    );
  });

  it('writes numbers digit for digit', () => {
    const text =
      '{"a":1e400,"b":-0,"c":1e-400,"d":0.1000000000000000055511151231257827,"e":[1.0,12345678901234567890]}';
    expect(toYaml(parseShownJson(text))).toBe(
      'a: 1e400\nb: -0\nc: 1e-400\nd: 0.1000000000000000055511151231257827\ne:\n- 1.0\n- 12345678901234567890\n',
    );
  });

  it('writes texts and names of any length', () => {
    const text = 'x: "\\'.repeat(100_000);
    expect(parse(toYaml([text]))).toEqual([text]);
    const name = 'n'.repeat(2000);
    expect(parse(toYaml({ a: { [name]: [1], b: 2 } }))).toEqual({ a: { [name]: [1], b: 2 } });
    expect(toYaml({ [name]: { c: 1 } })).toBe(`? "${name}"\n:\n  c: 1\n`);
  });

  it.each([
    [{}, '{}\n'],
    [[], '[]\n'],
    ['a', 'a\n'],
    [null, 'null\n'],
    [
      [[], {}, [[1], 2], { a: [], b: { c: [{ d: 1, e: 2 }] } }],
      '- []\n- {}\n- - - 1\n  - 2\n- a: []\n  b:\n    c:\n    - d: 1\n      e: 2\n',
    ],
    [{ id: '8b1f5c0e-6c1d-4b52-9a53-2f1f0d9c8f11' }, 'id: 8b1f5c0e-6c1d-4b52-9a53-2f1f0d9c8f11\n'],
    [{ url: 'https://a.example/b?c=d#e' }, 'url: https://a.example/b?c=d#e\n'],
    [
      ['a:', 'a :', 'a #b', 'a ', '- a', '#', '? a', '\uFFFE', 'a\uFFFF'],
      '- "a:"\n- "a :"\n- "a #b"\n- "a "\n- "- a"\n- "#"\n- "? a"\n- "\\uFFFE"\n- "a\\uFFFF"\n',
    ],
  ])('lays %j out', (value, yaml) => {
    expect(toYaml(value)).toBe(yaml);
  });
});
