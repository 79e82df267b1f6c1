import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readBody, readJson, requireValidBody, withFields } from '../../src/cli/read-body.ts';
import { createRuntime, type Runtime } from '../../src/cli/runtime.ts';
import { folderForAll } from '../harness/temporary-folder.ts';
import { MemoryStream } from '../output/memory-stream.ts';

/** A runtime whose standard input arrives in pieces, with pauses between them. */
function runtimeWith(...pieces: (string | Buffer)[]): Runtime {
  async function* stdin() {
    for (const piece of pieces) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      yield Buffer.from(piece);
    }
  }
  const stream = () => new MemoryStream();
  const { signal } = new AbortController();
  return createRuntime({ stdout: stream(), stderr: stream(), stdin, env: {}, signal, version: '0.0.0' });
}

const folder = folderForAll();

describe('readJson', () => {
  it('reads inline JSON with all digits of its integers', async () => {
    const text = '{"a":12345678901234567890}';
    expect(JSON.stringify(await readJson(text, '--data', runtimeWith()))).toBe(text);
  });

  it('reads a file, also one that begins with a byte order mark', async () => {
    const path = join(folder, 'body.json');
    writeFileSync(path, '\uFEFF{"a":null}');
    expect(await readJson(`@${path}`, '--data', runtimeWith())).toEqual({ a: null });
  });

  it('reads standard input to its end, also from a slow producer', { tags: 'slow' }, async () => {
    expect(await readJson('-', '--data', runtimeWith('{"a":', '1', '}'))).toEqual({ a: 1 });
  });

  it('names the flag and the file that cannot be read', async () => {
    await expect(readJson('@/no/such/file', '--airline', runtimeWith())).rejects.toMatchObject({
      code: 'unreadable_file',
      message: '--airline cannot read the file /no/such/file: no such file or directory',
    });
  });

  it('reads standard input that begins with a byte order mark', async () => {
    expect(await readJson('-', '--data', runtimeWith('\uFEFF{"a":1}'))).toEqual({ a: 1 });
  });

  const LATIN = Buffer.from('{"a":\n"caf\xe9"}', 'latin1');

  it('refuses bytes that are not UTF-8, from standard input and from a file', async () => {
    const path = join(folder, 'latin.json');
    writeFileSync(path, LATIN);
    const reason = 'it is not valid UTF-8: byte 11, in line 2, is 0xe9';
    const hint = 'Convert it first, for example: iconv -f latin1 -t utf-8';
    await expect(readJson('-', '--data', runtimeWith(LATIN))).rejects.toMatchObject({
      code: 'unreadable_file',
      message: `--data cannot read standard input: ${reason}`,
      hint,
    });
    await expect(readJson(`@${path}`, '--airline', runtimeWith())).rejects.toMatchObject({
      message: `--airline cannot read the file ${path}: ${reason}`,
      hint,
    });
  });

  it('refuses more than 16 MiB, from standard input and from a device', async () => {
    const message = (what: string) => `--data cannot read ${what}: it is larger than 16 MiB`;
    await expect(readJson('-', '--data', runtimeWith(Buffer.alloc(2 ** 24 + 1)))).rejects.toMatchObject({
      message: message('standard input'),
    });
    if (process.platform === 'win32') return;
    await expect(readJson('@/dev/zero', '--data', runtimeWith())).rejects.toMatchObject({
      message: message('the file /dev/zero'),
    });
  });

  it('says where a file is not JSON', async () => {
    const path = join(folder, 'broken.json');
    writeFileSync(path, '{\n  "a": 1,\n}');
    await expect(readJson(`@${path}`, '--data', runtimeWith())).rejects.toMatchObject({
      code: 'bad_json',
      message: `--data (${path}) is not JSON: expected a name in double quotes at line 3, column 1`,
      hint: undefined,
    });
  });

  it.each([
    ['cart.json', '--cart-items @cart.json'],
    [import.meta.filename, `--cart-items @${import.meta.filename}`],
    ['my/Cart.JSON', '--cart-items @my/Cart.JSON'],
  ])('suggests @ for the name of a file: %s', async (given, hint) => {
    await expect(readJson(given, '--cart-items', runtimeWith())).rejects.toMatchObject({
      code: 'bad_json',
      hint: `To read the file, put an @ before its name: ${hint}`,
    });
  });

  it('needs a path after @', async () => {
    await expect(readJson('@', '--data', runtimeWith())).rejects.toMatchObject({ code: 'bad_flag' });
  });

  it.each([20_000, 200_000])('refuses %i levels', async (levels) => {
    const text = `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    await expect(readJson('-', '--data', runtimeWith(text))).rejects.toMatchObject({
      name: 'UsageError',
      code: 'bad_json',
      message: '--data is nested more than 100 levels deep',
    });
  });

  it('refuses any text that is not JSON with a usage error', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), async (text) => {
        fc.pre(!text.startsWith('@') && text !== '-');
        const expected = await Promise.resolve(text)
          .then(JSON.parse)
          .catch(() => 'refused');
        const read = await readJson(text, '--data', runtimeWith()).catch((error) => {
          expect(error).toMatchObject({ name: 'UsageError', code: 'bad_json' });
          return 'refused';
        });
        expect(read === 'refused' ? read : JSON.parse(JSON.stringify(read))).toEqual(expected);
      }),
    );
  });
});

describe('readBody', () => {
  it('is empty without --data', async () => {
    expect(await readBody(undefined, runtimeWith())).toEqual({});
  });

  it.each([
    ['[1]', 'an array'],
    ['null', 'null'],
    ['3', 'a number'],
    ['1e400', 'a number'],
    ['"x"', 'a string'],
    ['true', 'a boolean'],
  ])('refuses %s', async (given, kind) => {
    await expect(readBody(given, runtimeWith())).rejects.toMatchObject({
      code: 'bad_body',
      message: `--data must be a JSON object, not ${kind}`,
      hint: `Nothing was sent. Use an object such as '{"name":"value"}'.`,
    });
  });
});

describe('withFields', () => {
  it('puts flags over the body and leaves what no flag gave, null included', () => {
    expect(withFields({ a: null, b: 1, x: { y: 2 } }, { b: 2, c: undefined })).toEqual({
      a: null,
      b: 2,
      x: { y: 2 },
    });
  });
});

describe('requireValidBody', () => {
  const warn = () => {};

  it('lets unknown fields, explicit nulls and big integers pass', async () => {
    const body = {
      first_name: null,
      unknown: { deep: 12345678901234567890n },
      address: { city: 'x'.repeat(1000) },
    };
    await expect(requireValidBody('ShippingDetailCreate', body, { warn })).resolves.toBeUndefined();
  });

  it.each([
    ['12345678901234567890', undefined],
    ['-0', undefined],
    ['1.0', 'must be an integer in digits only, not 1.0'],
    ['1e2', 'must be an integer in digits only, not 1e2'],
    ['1e+21', 'must be an integer in digits only, not 1e+21'],
    ['1e400', 'must be an integer in digits only, not 1e400'],
    ['1.00000000000000000001', 'must be an integer in digits only, not 1.00000000000000000001'],
    ['0.5', 'must be an integer in digits only, not 0.5'],
    ['"5.00"', 'must be an integer in digits only, not a string'],
    ['"ten"', 'must be an integer, not a string'],
  ])('takes an integer in digits only, and judges %s by how it is written', async (quantity, fault) => {
    const text = `{"cart_items":[{"name":"Tea","quantity":${quantity},"unit_amount":450}]}`;
    const body = await readBody(text, runtimeWith());
    const judged = await requireValidBody('CheckoutSessionUpdate', body, { warn }).catch(
      (error) => error.message,
    );
    expect(judged).toBe(fault && `The request body is not valid: /cart_items/0/quantity ${fault}`);
    expect(JSON.stringify(body)).toBe(text);
  });

  it.each([
    [{ first_name: '' }, '/first_name must have at least 1 character'],
    [{ last_name: 'x'.repeat(256) }, '/last_name must have at most 255 characters'],
    [{ email_address: 'x'.repeat(321) }, '/email_address must have at most 320 characters'],
    [{ phone_number: '0113 496 0000' }, '/phone_number must match the pattern "^\\+[1-9]\\d{1,14}$"'],
    [{ first_name: 5 }, '/first_name must be a string, not a number'],
    [{ address: { city: 5 } }, '/address/city must be a string or null, not a number'],
  ])('refuses %j with the pointer of the fault', async (body, fault) => {
    await expect(requireValidBody('ShippingDetailCreate', body, { warn })).rejects.toMatchObject({
      code: 'bad_body',
      message: `The request body is not valid: ${fault}`,
    });
  });

  it('names every fault of a checkout session', async () => {
    const body = { cart_items: [{ name: 'Tea', quantity: 'two' }, 7], metadata: [] };
    await expect(requireValidBody('CheckoutSessionUpdate', body, { warn })).rejects.toMatchObject({
      message:
        'The request body is not valid: /cart_items/0/quantity must be an integer, not a string; /cart_items/1 must be an object, not a number; /metadata must be an object, not an array',
    });
  });
});
