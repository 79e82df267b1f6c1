import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { parseDescription } from '../../src/descriptions/parse.ts';
import { parseYamlText } from '../../src/descriptions/yaml.ts';
import { growthOf, LINEAR } from '../harness/growth.ts';
import { propertyRuns } from '../harness/property-runs.ts';

const readYaml = (text: string) => {
  const read = parseYamlText(text, 100);
  return 'value' in read ? read.value : read;
};

describe('parseYamlText', () => {
  it('reads what the package reads by itself', { tags: 'slow' }, () => {
    const text = readFileSync(join(import.meta.dirname, '../../openapi/openapi.yaml'), 'utf8');
    expect(readYaml(text)).toEqual(parse(text));
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.boolean(), (value, isFlow) => {
        const written = stringify(value, { collectionStyle: isFlow ? 'flow' : 'any' });
        expect(readYaml(written)).toEqual(parse(written));
      }),
      propertyRuns(300, 40),
    );
  });

  it.each<[string, unknown]>([
    ['', null],
    ['200: a\nnull: b\ntrue: c\n1.5: d', { 200: 'a', '': 'b', true: 'c', 1.5: 'd' }],
    ['a: &x [1]\nb: *x\nc: &x 2\nd: *x', { a: [1], b: [1], c: 2, d: 2 }],
    ['&k a: 1\nb: *k', { a: 1, b: 'a' }],
    ['[a: 1, b]', [{ a: 1 }, 'b']],
    ['a: 123456789012345678901', { a: 123456789012345680000 }],
    ['a: !other {b: !!str 1}', { a: { b: '1' } }],
    ['a: 1\n---\nb: 2', { a: 1 }],
    ['a: {<<: {b: 1}, "<<": 2}', { a: { b: 1, '<<': 2 } }],
    ['a: &a {b: 1, c: 2}\nd: {c: 3, <<: [*a, {e: 4, b: 5}]}', { a: { b: 1, c: 2 }, d: { c: 3, b: 1, e: 4 } }],
    ['%YAML 1.1\n---\na: &a {b: 1}\nc:\n  <<: *a\n', { a: { b: 1 }, c: { b: 1 } }],
    [
      '%YAML 1.1\n---\na: !!omap [b: 1]\nc: 2001-12-14\nd: !!set {e, f}',
      { a: [{ b: 1 }], c: '2001-12-14T00:00:00.000Z', d: { e: null, f: null } },
    ],
  ])('reads %j', (text, value) => {
    expect(readYaml(text)).toEqual(value);
  });

  it('keeps a member that is called __proto__', () => {
    expect(Object.entries(readYaml('__proto__: {a: 1}') as object)).toEqual([['__proto__', { a: 1 }]]);
  });

  it.each([
    ['a: 1\nb: 2\na: 3', { problem: 'Map keys must be unique', line: 3, column: 1 }],
    ['a: *b', { problem: 'The alias *b has no anchor before it', line: 1, column: 4 }],
    ['a: &a [*a]', { problem: 'The alias *a has no anchor before it', line: 1, column: 8 }],
    ['a: 1\n? [x]\n: 2', { problem: 'A key must be a string, not a list or an object', line: 2, column: 3 }],
    [
      'a: 1\nb: {<<: [1]}',
      { problem: 'A merge key (<<) must have an object, or a list of objects', line: 2, column: 9 },
    ],
  ])('refuses %j with its place', (text, problem) => {
    expect(readYaml(text)).toEqual(problem);
  });

  it.each<[string, (levels: number) => string]>([
    ['lists in brackets', (n) => `${'['.repeat(n)}${']'.repeat(n)}`],
    ['brackets that stay open', (n) => '['.repeat(n)],
    ['objects in braces', (n) => `${'{a: '.repeat(n)}1${'}'.repeat(n)}`],
    ['pairs in brackets', (n) => `${'[a: '.repeat(n)}1${']'.repeat(n)}`],
    ['lists by dashes', (n) => `${'- '.repeat(n)}1`],
    [
      'lists by lines',
      (n) => Array.from({ length: Math.min(n, 1000) }, (_, at) => `${' '.repeat(at)}a:`).join('\n'),
    ],
    ['keys', (n) => `${'? '.repeat(n)}1`],
    ['values', (n) => `${': '.repeat(n)}1`],
  ])('refuses 20,000 levels with the place of the first that is too deep: %s', (_, nested) => {
    expect(parseYamlText(nested(20_000), 100)).toMatchObject({ isTooDeep: true, line: expect.any(Number) });
    expect(parseYamlText(nested(99), 100)).not.toMatchObject({ isTooDeep: true });
  });

  it.each<[string, (count: number) => string]>([
    ['keys', (n) => Array.from({ length: n }, (_, at) => `a${at}: 1`).join('\n')],
    ['aliases', (n) => Array.from({ length: n }, (_, at) => `a${at}: &a${at} 1\nb${at}: *a${at}`).join('\n')],
    [
      'aliases of aliases',
      (n) =>
        `a0: &a0 1\n${Array.from({ length: n }, (_, at) => `a${at + 1}: &a${at + 1} [*a${at}]`).join('\n')}`,
    ],
    ['errors', (n) => 'a: b: c\n'.repeat(n)],
  ])('takes time in proportion to the text: %s', { tags: 'slow' }, async (_, text) => {
    const texts = new Map([500, 4000].map((count) => [count, text(count)]));
    expect(await growthOf((count) => parseYamlText(texts.get(count) ?? '', 500), 500)).toBeLessThan(LINEAR);
  });
});

describe('parseDescription', () => {
  const chain = (levels: number) =>
    `a0: &a0 [1]\n${Array.from({ length: levels }, (_, at) => `a${at + 1}: &a${at + 1} [*a${at}]`).join('\n')}`;
  const merges = `a0: &a0 {x: 1}\n${Array.from({ length: 400 }, (_, at) => `a${at + 1}: &a${at + 1} {<<: *a${at}, k${at}: 1}`).join('\n')}`;
  const laughs = `a0: &a0 [1,1,1,1,1,1,1,1,1]\n${Array.from({ length: 9 }, (_, at) => `a${at + 1}: &a${at + 1} [${Array(9).fill(`*a${at}`).join(',')}]`).join('\n')}`;

  it.each([
    [`a: ${'['.repeat(20_000)}`, 'd.yaml is nested more than 500 levels deep at line 1, column 504'],
    [`${'- '.repeat(20_000)}1`, 'd.yaml is nested more than 500 levels deep at line 1, column 1003'],
    [`[${'['.repeat(600)}`, 'd.json is nested more than 500 levels deep at line 1, column 501'],
    [chain(600), 'd.yaml is nested more than 500 levels deep'],
    [laughs, 'd.yaml is not YAML that payctl reads: its aliases expand to too much data'],
    [
      merges,
      'd.yaml is not YAML that payctl reads: its aliases expand to too much data at line 161, column 14',
    ],
  ])('refuses %.30j and says what, where, and which limit', { tags: 'slow' }, async (text, message) => {
    const file = text.startsWith('[') ? 'd.json' : 'd.yaml';
    await expect(parseDescription(text, file)).rejects.toMatchObject({
      code: 'invalid_description',
      message,
    });
  });
});
