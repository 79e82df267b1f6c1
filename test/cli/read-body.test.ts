import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readBody, readJson, requireValidBody, withFields } from '../../src/cli/read-body.ts';
import type { Runtime } from '../../src/cli/runtime.ts';

/** Standard input that arrives in pieces, with pauses between them. */
function runtimeWith(...pieces: string[]): Runtime {
  const readStdin = async () => {
    for (const _ of pieces) await new Promise((resolve) => setTimeout(resolve, 20));
    return pieces.join('');
  };
  return { readStdin } as unknown as Runtime;
}

const folder = mkdtempSync(join(tmpdir(), 'payctl-body-'));

describe('readJson', () => {
  it('reads inline JSON with all digits of its integers', async () => {
    expect(await readJson('{"a":12345678901234567890}', '--data', runtimeWith())).toEqual({
      a: 12345678901234567890n,
    });
  });

  it('reads a file, also one that begins with a byte order mark', async () => {
    const path = join(folder, 'body.json');
    writeFileSync(path, '\uFEFF{"a":null}');
    expect(await readJson(`@${path}`, '--data', runtimeWith())).toEqual({ a: null });
  });

  it('reads standard input to its end, also from a slow producer', async () => {
    expect(await readJson('-', '--data', runtimeWith('{"a":', '1', '}'))).toEqual({ a: 1 });
  });

  it('names the flag and the file that cannot be read', async () => {
    await expect(readJson('@/no/such/file', '--airline', runtimeWith())).rejects.toMatchObject({
      code: 'unreadable_file',
      message: '--airline cannot read the file /no/such/file: no such file or directory',
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
        expect(read).toEqual(expected);
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
    ['"x"', 'a string'],
    ['true', 'a boolean'],
  ])('refuses %s', async (given, kind) => {
    await expect(readBody(given, runtimeWith())).rejects.toMatchObject({
      code: 'bad_body',
      message: `--data must be a JSON object, not ${kind}`,
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
  it('lets unknown fields, explicit nulls and big integers pass', async () => {
    const body = {
      first_name: null,
      unknown: { deep: 12345678901234567890n },
      address: { city: 'x'.repeat(1000) },
    };
    await expect(requireValidBody('ShippingDetailCreate', body)).resolves.toBeUndefined();
  });

  it.each([
    [{ first_name: '' }, '/first_name must NOT have fewer than 1 characters'],
    [{ last_name: 'x'.repeat(256) }, '/last_name must NOT have more than 255 characters'],
    [{ email_address: 'x'.repeat(321) }, '/email_address must NOT have more than 320 characters'],
    [{ phone_number: '0113 496 0000' }, '/phone_number must match pattern "^\\+[1-9]\\d{1,14}$"'],
    [{ first_name: 5 }, '/first_name must be string'],
    [{ address: { city: 5 } }, '/address/city must be string or null'],
  ])('refuses %j with the pointer of the fault', async (body, fault) => {
    await expect(requireValidBody('ShippingDetailCreate', body)).rejects.toMatchObject({
      code: 'bad_body',
      message: `The request body is not valid: ${fault}`,
    });
  });

  it('names every fault of a checkout session', async () => {
    const body = { cart_items: [{ name: 'Tea', quantity: 'two' }, 7], metadata: [] };
    await expect(requireValidBody('CheckoutSessionUpdate', body)).rejects.toMatchObject({
      message:
        'The request body is not valid: /cart_items/0/quantity must be integer; /cart_items/1 must be object; /metadata must be object',
    });
  });
});
