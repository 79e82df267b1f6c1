import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRuntime } from '../../../src/cli/runtime.ts';
import {
  type ChangeFlagValues,
  givesChanges,
  mergeChanges,
  readChanges,
  type SessionChanges,
} from '../../../src/features/checkout-sessions/changes.ts';
import { storedFields } from '../../../src/features/checkout-sessions/stored-fields.ts';
import { stringifyExactJson } from '../../../src/json/exact.ts';
import { MemoryStream } from '../../output/memory-stream.ts';
import { sessionWithText } from './session-with-text.ts';

const NONE: SessionChanges = { addItems: [], setMetadata: {}, removeMetadata: [] };

const { signal } = new AbortController();
const stdin = async function* () {};
const streams = { stdout: new MemoryStream(), stderr: new MemoryStream(), stdin };
const runtime = createRuntime({ ...streams, env: {}, signal, version: '0.0.0' });

const read = (flags: ChangeFlagValues, replaced = {}) =>
  readChanges(flags, replaced, {
    runtime,
    warn: () => {},
    convert: async (body) => ({ body, requireCurrency: async () => {} }),
  });

describe('readChanges', () => {
  it('reads items with their numbers, pairs and keys', async () => {
    const changes = await read({
      'add-cart-item': ['{"name":"Tea","quantity":2,"x":2.0}', '{}'],
      'set-metadata': ['a=b=c', 'd='],
      'remove-metadata': ['x', 'y', 'x'],
    });
    expect(stringifyExactJson(changes)).toBe(
      '{"addItems":[{"name":"Tea","quantity":2,"x":2.0},{}],"setMetadata":{"a":"b=c","d":""},"removeMetadata":["x","y"]}',
    );
  });

  it.each<[flags: ChangeFlagValues, error: object, replaced?: Record<string, string>]>([
    [
      { 'add-cart-item': ['[]'] },
      {
        code: 'bad_body',
        message: '--add-cart-item must be a JSON object',
        hint: `Nothing was sent. Use one item such as '{"name":"Tea","quantity":2,"unit_amount":450}'; repeat the flag for several.`,
      },
    ],
    [{ 'add-cart-item': ['1.0'] }, { message: '--add-cart-item must be a JSON object' }],
    [
      { 'add-cart-item': ['{"quantity":1.5,"name":7}'] },
      {
        code: 'bad_body',
        message:
          '--add-cart-item is not valid: /quantity must be an integer in digits only, not 1.5; /name must be a string, not a number',
      },
    ],
    [
      { 'add-cart-item': ['{}', 'null'] },
      { code: 'bad_body', message: '--add-cart-item number 2 must be a JSON object' },
    ],
    [
      { 'add-cart-item': ['{"a":\n]'] },
      {
        code: 'bad_json',
        message: '--add-cart-item is not JSON: expected a value at line 2, column 1',
      },
    ],
    [
      { 'add-cart-item': ['cart.json'] },
      { code: 'bad_json', hint: 'To read the file, put an @ before its name: --add-cart-item @cart.json' },
    ],
    [
      { 'add-cart-item': ['@/no/such/file'] },
      { message: '--add-cart-item cannot read the file /no/such/file: no such file or directory' },
    ],
    [{ 'set-metadata': ['a=1', 'a=2'] }, { code: 'bad_flag', message: '--set-metadata gives "a" twice' }],
    [{ 'set-metadata': ['x'] }, { code: 'bad_flag', message: '--set-metadata must be KEY=VALUE, not "x"' }],
    [
      { 'set-metadata': ['a=1'], 'remove-metadata': ['a'] },
      { code: 'bad_flag', message: '"a" is both set and removed' },
    ],
    [
      { 'add-cart-item': ['{}'] },
      {
        code: 'bad_flag',
        message: '--add-cart-item cannot be combined with --cart-items',
        hint: '--cart-items replaces all cart_items of the session; --add-cart-item changes what is stored.',
      },
      { cart_items: '--cart-items' },
    ],
    [
      { 'set-metadata': ['a=1'] },
      { message: '--set-metadata cannot be combined with --metadata' },
      { metadata: '--metadata' },
    ],
    [
      { 'remove-metadata': ['a'] },
      { message: '--remove-metadata cannot be combined with metadata in --data' },
      { metadata: '--data' },
    ],
  ])('refuses %j with %j', async (flags, error, replaced = {}) => {
    await expect(read(flags, replaced)).rejects.toMatchObject(error);
  });

  it('allows fields that are replaced beside others that are changed', async () => {
    const replaced = { metadata: '--metadata', airline: '--airline' };
    await expect(read({ 'add-cart-item': ['{}'] }, replaced)).resolves.toMatchObject({ addItems: [{}] });
  });

  it('is needed where one of the flags was given', () => {
    expect([{}, { 'remove-metadata': ['a'] }, { 'add-cart-item': ['{}'] }].map(givesChanges)).toEqual([
      false,
      true,
      true,
    ]);
  });
});

/** The body that changes make of a session with this text, to the letter. */
function bodyOf(text: string, changes: Partial<SessionChanges>): string {
  return stringifyExactJson(mergeChanges(storedFields(sessionWithText(text)), { ...NONE, ...changes }).body);
}

describe('mergeChanges', () => {
  it('adds items after the stored ones, with all that these have', () => {
    const text = '{"cart_items":[{"name":"A","new":{"x":[null,1e2]},"quantity":1.0}],"metadata":{"a":"1"}}';
    expect(bodyOf(text, { addItems: [{ name: 'B' }] })).toBe(
      '{"cart_items":[{"name":"A","new":{"x":[null,1e2]},"quantity":1.0},{"name":"B"}]}',
    );
  });

  it('sets keys in their places, adds new ones at the end, and removes others', () => {
    const text = '{"metadata":{"a":"1","b":12345678901234567890,"c":null,"d":"4"}}';
    const changes = { setMetadata: { a: 'x', e: '5' }, removeMetadata: ['d'] };
    expect(bodyOf(text, changes)).toBe('{"metadata":{"a":"x","b":12345678901234567890,"c":null,"e":"5"}}');
  });

  it.each(['{}', '{"cart_items":null,"metadata":null}', '{"cart_items":[],"metadata":{}}'])(
    'begins with nothing where there is nothing: %s',
    (text) => {
      const changes = { addItems: [{ name: 'B' }], setMetadata: { a: '1' } };
      expect(bodyOf(text, changes)).toBe('{"cart_items":[{"name":"B"}],"metadata":{"a":"1"}}');
    },
  );

  it('leaves out what is as it should be, and names keys that are not there', () => {
    const stored = storedFields(sessionWithText('{"metadata":{"a":"1"}}'));
    const changes = { ...NONE, setMetadata: { a: '1' }, removeMetadata: ['b', 'toString'] };
    expect(mergeChanges(stored, changes)).toEqual({ body: {}, missing: ['b', 'toString'], summary: '' });
  });

  it('takes keys for what they are', () => {
    const text = '{"metadata":{"__proto__":"p","constructor":"c"}}';
    const changes = { setMetadata: { ['__proto__']: 'q' }, removeMetadata: ['constructor'] };
    expect(bodyOf(text, changes)).toBe('{"metadata":{"__proto__":"q"}}');
  });

  it('says in a sentence what changes', () => {
    const stored = storedFields(sessionWithText('{"cart_items":[{},{}],"metadata":{"a":"1","b":"2"}}'));
    const changes = { addItems: [{}], setMetadata: { c: '1', d: '' }, removeMetadata: ['a'] };
    expect(mergeChanges(stored, changes).summary).toBe(
      'The update adds 1 item to the 2 in the cart, sets metadata "c", "d", removes metadata "a".',
    );
  });

  it('says that the cart is empty', () => {
    const { summary } = mergeChanges({ cart_items: [], metadata: {} }, { ...NONE, addItems: [{}, {}] });
    expect(summary).toBe('The update adds 2 items to the empty cart.');
  });

  it('keeps every digit of stored numbers', () => {
    const digits = fc.stringMatching(/^-?(?:0|[1-9]\d{0,24})(?:\.\d{1,24})?(?:[eE][+-]?\d{1,4})?$/);
    const name = fc.string({ minLength: 1 }).filter((text) => !/^\d+$/.test(text));
    const leaf = fc.oneof(
      digits,
      fc.string().map((text) => JSON.stringify(text)),
      fc.constant('null'),
    );
    const object = (value: fc.Arbitrary<string>) =>
      fc
        .uniqueArray(fc.tuple(name, value), { selector: ([key]) => key, maxLength: 5 })
        .map((members) => `{${members.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(',')}}`);
    const list = fc.array(leaf, { maxLength: 4 }).map((values) => `[${values.join(',')}]`);
    const items = fc.array(object(fc.oneof(leaf, list, object(leaf))), { maxLength: 4 });
    fc.assert(
      fc.property(items, object(leaf), (stored, metadata) => {
        const text = `{"cart_items":[${stored.join(',')}],"metadata":${metadata}}`;
        const changes = { addItems: [{ name: 'B' }], setMetadata: { '\u0000 new key': '' } };
        const members = metadata === '{}' ? '' : `${metadata.slice(1, -1)},`;
        expect(bodyOf(text, changes)).toBe(
          `{"cart_items":[${[...stored, '{"name":"B"}'].join(',')}],"metadata":{${members}"\\u0000 new key":""}}`,
        );
      }),
    );
  });
});
