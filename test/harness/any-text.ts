import fc from 'fast-check';

/**
 * Texts of any code points, lone surrogates included. `fc.string({ unit: 'binary' })` gives those without surrogates after a
 * second of computing in each process, in which no server of that process answers.
 */
export function anyText(maxLength = 20): fc.Arbitrary<string> {
  return fc
    .array(fc.integer({ min: 0, max: 0x10_ffff }), { maxLength })
    .map((points) => String.fromCodePoint(...points));
}
