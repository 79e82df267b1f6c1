import fc from 'fast-check';

/**
 * Texts of any code points, lone surrogates included. `fc.string({ unit: 'binary' })` gives the same after a second of
 * computing in each test file, in which no server of that process answers.
 */
export const anyText = fc
  .array(fc.integer({ min: 0, max: 0x10_ffff }), { maxLength: 20 })
  .map((points) => String.fromCodePoint(...points));
