/**
 * How often a property is tried: a hundred times, or as often as is said here with `PAYCTL_LONG_TESTS=1`.
 */
export function propertyRuns(most: number): { readonly numRuns: number } {
  return { numRuns: process.env.PAYCTL_LONG_TESTS === '1' ? most : Math.min(most, 100) };
}
