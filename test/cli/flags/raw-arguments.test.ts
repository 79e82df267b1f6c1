import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requireUtf8Arguments } from '../../../src/cli/flags/raw-arguments.ts';
import { thrownBy } from '../../config/config-directory.ts';

/** The arguments as Node decodes them, and their bytes. */
function check(...raw: readonly Buffer[]): void {
  requireUtf8Arguments(
    raw.map((bytes) => bytes.toString()),
    [...raw],
  );
}

const LATIN = Buffer.from('caf\xe9', 'latin1');

describe('requireUtf8Arguments', () => {
  it.each([
    [
      [Buffer.from('--first-name'), LATIN],
      'The argument after --first-name is not valid UTF-8: byte 4 is 0xe9',
    ],
    [
      [Buffer.concat([Buffer.from('--city='), LATIN])],
      'The value of --city is not valid UTF-8: byte 11 is 0xe9',
    ],
    [[Buffer.from('get'), LATIN], 'Argument 2 is not valid UTF-8: byte 4 is 0xe9'],
  ])('names what is not UTF-8: %j', (raw, message) => {
    expect(thrownBy(() => check(...raw))).toMatchObject({ name: 'UsageError', code: 'not_utf8', message });
  });

  it('accepts U+FFFD that was typed', () => {
    check(Buffer.from('--city'), Buffer.from('\uFFFD'));
  });

  it('accepts exactly what is UTF-8', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 6 }), (bytes) => {
        const isUtf8 = Buffer.from(Buffer.from(bytes).toString()).equals(bytes);
        if (isUtf8) check(Buffer.from(bytes));
        else expect(thrownBy(() => check(Buffer.from(bytes)))).toMatchObject({ code: 'not_utf8' });
      }),
    );
  });

  it('refuses U+FFFD where the system does not show the bytes', () => {
    expect(thrownBy(() => requireUtf8Arguments(['--city', 'x\uFFFD'], undefined))).toMatchObject({
      code: 'not_utf8',
    });
  });

  it('leaves arguments alone that are not those of the process', () => {
    requireUtf8Arguments(['x\uFFFD'], [Buffer.from('other')]);
  });
});
