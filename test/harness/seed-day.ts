/** The last day of the emulator's records in tests, and in the examples of the pages. */
export const SEED_DAY = '2025-12-01';
