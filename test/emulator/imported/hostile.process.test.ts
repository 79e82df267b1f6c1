import { describe, expect, it } from 'vitest';
import { fitsPattern, isSlow } from '../../../src/schemas/patterns.ts';
import { startImported } from './imported-emulator.ts';

const json = (schema: unknown) => ({ content: { 'application/json': { schema } } });
const text = { type: 'string' };

/** Records with a member of a schema. */
function having(odd: object): unknown {
  const record = { type: 'object', required: ['id', 'odd'], properties: { id: text, odd, name: text } };
  const body = { type: 'object', properties: { odd, name: text } };
  return {
    openapi: '3.1.0',
    info: { title: 'Hostile', version: '1' },
    paths: {
      '/things': {
        get: { responses: { 200: { description: 'ok', ...json({ type: 'array', items: record }) } } },
        post: { requestBody: json(body), responses: { 201: { description: 'ok', ...json(record) } } },
      },
      '/things/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
        get: { responses: { 200: { description: 'ok', ...json(record) } } },
      },
    },
  };
}

let nested: object = text;
for (let depth = 0; depth < 12; depth += 1) nested = { type: 'array', minItems: 10, items: nested };

/** An operation that never ends fails by the timeout of its test. */
describe('a schema that nothing can be made for', { timeout: 60_000 }, () => {
  it.each([
    ['an example that its pattern takes for ever for', { pattern: '^(\\w+)+!$', examples: ['a'.repeat(60)] }],
    ['a pattern that repeats a group', { pattern: '^(\\w+\\w+)+!$' }],
    ['a pattern that repeats a choice', { pattern: '^(a|a)*b!$', examples: ['a'.repeat(60)] }],
    ['a pattern of many texts in another', { pattern: '^((((a{1000}){1000}){1000}){1000})$' }],
    ['a pattern of a long text', { pattern: '^a{1000000}$' }],
  ])('is answered as far as it goes: %s', async (_name, odd) => {
    await using emulator = await startImported(having({ type: 'string', ...odd }));
    expect(await emulator.call('GET', '/things')).toMatchObject({ status: 200, body: { length: 30 } });
    const made = await emulator.call('POST', '/things', { body: { name: 'Mine' } });
    expect(made).toMatchObject({ status: 201, body: { name: 'Mine' } });
    expect(await emulator.call('GET', `/things/${String(made.body.id)}`)).toMatchObject({ body: made.body });
    const long = await emulator.call('POST', '/things', { body: { odd: 'a'.repeat(50) } });
    expect([201, 400]).toContain(long.status);
  });

  it.each([
    ['a long text', { type: 'string', minLength: 5_000_000 }],
    ['a long list', { type: 'array', minItems: 50_000_000, items: text }],
    ['many members', { type: 'object', minProperties: 50_000_000 }],
    ['lists in lists', nested],
  ])('is answered with a 501: %s', async (_name, odd) => {
    await using emulator = await startImported(having(odd));
    const answer = {
      status: 501,
      body: {
        type: 'error',
        code: 'not_implemented',
        status: 501,
        message:
          'The emulator cannot respond to this operation: The schema requires a value that is larger than payctl makes',
        details: [],
      },
    };
    expect(await emulator.call('GET', '/things')).toMatchObject(answer);
    expect(await emulator.call('POST', '/things', { body: { name: 'Mine' } })).toMatchObject(answer);
  });

  it('has as many members as it asks for', async () => {
    await using emulator = await startImported(having({ type: 'object', minProperties: 1000 }));
    const { body } = await emulator.call('POST', '/things', { body: {} });
    expect(Object.keys(body.odd as object)).toHaveLength(1000);
  });
});

describe('a pattern', () => {
  it.each([
    ['^\\d{1,12}(\\.\\d{1,3})?$', false],
    ['^[A-Z]{2}\\d{2}[A-Z0-9]{11,30}$', false],
    ['^[A-Za-z0-9+/]*={0,2}$', false],
    ['^(\\d{4})-(0[1-9]|1[0-2])$', false],
    ['^https://a.example/[a-z]{3,4}_[a-z0-9]+_(version=[a-z0-9]*&)?time=\\d+&sign=[\\w-]+$', false],
    ['^[a-z]+a[a-z]+a$', true],
    ['^[a-z]+_[0-9]+.(pdf|png)$', false],
    ['[a-z]+_[0-9]+.(pdf|png)$', true],
    ['^a|[a-z]+_[0-9]+.$', true],
    ['^a*_?a*_?b$', true],
    ['^\\x41+A\\x41+A$', true],
    ['^\\\\d+d\\\\d+d$', true],
    ['^\\[a]+a]\\[a]+]$', true],
    ['^(a|a)*$', true],
    ['^(a|a){1,40}$', true],
    ['^(?:a+)+$', true],
    ['\\s*\\s*$', true],
    ['^(.)\\1+$', true],
    [`^${'a?'.repeat(30)}${'a'.repeat(30)}$`, true],
    ['^a{1,99}a{1,99}a{1,99}$', true],
  ])('%s may take long: %s', (pattern, expected) => {
    expect(isSlow(pattern)).toBe(expected);
  });

  it('says nothing of a text that it takes too long for, and of any where it is none', () => {
    expect(fitsPattern('^(b+)+!$', 'b'.repeat(60))).toBeUndefined();
    expect(fitsPattern('^(b+)+!$', 'bbb!')).toBe(true);
    expect(fitsPattern('(', 'anything')).toBeUndefined();
  });
});
