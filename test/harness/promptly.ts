/**
 * Milliseconds within which a run ends if a signal or its own limit ends it, on a machine that is busy with much else: less than
 * the 30 seconds after which a request would end it.
 */
export const PROMPTLY = 20_000;
