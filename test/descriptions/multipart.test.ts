import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesSource } from '../../src/descriptions/byte-source.ts';
import { encodeMultipart } from '../../src/descriptions/encode-body.ts';
import { anyText } from '../harness/any-text.ts';

const plain = { schema: undefined, types: undefined };

async function bytesOf(body: unknown, encoding: Parameters<typeof encodeMultipart>[1] = plain) {
  const encoded = encodeMultipart(body, encoding);
  const pieces: Uint8Array[] = [];
  for await (const piece of encoded.pieces()) pieces.push(Uint8Array.from(piece));
  const bytes = Buffer.concat(pieces);
  const form = await new Response(new Uint8Array(bytes), {
    headers: { 'content-type': encoded.contentType },
  }).formData();
  return { bytes, encoded, form: [...form] };
}

const wellFormed = anyText(10).filter((text) => text.isWellFormed());
const hostile = fc.oneof(
  wellFormed,
  fc.string({
    unit: fc.constantFrom('"', '\r', '\n', '\\', ';', '\0', 'é', '💳', 'a', '\r\nX: y\r\n\r\n', '--'),
  }),
);

describe('a body of parts', () => {
  it('has one part for each member, whatever its name, its text and the name of its file', {
    tags: 'slow',
  }, async () => {
    await fc.assert(
      fc.asyncProperty(hostile, hostile, hostile, fc.uint8Array(), async (name, fileName, text, content) => {
        const file = { ...bytesSource(content), fileName };
        const { bytes, encoded, form } = await bytesOf({ [`f${name}`]: file, [`t${name}`]: text });
        expect(encoded.size).toBe(bytes.length);
        expect(form.map(([key]) => key.charAt(0))).toEqual(['f', 't']);
        const [[, sent], [, typed]] = form as [[string, File], [string, string]];
        expect(Buffer.from(await sent.arrayBuffer())).toEqual(Buffer.from(content));
        expect(typed.length).toBe(Buffer.from(text).toString().length);
        const [head = ''] = bytes.toString('latin1').split('\r\n\r\n');
        expect(head.split('\r\n')).toHaveLength(3);
        expect(head.match(/"/g)).toHaveLength(4);
      }),
    );
  });

  it('has names as browsers write them', async () => {
    const { bytes } = await bytesOf({ 'a"b': { ...bytesSource(Buffer.from('x')), fileName: 'é"\r\n.pdf' } });
    expect(bytes.toString()).toMatch(
      /^--(payctl-[0-9a-f-]{36})\r\nContent-Disposition: form-data; name="a%22b"; filename="é%22%0D%0A\.pdf"\r\nContent-Type: application\/pdf\r\n\r\nx\r\n--\1--\r\n$/,
    );
  });

  it('has another boundary each time, and the same one for all attempts', async () => {
    const [first, second] = [await bytesOf({ a: 'x' }), await bytesOf({ a: 'x' })];
    expect(first.encoded.contentType).not.toBe(second.encoded.contentType);
    const again: Uint8Array[] = [];
    for await (const piece of first.encoded.pieces()) again.push(piece);
    expect(Buffer.concat(again)).toEqual(first.bytes);
  });

  it('has texts, numbers and nulls as in a form, and JSON for objects and where the description says so', async () => {
    const types = { list: 'application/json', note: 'text/markdown' };
    const body = {
      n: 1e21,
      t: true,
      z: null,
      o: { a: [1] },
      list: [1, 2],
      note: '#',
      each: [1, 2],
      none: [],
    };
    const { form, bytes } = await bytesOf(body, { schema: undefined, types });
    expect(form).toEqual([
      ['n', '1000000000000000000000'],
      ['t', 'true'],
      ['z', ''],
      ['o', '{"a":[1]}'],
      ['list', '[1,2]'],
      ['note', '#'],
      ['each', '1'],
      ['each', '2'],
    ]);
    expect(bytes.toString().match(/Content-Type: .*/g)).toEqual([
      'Content-Type: application/json',
      'Content-Type: application/json',
      'Content-Type: text/markdown',
    ]);
  });

  it('has a part for each value of an object that the description wants in brackets', async () => {
    const body = { to: { name: 'Ada', at: [{ zip: 1 }], none: {} }, o: { a: 1 } };
    const { form } = await bytesOf(body, { ...plain, styles: { to: 'brackets' } });
    expect(form).toEqual([
      ['to[name]', 'Ada'],
      ['to[at][0][zip]', '1'],
      ['o', '{"a":1}'],
    ]);
  });

  it.each([
    [{ to: { 'a][b': 1 } }, '/to/a][b cannot be written in a form: the name "a][b" has a bracket'],
    [{ to: [{ '': 1 }] }, '/to/0/ cannot be written in a form: a name is empty'],
    [{ 'to[a]': { b: 1 } }, '/to[a] cannot be written in a form: the name "to[a]" has a bracket'],
  ])('is refused where a name in brackets would be read as another one: %j', (body, problem) => {
    const styles = { to: 'brackets', 'to[a]': 'brackets' } as const;
    expect(() => encodeMultipart(body, { ...plain, styles })).toThrow(problem);
  });

  it.each([
    ['a.pdf', undefined, 'application/pdf'],
    ['a.unknown', undefined, 'application/octet-stream'],
    ['constructor', undefined, 'application/octet-stream'],
    ['a.pdf', 'image/png', 'image/png'],
    ['a.jpeg', 'image/png, image/jpeg', 'image/jpeg'],
    ['a.gif', 'image/*', 'image/gif'],
    ['a.pdf', 'image/*', 'application/pdf'],
    ['a.csv', '*/*', 'text/csv'],
  ])('gives %s the type that the description or its name says (%s)', async (fileName, type, sent) => {
    const types = type === undefined ? undefined : { f: type };
    const { encoded } = await bytesOf(
      { f: { ...bytesSource(Buffer.from('x')), fileName } },
      { ...plain, types },
    );
    expect(encoded.parts).toEqual([{ name: 'f', fileName, type: sent, size: 1 }]);
  });

  it('gives a text the type of its schema', async () => {
    const schema = { properties: { rows: { type: 'string', contentMediaType: 'text/csv' } } };
    const { encoded } = await bytesOf({ rows: 'a,b' }, { schema, types: undefined });
    expect(encoded.parts).toEqual([{ name: 'rows', text: 'a,b', type: 'text/csv', size: 3 }]);
  });

  it.each([[[]], ['text'], [null], [1], [Buffer.from('x')]])('is none of %j', (body) => {
    expect(() => encodeMultipart(body, plain)).toThrow('its parts must be an object');
  });
});
