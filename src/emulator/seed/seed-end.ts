/** The moment, in milliseconds since 1970, up to which the seeded past reaches; no seeded event lies behind it. */
export const seedEndMs = Date.UTC(2025, 11, 1, 9);

/** One day in milliseconds. */
export const dayMs = 24 * 3600 * 1000;
