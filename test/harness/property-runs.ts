/**
 * How often a property is tried: a hundred times, or with `PAYCTL_LONG_TESTS=1` as often as is said first. `usual` is for one whose
 * values take long, and which finds faults in fewer.
 */
export function propertyRuns(most: number, usual = 100): { readonly numRuns: number } {
  return { numRuns: process.env.PAYCTL_LONG_TESTS === '1' ? most : Math.min(most, usual) };
}
